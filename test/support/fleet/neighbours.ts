import { active } from './alerts.ts';
import { fullAmd } from './amd.ts';
import { ago, HOUR, NOW, scrapes } from './clock.ts';
import { dcgm, uuidOf } from './dcgm.ts';
import { fullList } from './dcgm-lists.ts';
import { allocatableGpus, nodeInfo, nodeReady } from './kube-state-metrics.ts';
import { cpu, growing, machineCounter, machineGauge } from './node-exporter.ts';
import { ownerSeries, podSeries } from './pods.ts';
import { labelled, type Series, series, stepped } from './series.ts';
import { around, fraction } from './wobble.ts';

const start = ago(3 * HOUR);
const times = scrapes({ from: start, to: NOW, every: 60, phase: 5 });

const nvidiaNode = (cluster: string, node: string): Series[] =>
  [0, 1, 2, 3].flatMap((index) => {
    const key = `${cluster} ${node} ${index}`;
    const pod = index < 3 ? `train-${node}-0` : undefined;
    const gpu = { node, index, ...(pod === undefined ? {} : { pod }), uuid: `${uuidOf(node, index)}-${cluster}` };
    const rate = 1 + Math.floor(5 * fraction(key, 7));
    return dcgm(gpu, times, {
      ...fullList(key),
      DCGM_FI_DEV_XID_ERRORS: index === 2 ? stepped(0, [ago(HOUR / 2), 79]) : 0,
      DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: (time) => Math.floor((time - start) / 600) * rate,
      DCGM_FI_DEV_POWER_VIOLATION: (time) => Math.floor(time - start) * 1e6 * rate,
      DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: (time) => Math.floor(time - start) * 500_000 * rate,
      DCGM_FI_PROF_PCIE_TX_BYTES: around(`${key} tx`, 4e8, 1e8),
    });
  });

const amdNode = (cluster: string, node: string): Series[] =>
  [0, 1, 2, 3].flatMap((id) =>
    fullAmd({ node, id, serial: `SN-${cluster}-${node}-${id}`, pod: `infer-${node}-0` }, times),
  );

const host = (cluster: string, node: string, address: string): Series[] => {
  const key = `${cluster} ${node}`;
  const machine = { address };
  const busy = 0.2 + 0.5 * fraction(key, 3);
  const counter = (metric: string, perSecond: number, extra = {}) =>
    machineCounter(machine, metric, times, growing(times, Math.round(perSecond * (1 + fraction(key, 4)))), extra);
  return [
    ...cpu(machine, times, 2, (time) => ({ user: busy, system: 0.05, iowait: 0.02 + 0.01 * fraction(key, time) })),
    machineGauge(machine, 'node_memory_MemTotal_bytes', times, 1_081_101_176_832),
    machineGauge(
      machine,
      'node_memory_MemAvailable_bytes',
      times,
      around(`${key} mem`, 700_000_000_000, 90_000_000_000),
    ),
    machineGauge(machine, 'node_load1', times, around(`${key} load`, 40, 20, 2)),
    machineGauge(machine, 'node_filesystem_size_bytes', times, 3_840_000_000_000, {
      mountpoint: '/data',
      fstype: 'xfs',
      device: '/dev/nvme0n1',
    }),
    machineGauge(machine, 'node_filesystem_avail_bytes', times, around(`${key} fs`, 9e11, 5e11), {
      mountpoint: '/data',
      fstype: 'xfs',
      device: '/dev/nvme0n1',
    }),
    machineGauge(machine, 'node_filesystem_avail_bytes', times, 4096, {
      mountpoint: '/run',
      fstype: 'tmpfs',
      device: 'tmpfs',
    }),
    machineGauge(machine, 'node_uname_info', times, 1, { nodename: node, release: '6.8.0', machine: 'x86_64' }),
    machineGauge(machine, 'node_boot_time_seconds', times, ago(86_400 * (2 + Math.floor(20 * fraction(key, 5))))),
    machineGauge(machine, 'node_time_seconds', times, (time) => time),
    machineGauge(machine, 'node_hwmon_temp_celsius', times, around(`${key} hwmon`, 55, 8), {
      chip: 'pci0000:00',
      sensor: 'temp1',
    }),
    counter('node_network_receive_bytes_total', 2_000_000, { device: 'eth0' }),
    counter('node_network_receive_bytes_total', 90_000_000, { device: 'mlx5_0' }),
    counter('node_network_receive_bytes_total', 100, { device: 'lo' }),
    counter('node_network_transmit_bytes_total', 80_000_000, { device: 'mlx5_0' }),
    counter('node_pressure_cpu_waiting_seconds_total', 3),
    counter('node_pressure_memory_waiting_seconds_total', 1),
    counter('node_disk_read_bytes_total', 5_000_000, { device: 'nvme0n1' }),
    counter('node_infiniband_port_data_transmitted_bytes_total', 400_000_000, { device: 'mlx5_0', port: '1' }),
    series('up', { job: 'node-exporter', instance: `${address}:9100` }, times, 1),
    series(
      'up',
      { job: 'dcgm-exporter', instance: `${address}:9400` },
      times,
      stepped(1, [ago(600 * (1 + Math.floor(3 * fraction(key, 6)))), 0]),
    ),
  ];
};

const kubernetes = (cluster: string, nodes: readonly string[], vendor: 'nvidia' | 'amd'): Series[] => {
  const resource = vendor === 'nvidia' ? 'nvidia_com_gpu' : 'amd_com_gpu';
  const name = vendor === 'nvidia' ? 'train' : 'infer';
  return [
    ...nodes.flatMap((node, at) => [
      nodeInfo(node, `10.2.0.${at + 1}`, times),
      ...nodeReady(node, times, (time) => (at === 0 && time > ago(900) ? 'false' : 'true')),
      allocatableGpus(node, times, 4, resource),
      ...podSeries(
        {
          name: `${name}-${node}-0`,
          node,
          owner: ['StatefulSet', `${name}-${node}`],
          uid: `uid-${cluster}-${node}`,
          gpus: 3,
          resource,
          created: start,
          running: start + 60,
        },
        times,
      ),
      series(
        'kube_pod_container_status_restarts_total',
        {
          job: 'kube-state-metrics',
          instance: '10.1.0.3:8080',
          namespace: 'default',
          pod: `${name}-${node}-0`,
          container: 'main',
        },
        times,
        stepped(0, [ago(2000), 1 + at], [ago(1000), 3 + at]),
      ),
    ]),
    ...podSeries({ name: 'sweep-1', owner: ['Job', 'sweep'], gpus: 4, resource, created: ago(1500) }, times),
    ...podSeries(
      {
        name: 'web-7f-1',
        node: nodes[0]!,
        owner: ['ReplicaSet', 'web-7f'],
        created: start,
        running: start,
        ended: ago(700),
        endedAs: 'Failed',
      },
      times,
    ),
    ownerSeries('ReplicaSet', 'web-7f', ['Deployment', 'web'], times),
    ...['0.01', '0.1', '1', '10', '+Inf'].map((le, at) =>
      series(
        'kubelet_runtime_operations_duration_seconds_bucket',
        { job: 'kubelet', instance: `${nodes[0]}:10250`, operation_type: 'create_container', le },
        times,
        (time) => Math.floor((time - start) / 60) * (3 + 4 * at) + at,
      ),
    ),
  ];
};

/** One cluster with everything that a GPU site scrapes. Nodes, addresses, pods and jobs are called the same in all. */
const cluster = (name: string, vendor: 'nvidia' | 'amd'): Series[] => {
  const nodes = ['n1', 'n2', 'n3'];
  return labelled({ cluster: name }, [
    ...nodes.flatMap((node, at) => [
      ...(vendor === 'nvidia' ? nvidiaNode(name, node) : amdNode(name, node)),
      ...host(name, node, `10.2.0.${at + 1}`),
    ]),
    ...kubernetes(name, nodes, vendor),
    ...active({ name: 'GPUHighTemperature', labels: { node: 'n1', gpu: '0' } }, ago(2400), NOW),
  ]);
};

/** Ours: one cluster of each maker. */
export const ours: readonly Series[] = [...cluster('aurora-prod', 'amd'), ...cluster('aurora-lab', 'nvidia')];

/** Others in the same store, whose names begin or end like ours, and what belongs to nobody. */
export const neighbours: readonly Series[] = [
  ...cluster('aurora', 'amd'),
  ...cluster('aurora-lab-2', 'nvidia'),
  ...cluster('borealis', 'nvidia'),
  ...[
    ...cluster('', 'nvidia'),
    ...cluster('', 'amd').filter(({ labels }) => labels['__name__']!.startsWith('amd_')),
  ].map(({ labels: { cluster: _none, ...labels }, ...rest }) => ({ labels, ...rest })),
];
