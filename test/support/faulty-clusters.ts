import { alerting } from './fleet/alerts.ts';
import { ago, HOUR, MINUTE, scrapes } from './fleet/clock.ts';
import { dcgm, dcgmLabels } from './fleet/dcgm.ts';
import { nodeReady } from './fleet/kube-state-metrics.ts';
import { cpu, machineGauge } from './fleet/node-exporter.ts';
import { churned, type Series, stepped } from './fleet/series.ts';
import { everyMetric } from './still-fleet.ts';

const times = scrapes({ from: ago(2 * HOUR) });
const half = ago(30 * MINUTE);
const nodes = ['n1', 'n2'];

/** Two nodes with two GPUs each, their hosts, Kubernetes and an alert: something of everything. */
export const wholeCluster = (): Series[] => [
  ...nodes.flatMap((node) => [
    ...[0, 1].flatMap((index) => dcgm({ node, index }, times, everyMetric)),
    ...nodeReady(node, times, () => 'true'),
    machineGauge({ address: node }, 'node_load1', times, 3),
    ...cpu({ address: node }, times, 2, () => ({ user: 0.25 })),
  ]),
  alerting({ name: 'GPUHighTemperature', labels: { node: 'n1', gpu: '0' } }, 'firing', times),
];

/** Four GPUs with a temperature and a power draw. */
export const plainCluster = (tempC: number): Series[] =>
  nodes.flatMap((node) =>
    [0, 1].flatMap((index) =>
      dcgm({ node, index }, times, { DCGM_FI_DEV_GPU_TEMP: tempC, DCGM_FI_DEV_POWER_USAGE: 500 }),
    ),
  );

/** The same, of which GPU 1 of n1 is odd: its labels changed, one counter fell, and another was born. */
export const oddCluster = (): Series[] => {
  const odd = { node: 'n1', index: 1 };
  const plain = [
    { node: 'n1', index: 0 },
    { node: 'n2', index: 0 },
    { node: 'n2', index: 1 },
  ];
  const [powerW, replays, crc] = ['POWER_USAGE', 'PCIE_REPLAY_COUNTER', 'ECC_SBE_VOL_TOTAL'].map(
    (name) => `DCGM_FI_DEV_${name}`,
  );
  return [
    ...plain.flatMap((gpu) => dcgm(gpu, times, { DCGM_FI_DEV_GPU_TEMP: 60, [powerW!]: 500, [replays!]: 4, [crc!]: 4 })),
    ...dcgm(odd, times, { DCGM_FI_DEV_GPU_TEMP: 60, [replays!]: stepped(9, [half, 2]) }),
    ...dcgm(
      odd,
      times.filter((time) => time > half),
      { [crc!]: 3 },
    ),
    ...churned(powerW!, times, 510, [
      [0, dcgmLabels(odd)],
      [half, dcgmLabels({ ...odd, driver: '570.86.10' })],
    ]),
  ];
};
