import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn, gpusIn, ofEveryGpu } from '../support/cost.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { clusterOf, everyMetric, gpusPerNode, sizes, stillClusters } from '../support/still-fleet.ts';

const series = [
  'tempC',
  'memoryTempC',
  'smClockMhz',
  'memClockMhz',
  'utilPct',
  'smActivePct',
  'dramActivePct',
  'tensorActivePct',
  'powerW',
  'hbmUsedGib',
];
const everything = '{ values mean min max last lastAt }';
const everyField = series.map((field) => `${field} ${everything}`).join(' ');

let world: World;
beforeAll(async () => {
  world = await startWorld(stillClusters(everyMetric));
});
afterAll(() => world?.close());

/** Requests of a document with every field: one for the list, and for each field its samples, or one a part. */
const pinned = [
  ['LAST_1H', 1 + 10],
  ['LAST_6H', 1 + 10],
  ['LAST_24H', 1 + 10 * 5],
] as const;

describe.each(pinned)('every series field with all its parts over %s', (range, requests) => {
  test.each(sizes)(`costs ${requests} requests for all GPUs of %i nodes`, async (nodes) => {
    const cost = await costIn(world, ofEveryGpu(clusterOf(nodes), everyField, range));
    expect([cost.requests, cost.lists]).toEqual([requests, 1]);
    expect(gpusIn(cost)).toHaveLength(nodes * gpusPerNode);
    expect(gpusIn(cost).every((gpu) => series.every((field) => gpu[field]?.last > 0))).toBe(true);
  });
});

test.each(series)('%s costs the same alone as among the others', async (field) => {
  for (const [range, requests] of pinned) {
    const cost = await costIn(world, ofEveryGpu('of-1', `${field} ${everything}`, range));
    expect(cost.requests, `over ${range}`).toBe(1 + (requests - 1) / series.length);
  }
});

test('two windows of one cluster in a document cost what they cost apart', async () => {
  const nodes = `nodes(first: 1000) { nodes { gpus { ${everyField} } } }`;
  const over = (range: string) => `cluster(name: "of-8", window: { range: ${range} }) { ${nodes} }`;
  const apart = [];
  for (const range of ['LAST_6H', 'LAST_24H']) {
    apart.push(await costIn(world, `{ ${over(range)} }`));
  }
  const both = await costIn(world, `{ now: ${over('LAST_6H')} day: ${over('LAST_24H')} }`);
  expect(both.requests).toBe(apart[0]!.requests + apart[1]!.requests);
  expect(both.samples).toBe(apart[0]!.samples + apart[1]!.samples);
});

test('one window under two aliases costs no more than once', async () => {
  const one = `cluster(name: "of-8", window: { range: LAST_6H }) { nodes { nodes { gpus { ${everyField} } } } }`;
  const once = await costIn(world, `{ ${one} }`);
  const twice = await costIn(world, `{ a: ${one} b: ${one} }`);
  expect([twice.requests, twice.samples]).toEqual([once.requests, once.samples]);
});

test('what labels tell of a GPU costs only the list that the nodes came from', async () => {
  const cost = await costIn(world, ofEveryGpu('of-64', 'index uuid model sharing node { name gpuCount }'));
  expect([cost.requests, cost.lists, cost.samples]).toEqual([1, 1, 0]);
  expect(gpusIn(cost)[9]).toEqual({
    index: 1,
    uuid: 'GPU-n2-1',
    model: 'H100',
    sharing: 'EXCLUSIVE',
    node: { name: 'n2', gpuCount: gpusPerNode },
  });
});
