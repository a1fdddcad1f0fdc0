import type { Labels } from '../domain/series.ts';
import { boards, daemonPod, ipOf, uuidOf } from './fleet.ts';
import type { DemoGpu, GpuMaker } from './gpu-streams.ts';
import { nvidiaFamilies, nvidiaPoolFamilies } from './nvidia-families.ts';

const buses = ['1B', '43', '52', '61', '9D', 'C3', 'D1', 'DF'];

/** As the GPU Operator's scrape leaves them: the target's own pod is the exporter's, the workload's is `exported_pod`. */
function labels({ cluster, node, index, name, tenancy: { pod, group } }: DemoGpu): Labels {
  return {
    gpu: String(index),
    UUID: `GPU-${uuidOf(name)}`,
    pci_bus_id: `00000000:${buses[index]}:00.0`,
    device: `nvidia${index}`,
    modelName: boards.nvidia.modelName,
    Hostname: node,
    DCGM_FI_DRIVER_VERSION: boards.nvidia.driver,
    ...(pod &&
      group && { exported_container: group.container, exported_namespace: group.namespace, exported_pod: pod.name }),
    cluster: cluster.name,
    container: 'nvidia-dcgm-exporter',
    endpoint: 'gpu-metrics',
    instance: `${ipOf(cluster, node)}:9400`,
    job: 'nvidia-dcgm-exporter',
    namespace: 'gpu-operator',
    pod: daemonPod('nvidia-dcgm-exporter', node),
    service: 'nvidia-dcgm-exporter',
  };
}

/** H100 behind dcgm-exporter. */
export const nvidia: GpuMaker = {
  vendor: 'nvidia',
  board: { idleC: 31, fullC: 63, idleW: 72, fullW: 700, idleMhz: 345, fullMhz: 1755 },
  labels,
  families: nvidiaFamilies,
  poolFamilies: nvidiaPoolFamilies,
};
