import type { Labels } from '../domain/series.ts';
import { boards, ipOf } from './fleet.ts';
import { risen, sinceDriverLoad } from './gpu-counters.ts';
import type { DemoGpu, GpuFamily, GpuMaker } from './gpu-streams.ts';
import { hexOf } from './shapes.ts';

const { totalMib } = boards.amd;
const computeDies = 8;

/** The exporter calls everything a gauge, its counters too. */
const gauge = (name: string, read: GpuFamily['read'], labels: Labels = {}): GpuFamily => ({
  name: `amd_${name}`,
  type: 'gauge',
  labels: () => labels,
  read,
});

const count = (name: string, below: number, more: (gpu: DemoGpu, at: number) => number = () => 0): GpuFamily =>
  gauge(name, (_, gpu, at) =>
    sinceDriverLoad(gpu.node, { name: `${gpu.name}/${name}`, below }, (at) => more(gpu, at), at),
  );

const percent = (share: number) => Math.round(share * 100);
const finePercent = (share: number) => Math.round(share * 1e6) / 1e4;
const usedMib = (memory: number) => Math.round(memory * totalMib) + 285;

/** The scrape honours the exporter's labels: `pod` is the workload's. */
const labels = ({ cluster, node, index, name, tenancy: { pod, group } }: DemoGpu): Labels => ({
  gpu_id: String(index),
  gpu_partition_id: '0',
  gpu_compute_partition_type: 'spx',
  gpu_memory_partition_type: 'nps1',
  card_model: boards.amd.modelName,
  serial_number: `69${hexOf(name, 8).toUpperCase()}`,
  hostname: node,
  deployment_mode: 'baremetal',
  ...(pod && group && { container: group.container, namespace: group.namespace, pod: pod.name }),
  cluster: cluster.name,
  endpoint: 'metrics',
  instance: `${ipOf(cluster, node)}:5000`,
  job: 'device-metrics-exporter',
  service: 'device-metrics-exporter',
});

const poolFamilies: readonly GpuFamily[] = [
  gauge('gpu_junction_temperature', ({ tempC }) => Math.round(tempC)),
  gauge('gpu_memory_temperature', ({ memoryTempC }) => Math.round(memoryTempC)),
  gauge('gpu_package_power', ({ powerW }) => Math.round(powerW)),
];

/** MI355X behind ROCm's exporter, unpartitioned, with the profiler on and the prefix that its shipped examples set. */
export const amd: GpuMaker = {
  vendor: 'amd',
  board: { idleC: 36, fullC: 65, idleW: 210, fullW: 1400, idleMhz: 132, fullMhz: 2310 },
  labels,
  poolFamilies,
  families: [
    ...poolFamilies,
    // One series per compute die; the dies of a board run within a few MHz of each other.
    ...Array.from({ length: computeDies }, (_, die) =>
      gauge('gpu_clock', ({ smMhz }) => Math.round(smMhz) + ((die * 5) % 7), {
        clock_type: 'system',
        clock_index: String(die),
      }),
    ),
    gauge('gpu_clock', ({ busy }) => (busy > 0.05 ? 2400 : 900), { clock_type: 'memory', clock_index: '0' }),
    gauge('gpu_gfx_activity', ({ busy }) => percent(busy)),
    gauge('gpu_umc_activity', ({ dram }) => percent(dram)),
    gauge('gpu_prof_tensor_active_percent', ({ tensor }) => finePercent(tensor)),
    gauge('gpu_prof_sm_active', ({ sm }) => finePercent(sm)),
    gauge('gpu_used_vram', ({ memory }) => usedMib(memory)),
    gauge('gpu_free_vram', ({ memory }) => totalMib - usedMib(memory)),
    gauge('gpu_total_vram', () => totalMib),
    count('pcie_replay_count', 3, ({ incidents }, at) => risen(incidents, 'pcieReplay', at)),
    count('pcie_recovery_count', 2),
    count('gpu_ecc_correct_total', 9, ({ incidents }, at) => risen(incidents, 'eccCorrectable', at)),
    count('gpu_ecc_uncorrect_total', 1, ({ incidents }, at) => risen(incidents, 'eccUncorrectable', at)),
    count('gpu_ecc_deferred_total', 2),
  ],
};
