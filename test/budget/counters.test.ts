import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Cost, costIn, gpusIn, ofEveryGpu } from '../support/cost.ts';
import { ago, HOUR } from '../support/fleet/clock.ts';
import { dcgm, type DcgmGpu } from '../support/fleet/dcgm.ts';
import { type Series, stepped, type Value } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import {
  clusterOf,
  everyMetric,
  gpusPerNode,
  metricsNamed,
  sixHours,
  sizes,
  stillClusters,
  stillNodes,
} from '../support/still-fleet.ts';

const errors = 'errors { linkCrc linkReplay linkRecovery pcieReplay pcieRecovery eccSbe eccDbe xid xidCodes }';
const throttle = 'throttle { thermalS powerS boardLimitS syncBoostS lowUtilS reliabilityS clockEvents { kind count } }';

const [temperature, replays] = ['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER'];
const metrics = metricsNamed(/GPU_TEMP$|PCIE_REPLAY/);
/** The raw samples of a window and of the five minutes in which its baseline may lie. */
const withBaseline = 720 + 10;
const gpus = 8 * gpusPerNode;
const half = ago(3 * HOUR);

const replaying = (gpu: DcgmGpu, value: Value, times = sixHours): Series[] => [
  ...dcgm(gpu, sixHours, { [temperature]: 60 }),
  ...dcgm(gpu, times, { [replays]: value }),
];
const eightBut = (...odd: readonly (readonly [DcgmGpu, Value, number[]?])[]): Series[] => [
  ...stillNodes(8, metrics).filter(
    ({ labels }) => !odd.some(([gpu]) => labels['gpu'] === String(gpu.index) && labels['Hostname'] === gpu.node),
  ),
  ...odd.flatMap(([gpu, value, times]) => replaying(gpu, value, times)),
];
const one = { node: 'n3', index: 5 };
const another = { node: 'n6', index: 2 };
const reset = stepped(9, [half, 2]);
const lateTimes = sixHours.filter((time) => time > half);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...stillClusters(everyMetric),
    { name: 'still', series: stillNodes(8, metrics) },
    { name: 'rising', series: eightBut([one, stepped(4, [half, 7])]) },
    { name: 'reset', series: eightBut([one, reset]) },
    { name: 'born', series: eightBut([one, 3, lateTimes]) },
    { name: 'two-reset', series: eightBut([one, reset], [another, reset]) },
  ]);
});
afterAll(() => world?.close());

describe.each([
  // The list; for each of seven metrics its values at both edges and its resets; XIDs shown and moved; who was there, and at the edge.
  [errors, 1 + 3 * 7 + 2 + 2],
  // The list; six timers; for the mask of clock events what it shows and whether it moved.
  [throttle, 1 + 3 * 6 + 2],
])('%s', (selection, requests) => {
  test.each(sizes)(`costs ${requests} requests for all GPUs of %i nodes, and no raw samples`, async (nodes) => {
    const cost = await costIn(world, ofEveryGpu(clusterOf(nodes), selection));
    expect([cost.requests, cost.lists]).toEqual([requests, 1]);
    expect(rawOf(cost)).toEqual([]);
    expect(gpusIn(cost)).toHaveLength(nodes * gpusPerNode);
  });
});

test('over an hour they cost as many requests as over six', async () => {
  const over = (range: string) => costIn(world, ofEveryGpu('of-8', `${errors} ${throttle}`, range));
  expect((await over('LAST_1H')).requests).toBe((await over('LAST_6H')).requests);
});

const rawOf = ({ asked }: Cost): string[] => asked.filter((query) => /^\w+\{[^}]*\}\[\w+\]$/.test(query));
const read = async (cluster: string) => costIn(world, ofEveryGpu(cluster, 'errors { pcieReplay }'));
const countOf = (cost: Cost, node: number, index: number): number =>
  gpusIn(cost)[(node - 1) * gpusPerNode + index].errors.pcieReplay;

test.each([
  ['still', 'stand still', 0],
  ['rising', 'went up without a fall', 3],
])('%s: counters that %s need their values at both edges alone', async (cluster, _how, count) => {
  const cost = await read(cluster);
  expect([cost.requests, cost.samples]).toEqual([4, 2 * gpus]);
  expect(countOf(cost, 3, 5)).toBe(count);
});

test.each([
  ['reset', 'fell', 2, 5, 2 * gpus + 1 + withBaseline],
  ['born', 'was born', 3, 6, 2 * gpus - 1 + 360 + withBaseline],
])(
  '%s: of one GPU whose counter %s the raw samples are read, and of no other',
  async (cluster, _how, count, requests, samples) => {
    const cost = await read(cluster);
    expect([cost.requests, cost.samples]).toEqual([requests, samples]);
    expect(rawOf(cost).every((query) => /Hostname=~"n3".*gpu=~"5"/.test(query))).toBe(true);
    expect(countOf(cost, 3, 5)).toBe(count);
  },
);

test('of two such GPUs of two nodes the raw samples are read, and of no other', async () => {
  const cost = await read('two-reset');
  expect(cost.samples - 2 * gpus - 2, 'raw samples').toBe(2 * withBaseline);
  expect([countOf(cost, 3, 5), countOf(cost, 6, 2)]).toEqual([2, 2]);
});
