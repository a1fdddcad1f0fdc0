import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, DAY, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, H100 } from '../support/fleet/dcgm.ts';
import { askCluster, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series } from '../support/fleet/series.ts';
import { inside, percentile, samplesOf, valuesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { drifting } from '../support/fleet/wobble.ts';

const times = scrapes({ from: ago(25 * HOUR) });
const A100 = 'NVIDIA A100-SXM4-80GB';
const temp = 'DCGM_FI_DEV_GPU_TEMP';

/**
 * GPUs of a model whose temperatures spread around a middle, GPU by GPU warmer.
 * In fractions of a degree: between whole ones a percentile has no half degree to be off by.
 */
const gpus = (node: string, model: string, middle: number, count: number): Series[] =>
  Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    dcgm({ node, index, model }, times, { [temp]: drifting(`${node}/${index}`, middle + index, 9) }),
  );

const own = gpus('n1', H100, 58, 3);
const ownElsewhere = gpus('e1', H100, 66, 2);
const lent = gpus('p1', H100, 72, 2);
const lentA100 = gpus('p2', A100, 88, 1);
const ownA100 = gpus('a1', A100, 90, 1);
const theirs = gpus('t1', H100, 95, 4);
const blanks = dcgm({ node: 'b1', model: 'NVIDIA H200' }, times, {
  [temp]: except(60, 2_147_483_632, [ago(50 * 60), ago(30 * 60)]),
});
/** One hot GPU that nine pods share, among cool ones: one in 21 is below the 95th percentile. */
const A30 = 'NVIDIA A30';
const crowded: Series[] = [
  ...Array.from({ length: 20 }, (_, at) => at).flatMap((at) =>
    dcgm({ node: `c${at}`, model: A30 }, scrapes(), { [temp]: drifting(`cool ${at}`, 50, 2) }),
  ),
  ...Array.from({ length: 9 }, (_, at) => at).flatMap((at) =>
    dcgm({ node: 'hot', model: A30, pod: `p${at}`, extra: { vgpu: String(at) } }, scrapes(), { [temp]: 90 }),
  ),
];
const red = amd({ node: 'm1' }, times, { gpu_junction_temperature: drifting('m1', 66, 7) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'own', model: null, series: own },
    { name: 'own-east', model: null, series: ownElsewhere },
    { name: 'own-a100', model: null, series: ownA100 },
    { name: 'pool-north', model: null, owner: 'pool', series: [...lent, ...lentA100] },
    { name: 'theirs', model: null, owner: 'others', series: theirs },
    { name: 'crowded', model: null, series: crowded },
    { name: 'blanks', model: null, series: blanks },
    {
      name: 'cold',
      series: dcgm({ node: 'c1', model: 'NVIDIA L4' }, times, { DCGM_FI_DEV_POWER_USAGE: 40 }),
      model: null,
    },
    { name: 'red', vendor: 'amd', model: null, series: red },
  ]);
});
afterAll(() => world?.close());

const reference = 'gpuModel reference { gpuModel tempP95C note }';
const pooled = (all: readonly Series[], metric: string, start: number, end: number): number =>
  percentile(valuesOf(inside(samplesOf(all, metric), start, end)), 0.95);
/** Series by series: two GPUs may read the same at the same instant, and both count. */
const pooledEach = (all: readonly Series[], metric: string, start: number, end: number): number =>
  percentile(
    all.flatMap((one) => valuesOf(inside(samplesOf([one], metric), start, end))),
    0.95,
  );

const windows: [string, WindowInput, number, number][] = [
  ['an hour', lastHour, ago(HOUR), NOW],
  ['six hours', { range: 'LAST_6H' }, ago(6 * HOUR), NOW],
  ['a day', { range: 'LAST_24H' }, ago(DAY), NOW],
  ['twenty minutes that end at no round instant', span(ago(5000), ago(3813)), ago(5000), ago(3813)],
];

describe.each(windows)('over %s', (_name, window, start, end) => {
  test.each([
    ['own', 'H100', 'ours of all clusters and the pool’s', [...own, ...ownElsewhere, ...lent], temp],
    ['own-east', 'H100', 'the same from either cluster', [...own, ...ownElsewhere, ...lent], temp],
    ['own-a100', 'A100', 'of its own model only', [...ownA100, ...lentA100], temp],
    ['red', 'MI355X', 'ours alone where the pool lends none', red, 'amd_gpu_junction_temperature'],
  ])('p95 of %s (%s) is %s', async (cluster, model, _pooled, all, metric) => {
    const got = await askCluster(await world.gateway(), cluster, reference, window);
    expect(got).toMatchObject({ gpuModel: model, reference: { gpuModel: model } });
    const exact = pooledEach(all, metric, start, end);
    expect(
      Math.abs(got.reference.tempP95C - exact),
      `expected ${exact}, got ${got.reference.tempP95C}`,
    ).toBeLessThanOrEqual(0.5);
  });
});

test('a blank is no temperature in the pool', async () => {
  const got = await askCluster(await world.gateway({ models: { 'NVIDIA H200.*': 'H200' } }), 'blanks', reference);
  expect(got.reference).toMatchObject({ gpuModel: 'H200', tempP95C: 60 });
});

test('a GPU that many pods share counts once in the pool', async () => {
  const { reference: got } = await askCluster(
    await world.gateway({ models: { 'NVIDIA A30': 'A30' } }),
    'crowded',
    reference,
  );
  const once = [...crowded.filter(({ labels }) => labels['vgpu'] === undefined), crowded.at(-1)!];
  const exact = pooledEach(once, temp, ago(HOUR), NOW);
  expect(exact).toBeLessThan(60);
  expect(Math.abs(got.tempP95C - exact), `expected ${exact}, got ${got.tempP95C}`).toBeLessThanOrEqual(0.5);
});

test('a pool without a temperature is no reference', async () => {
  expect((await askCluster(await world.gateway(), 'cold', reference)).reference).toBeNull();
});

test('no name of the pool or of others is in the answer', async () => {
  const document = `{ cluster(name: "own", window: { range: LAST_1H }) { ${reference} note nodes { nodes { name } } } }`;
  const { data } = await (await world.gateway()).query(document);
  expect(JSON.stringify(data)).not.toMatch(/pool-north|theirs|"p1|"p2|"t1/);
});

test.each(['pool-north', 'theirs'])('%s is not to be found by its name', async (cluster) => {
  const { errors, data } = await (await world.gateway()).query(`{ cluster(name: "${cluster}") { gpuModel } }`);
  expect(errors).toMatchObject([{ path: ['cluster'], extensions: { code: 'NOT_FOUND', status: 404 } }]);
  expect(data?.cluster ?? null).toBeNull();
});

test('neither of them is among the clusters', async () => {
  const { data } = await (await world.gateway()).query('{ clusters(window: { range: LAST_1H }) { name } }');
  const names = data.clusters.map(({ name }: { name: string }) => name).sort();
  expect(names).toEqual(['blanks', 'cold', 'crowded', 'own', 'own-a100', 'own-east', 'red']);
});

test('these pools tell ours from theirs', () => {
  const ours = pooled([...own, ...ownElsewhere, ...lent], temp, ago(HOUR), NOW);
  expect(pooled([...own, ...ownElsewhere, ...lent, ...theirs], temp, ago(HOUR), NOW)).toBeGreaterThan(ours + 2);
  expect(pooled([...own, ...ownElsewhere], temp, ago(HOUR), NOW)).toBeLessThan(ours - 1);
});
