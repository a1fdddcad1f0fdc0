import { afterAll, beforeAll, expect, test } from 'vitest';

import { costIn, costOf, gpusIn, ofEveryGpu } from '../support/cost.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { everyMetric, gpusPerNode, inSixHours, stillNodes } from '../support/still-fleet.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'aurora', series: stillNodes(2, everyMetric) }]);
});
afterAll(() => world?.close());

const gpus = 2 * gpusPerNode;
const cost = async (gpu: string, range?: string) => costIn(world, ofEveryGpu('aurora', gpu, range));
const fresh = async (document: string, variables?: object) => costIn(world, document, variables);

test('mean alone asks for no buckets, and for fewer samples than values', async () => {
  const [mean, values] = [await cost('tempC { mean }'), await cost('tempC { values }')];
  expect(mean.questions.map(({ kind }) => kind).filter((kind) => kind === 'range')).toEqual([]);
  expect(values.questions.map(({ kind }) => kind).filter((kind) => kind === 'range')).toHaveLength(1);
  expect(mean.samples).toBe(gpus);
  expect(values.samples).toBe(48 * gpus);
});

test.each([
  ['mean', 1],
  ['min', 1],
  ['max', 1],
  ['last', 10],
  ['lastAt', 10],
  ['t0 stepS', 10],
])('%s costs %i samples a GPU', async (part, samples) => {
  expect((await cost(`powerW { ${part} }`, 'LAST_24H')).samples).toBe(samples * gpus);
});

test('only metrics of what is selected are asked for', async () => {
  const { asked, data } = await cost('powerW { mean }');
  const metrics = asked.slice(1).map((query) => /DCGM\w+/.exec(query)?.[0]);
  expect([...new Set(metrics)]).toEqual(['DCGM_FI_DEV_POWER_USAGE']);
  expect(data.cluster.nodes.nodes[0].gpus[0].powerW.mean).toBe(everyMetric['DCGM_FI_DEV_POWER_USAGE']);
});

test.each([
  ['one GPU', 'node(name: "n1") { gpu(index: 3) { tempC { max values } } }', inSixHours],
  ['two by index', 'node(name: "n1") { gpus(indexes: [3, 5]) { tempC { max values } } }', 2 * inSixHours],
  ['one node', 'node(name: "n1") { gpus { tempC { max values } } }', gpusPerNode * inSixHours],
  ['a node by name', 'nodes(names: ["n2"]) { nodes { gpus { tempC { max values } } } }', gpusPerNode * inSixHours],
  ['a page of one', 'nodes(first: 1) { nodes { gpus { tempC { max values } } } }', gpusPerNode * inSixHours],
  ['a cluster', 'nodes { nodes { gpus { tempC { max values } } } }', gpus * inSixHours],
])('%s sends its own samples and no others', async (_which, selection, samples) => {
  const read = await fresh(`{ cluster(name: "aurora") { ${selection} } }`);
  expect([read.requests, read.samples]).toEqual([2, samples]);
});

test.each([
  ['two aliases', 'a: tempC { values mean } b: tempC { values mean }'],
  ['aliases with different parts', 'a: tempC { values } b: tempC { mean } c: tempC { values mean }'],
  ['a fragment', '...Heat ...Heat tempC { values } ... on Gpu { tempC { mean } }'],
  ['@include', 'tempC { values mean @include(if: true) min @include(if: false) } powerW @skip(if: true) { mean }'],
])('the same reading by %s costs one', async (_how, gpu) => {
  const heat = 'fragment Heat on Gpu { tempC { values mean } }';
  const document = `${ofEveryGpu('aurora', gpu, 'LAST_24H')} ${gpu.includes('Heat') ? heat : ''}`;
  const [plain, read] = [await cost('tempC { values mean }', 'LAST_24H'), await fresh(document)];
  expect([read.requests, read.samples]).toEqual([plain.requests, plain.samples]);
  expect(plain.requests).toBe(4);
  expect(read.asked.slice(1).filter((query) => query.includes('POWER'))).toEqual([]);
});

test('a variable that leaves a field out leaves its request out', async () => {
  const document = `query ($power: Boolean!) {
    cluster(name: "aurora") { nodes { nodes { gpus { tempC { mean } powerW @include(if: $power) { mean } } } } }
  }`;
  expect((await fresh(document, { power: false })).requests).toBe(3);
  expect((await fresh(document, { power: true })).requests).toBe(5);
});

test('peakTempC beside tempC.max costs one', async () => {
  const read = await cost('peakTempC tempC { max }', 'LAST_24H');
  expect(read.asked.filter((query) => query.includes('max_over_time') && !query.includes(' or '))).toHaveLength(1);
  expect(gpusIn(read).every(({ peakTempC, tempC }) => peakTempC === tempC.max)).toBe(true);
});

test.each([
  ['a cluster', '{ cluster(name: "aurora") { name gpuVendor island gpuModel window { start end stepS points } } }'],
  ['all clusters', '{ clusters { name gpuVendor island window { end } } }'],
  ['an organization', '{ organization { name clusters { name gpuVendor island window { end } } } }'],
])('what is known of %s without its store costs no request at all', async (_what, document) => {
  const gateway = await world.gateway();
  await costOf(gateway, document);
  expect(gateway.requests()).toEqual([]);
});
