import { active, alerting } from './fleet/alerts.ts';
import { ago, HOUR, MINUTE, scrapes } from './fleet/clock.ts';
import { dcgm, dcgmLabels } from './fleet/dcgm.ts';
import { nodeInfo, nodeReady } from './fleet/kube-state-metrics.ts';
import { cpu, machineGauge } from './fleet/node-exporter.ts';
import { podSeries } from './fleet/pods.ts';
import { churned, except, type Series, stepped } from './fleet/series.ts';
import { amdGpu, host, lasting, nvidia, phase, scrapeAt } from './fleet/situations.ts';
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

const ofNobody = { pod: undefined };
const long = { from: ago(4 * HOUR) };
const podOn = (node: string): Series[] => [
  nodeInfo(node, node, times),
  ...podSeries(
    { name: `train-${node}`, node, owner: ['Job', 'train'], gpus: 2, created: times[0]!, running: times[0]! },
    times,
  ),
];

/** Two nodes on which every check finds all well. */
export const calmCluster = (): Series[] =>
  nodes.flatMap((node) => [
    ...[0, 1].flatMap((index) => nvidia({ scraping: long, gpu: { ...ofNobody, index } })(node)),
    ...host({}, long)(node),
    ...podOn(node),
  ]);

const hot = lasting(20, 15);
const heat = { name: 'GPUHighTemperature', labels: { node: 'n1', gpu: '0' } };

/**
 * The same where every kind of flag fires. GPU 0 of n1 has them all, but for what its host has; GPU 1 of n2 was hot from
 * before the last hour, and did not tell of its memory errors for a while.
 */
export const flaggedCluster = (): Series[] => [
  ...nvidia({
    scraping: long,
    gpu: ofNobody,
    readings: {
      DCGM_FI_DEV_GPU_TEMP: except(62, 88, hot),
      DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: except(0.5, 0.01, hot),
      DCGM_FI_DEV_FB_USED: except(40_000, 79_000, hot),
      DCGM_FI_DEV_THERMAL_VIOLATION: stepped(7e9, [scrapeAt(20), 9e9]),
      DCGM_FI_DEV_POWER_VIOLATION: stepped(7e9, [scrapeAt(20), 9e9]),
      DCGM_FI_DEV_CLOCKS_EVENT_REASONS: except(0, 0x24, hot),
      DCGM_FI_DEV_XID_ERRORS: stepped(0, [scrapeAt(25), 79]),
      DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(4, [scrapeAt(25), 5]),
    },
  })('n1'),
  ...nvidia({ scraping: long, gpu: { ...ofNobody, index: 1 } })('n1'),
  ...nvidia({ scraping: long, gpu: ofNobody })('n2'),
  ...nvidia({
    scraping: long,
    gpu: { ...ofNobody, index: 1 },
    readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 88, lasting(-10, 20)) },
    own: { DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: { ...long, holes: [[scrapeAt(10), scrapeAt(30)]] } },
  })('n2'),
  ...host({ io: except(0.01, 0.35, hot) }, long)('n1'),
  ...host({}, long)('n2'),
  ...nodes.flatMap(podOn),
  ...active(heat, scrapeAt(21), scrapeAt(33), phase),
];

/** AMD's, of which the site recorded that one was too hot. */
export const recordedAmd = (): Series[] => [
  ...nodes.flatMap((node) => [...amdGpu({ scraping: long })(node), ...host({}, long)(node), ...podOn(node)]),
  ...active({ ...heat, labels: { node: 'n1', gpu_id: '0' } }, scrapeAt(21), scrapeAt(33), phase),
];
