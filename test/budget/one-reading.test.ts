import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn, gpusIn, ofEveryGpu } from '../support/cost.ts';
import { ago, HOUR } from '../support/fleet/clock.ts';
import { dcgm, type DcgmGpu, dcgmLabels } from '../support/fleet/dcgm.ts';
import { churned, except, type Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import {
  clusterOf,
  gpusPerNode,
  inSixHours,
  metricsNamed,
  sixHours,
  sizes,
  stillClusters,
  stillNodes,
} from '../support/still-fleet.ts';

const temperature = 'DCGM_FI_DEV_GPU_TEMP';
const readings = metricsNamed(/GPU_TEMP$/);
const points = 48;
/** A bucket's edge, so that no bucket holds samples of two lives. */
const change = ago(3 * HOUR);

const is =
  (gpu: DcgmGpu) =>
  ({ labels }: Series) =>
    labels['gpu'] === String(gpu.index) && labels['Hostname'] === gpu.node;
const odd = { node: 'n3', index: 5 };
const other = { node: 'n6', index: 2 };
/** Eight nodes of which some GPUs' series are others than the rest's. */
const eightBut = (...changes: readonly (readonly [gpu: DcgmGpu, series: readonly Series[]])[]): Series[] => [
  ...stillNodes(8, readings).filter((one) => !changes.some(([gpu]) => is(gpu)(one))),
  ...changes.flatMap(([, series]) => series),
];
const reborn = (gpu: DcgmGpu): Series[] =>
  churned(temperature, sixHours, 61, [
    [0, dcgmLabels(gpu)],
    [change, dcgmLabels({ ...gpu, driver: '570.86.10' })],
  ]);
const twice = (gpu: DcgmGpu): Series[] =>
  ['a', 'b'].flatMap((replica) => dcgm({ ...gpu, extra: { replica } }, sixHours, { [temperature]: 61 }));
const blanked = (gpu: DcgmGpu): Series[] =>
  dcgm(gpu, sixHours, { [temperature]: except(61, 2_147_483_632, [ago(HOUR), ago(HOUR) + 30]) });

/** Half of the nodes print the name of another naming era. */
const twoNames = stillNodes(8, readings).map((one): Series => {
  const isNew = Number(one.labels['Hostname']!.slice(1)) > 4;
  return isNew ? { ...one, labels: { ...one.labels, __name__: `${temperature}_CELSIUS` } } : one;
});

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...stillClusters(readings),
    { name: 'two-names', series: twoNames },
    { name: 'churned', series: eightBut([odd, reborn(odd)]) },
    { name: 'duplicated', series: eightBut([odd, twice(odd)]) },
    { name: 'spiked', series: eightBut([odd, blanked(odd)]) },
    { name: 'two-odd', series: eightBut([odd, reborn(odd)], [other, reborn(other)]) },
  ]);
});
afterAll(() => world?.close());

const valuesOf = async (cluster: string, range = 'LAST_6H') =>
  costIn(world, ofEveryGpu(cluster, 'tempC { values }', range));

describe.each(sizes)('values of one reading for all GPUs of %i nodes', (nodes) => {
  test.each([
    ['LAST_1H', 'the list of nodes and the samples', 2, 120],
    ['LAST_6H', 'the list, the buckets and the guard', 3, points],
    ['LAST_24H', 'the list, the buckets and the guard', 3, 13],
  ])('over %s cost %s', async (range, _what, requests, samples) => {
    const cost = await valuesOf(clusterOf(nodes), range);
    expect([cost.requests, cost.lists]).toEqual([requests, 1]);
    expect(cost.samples, 'samples').toBe(nodes * gpusPerNode * samples);
    expect(gpusIn(cost)).toHaveLength(nodes * gpusPerNode);
  });
});

test('a second name in use costs its own request and guard, and no more', async () => {
  const cost = await valuesOf('two-names');
  expect([cost.requests, cost.samples]).toEqual([5, 64 * points]);
  expect(gpusIn(cost).every(({ tempC }) => tempC.values[0] === tempC.values[47] && tempC.values[0] > 0)).toBe(true);
});

test.each([
  ['churned', 'labels changed', 64 * points + inSixHours],
  ['duplicated', 'samples come from two replicas', 65 * points + 2 * inSixHours],
  ['spiked', 'samples hold a blank, which the guard names', 64 * points + 1 + inSixHours],
])('%s: one GPU whose %s costs one more request, of just its samples', async (cluster, _why, samples) => {
  const cost = await valuesOf(cluster);
  expect([cost.requests, cost.samples]).toEqual([4, samples]);
  expect(cost.asked.at(-1)).toMatch(/Hostname=~"n3".*gpu=~"5"/);
  const read = gpusIn(cost)[2 * gpusPerNode + 5];
  expect(read.tempC.values).toEqual(Array.from({ length: points }, () => 61));
});

test('two such GPUs of two nodes are read again together, and no other GPU with them', async () => {
  const cost = await valuesOf('two-odd');
  expect(cost.samples - 64 * points, 'samples of the second reading').toBe(2 * inSixHours);
  expect(cost.requests).toBeLessThanOrEqual(5);
});
