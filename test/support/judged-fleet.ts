import { alerting } from './fleet/alerts.ts';
import { ago, DAY, HOUR, MINUTE, scrapes } from './fleet/clock.ts';
import { dcgm } from './fleet/dcgm.ts';
import { nodeInfo } from './fleet/kube-state-metrics.ts';
import { growing, machineCounter, machineGauge } from './fleet/node-exporter.ts';
import { podSeries } from './fleet/pods.ts';
import { except, type Series, stepped, type Value } from './fleet/series.ts';
import type { Site } from './fleet/world.ts';
import { everyMetric, gpusPerNode, nodeNames, stillAmd } from './still-fleet.ts';

/** How far apart its samples are, which its gateway must be told. */
export const everyS = 90;
const aDay = scrapes({ from: ago(DAY + HOUR), every: everyS });
const lately = scrapes({ from: ago(10 * MINUTE), every: everyS });

/** Names of the length that names have: what a report moves of each node holds them again and again. */
export const judgedNode = (number: number): string => `gpu-worker-h100-${String(number).padStart(4, '0')}`;

/** What a report rests on. All else is exported too, but of that a few samples do. */
const evidence = /GPU_TEMP|GPU_UTIL|TENSOR|FB_|THERMAL_VIO|POWER_VIO|CLOCKS_EVENT|XID|ECC_DBE|NVLINK|PCIE/;

const gpu = (node: string, index: number, odd: Readonly<Record<string, Value>>): Series[] =>
  Object.entries({ ...everyMetric, ...odd }).flatMap(([metric, value]) =>
    dcgm({ node, index }, evidence.test(metric) ? aDay : lately, { [metric]: value }),
  );

/** A host that waits for nothing, and the pod that has all of its GPUs. */
const host = (node: string): Series[] => [
  machineGauge({ address: node }, 'node_load1', lately, 2),
  ...['cpu', 'memory', 'io'].map((resource) =>
    machineCounter({ address: node }, `node_pressure_${resource}_waiting_seconds_total`, aDay, growing(aDay, 0.01)),
  ),
  nodeInfo(node, node, aDay),
  ...podSeries({ ...pod(node), created: aDay[0]!, running: aDay[0]! }, aDay),
];
const pod = (node: string) => ({ name: `train-${node}`, node, owner: ['Job', 'train'] as const, gpus: gpusPerNode });

/** An alert that tells of no GPU: the site has alerting, and nothing to say. */
const watchdog = alerting({ name: 'Watchdog', labels: {} }, 'firing', aDay);

const [began, ended] = [ago(40 * MINUTE), ago(20 * MINUTE)];
/** All that can go wrong with one GPU, within the last hour. */
const wrong: Readonly<Record<string, Value>> = {
  DCGM_FI_DEV_GPU_TEMP: except(60, 88, [began, ended]),
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: except(0.5, 0.01, [began, ended]),
  DCGM_FI_DEV_FB_USED: except(40_000, 81_000, [began, ended]),
  DCGM_FI_DEV_THERMAL_VIOLATION: stepped(7e9, [began, 9e9]),
  DCGM_FI_DEV_POWER_VIOLATION: stepped(7e9, [began, 9e9]),
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: except(0, 0x24, [began, ended]),
  DCGM_FI_DEV_XID_ERRORS: stepped(0, [began, 79]),
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: stepped(0, [began, 1]),
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(4, [began, 5]),
};

export interface Faulty {
  /** Counted from 1. */
  readonly node: number;
  readonly index: number;
}

/** That many nodes of eight GPUs with everything that exporters have, all well but for the faulty ones. */
export const judgedSite = (name: string, nodes: number, faulty: readonly Faulty[] = []): Site => ({
  name,
  series: [
    watchdog,
    ...Array.from({ length: nodes }, (_, at) => at + 1).flatMap((number) => [
      ...Array.from({ length: gpusPerNode }, (_, index) =>
        gpu(judgedNode(number), index, faulty.some((one) => one.node === number && one.index === index) ? wrong : {}),
      ).flat(),
      ...host(judgedNode(number)),
    ]),
  ],
});

/** The same, all well, where another pod has each GPU every two hours: none of its series lasts for long. */
export const busySite = (name: string, nodes: number): Site => {
  const plain = judgedSite(name, nodes);
  // Not as a window begins: then nothing tells what their counters stood at.
  const changes = Array.from({ length: 14 }, (_, at) => ago(DAY + 2 * HOUR - 40 * MINUTE) + at * 2 * HOUR);
  return {
    name,
    series: plain.series.flatMap(({ labels, times, values }) =>
      labels['UUID'] === undefined
        ? [{ labels, times, values }]
        : changes.flatMap((from, at) => {
            const isOwn = (time: number) => time > from && time <= (changes[at + 1] ?? Infinity);
            const own = { labels: { ...labels, exported_pod: `job-${at}`, exported_namespace: 'default' } };
            const kept = times.filter(isOwn);
            return kept.length === 0
              ? []
              : [{ ...own, times: kept, values: values.filter((_, i) => isOwn(times[i]!)) }];
          }),
    ),
  };
};

export const judgedAmd = (name: string, nodes: number): Site => ({
  name,
  vendor: 'amd',
  series: [watchdog, ...stillAmd(nodes, aDay), ...nodeNames(nodes).flatMap(host)],
});

/** So many nodes that their list is made of fewer metrics; for the list alone. */
export const largeSite = (name: string, nodes: number): Site => ({
  name,
  series: Array.from({ length: nodes }, (_, at) => judgedNode(at + 1)).flatMap((node) => [
    ...Array.from({ length: gpusPerNode }, (_, index) => dcgm({ node, index }, lately.slice(-2), everyMetric)).flat(),
    machineGauge({ address: node }, 'node_load1', lately, 2),
    nodeInfo(node, node, lately),
  ]),
});
