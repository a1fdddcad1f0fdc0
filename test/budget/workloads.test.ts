import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn } from '../support/cost.ts';
import { ago, HOUR } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { ownerSeries, podSeries } from '../support/fleet/pods.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { sixHours } from '../support/still-fleet.ts';

const sizes = [1, 8, 64] as const;
const recent = sixHours.slice(-60);
const first = recent[0]!;
const nodes = ['n1', 'n2', 'n3', 'n4'];

/** A Job, a JobSet and a Deployment of so many pods each. */
const workloads = (pods: number) =>
  Array.from({ length: pods }, (_, at) => at).flatMap((at) => {
    const on = { node: nodes[at % nodes.length]!, created: first, running: first, gpus: 1 };
    return [
      ...podSeries({ ...on, name: `train-${at}`, owner: ['Job', 'train'] }, recent),
      ...podSeries({ ...on, name: `set-w-${at}-0-abcde`, owner: ['Job', `set-w-${at}`] }, recent),
      ownerSeries('Job', `set-w-${at}`, ['JobSet', 'set'], recent),
      ...podSeries({ ...on, name: `serve-1-${at}`, owner: ['ReplicaSet', 'serve-1'] }, recent),
    ];
  });

/** A Job whose pods follow each other over six hours, each for a quarter of an hour. */
const churning = (pods: number) =>
  Array.from({ length: pods }, (_, at) => {
    const created = ago(6 * HOUR) + 60 + (at * 5.5 * HOUR) / pods;
    const life = { created, running: created + 30, ended: created + 900, deleted: created + 960 };
    const name = `churn-${'x'.repeat(30)}-${at}`;
    return podSeries({ name, node: 'n1', owner: ['Job', 'churn'], gpus: 1, ...life }, sixHours);
  }).flat();

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...sizes.map((pods) => ({ name: `churn-${pods}`, series: churning(pods) })),
    ...sizes.map((pods) => ({
      name: `of-${pods}`,
      series: [
        ...nodes.flatMap((node) => dcgm({ node }, recent, { DCGM_FI_DEV_GPU_TEMP: 60 })),
        ownerSeries('ReplicaSet', 'serve-1', ['Deployment', 'serve'], recent),
        ...workloads(pods),
      ],
    })),
  ]);
});
afterAll(() => world?.close());

const whole = '{ placementSource placement { pod node { name } from to phase } nodes { name } }';
const ask = (pods: number, selection: string, range = 'LAST_6H') =>
  costIn(world, `{ cluster(name: "of-${pods}", window: { range: ${range} }) { ${selection} } }`);

/** Besides the list of nodes: the controllers, where there are any between; the pods; when roughly, and when exactly. */
const pinned = [
  ['JOB', 'train', 3],
  ['JOB_SET', 'set', 4],
  ['DEPLOYMENT', 'serve', 4],
] as const;

describe.each(pinned)('%s', (kind, name, requests) => {
  test.each(sizes)(`costs ${requests} requests besides the list of nodes with %i pods`, async (pods) => {
    const { data, ...cost } = await ask(pods, `workload(kind: ${kind}, name: "${name}") ${whole}`);
    expect(cost.requests).toBe(1 + requests);
    expect(data.cluster.workload.placement).toHaveLength(pods);
    const longest = Math.max(...cost.asked.map((query) => query.length));
    expect(longest, 'pods are not listed by the dozen').toBeLessThan(8000);
  });
});

test('the store answers with the pieces and the edges of what each pod did, not with its samples', async () => {
  const cost = await ask(64, `workload(kind: JOB, name: "train") ${whole}`);
  // In 40 pieces at most: a phase, a node, a request for GPUs.
  expect(cost.samples).toBeLessThanOrEqual(64 * 3 * (40 + 4));
});

test('three workloads of one document are read together', async () => {
  const each = pinned.map(([kind, name], at) => `w${at}: workload(kind: ${kind}, name: "${name}") ${whole}`);
  const { requests, data } = await ask(64, each.join(' '));
  expect(requests).toBe(1 + 4);
  expect(['w0', 'w1', 'w2'].map((alias) => data.cluster[alias].placement.length)).toEqual([64, 64, 64]);
});

test.each(sizes)('a list costs two requests and the times of all of its page two more, with %i pods', async (pods) => {
  const names = await ask(pods, 'workloads { nodes { kind name } }');
  expect([names.requests, names.data.cluster.workloads.nodes.length]).toEqual([1 + 2, 3]);
  const placed = await ask(pods, `workloads { nodes ${whole} }`);
  expect(placed.requests).toBe(1 + 2 + 2);
});

test('the workloads of every node cost what those of one do, and their placement is read once', async () => {
  const one = await ask(64, 'node(name: "n1") { workloads { name } }');
  const all = await ask(64, 'nodes { nodes { workloads { name } } }');
  expect([one.requests, all.requests]).toEqual([1 + 2, 1 + 2]);
  const placed = await ask(64, `nodes { nodes { workloads ${whole} } } workloads { nodes ${whole} }`);
  expect(placed.requests).toBe(1 + 2 + 2);
});

test.each([
  ['LAST_1H', 1],
  ['LAST_24H', 1],
  ['LAST_7D', 7],
])('the pieces are asked for a day at a time, the edges at once: %s', async (range, days) => {
  for (const pods of sizes) {
    const { asked } = await ask(pods, `workload(kind: JOB, name: "train") ${whole}`, range);
    const count = (pattern: RegExp) => asked.filter((query) => pattern.test(query)).length;
    expect([count(/^max by .*max_over_time/), count(/timestamp\(/)]).toEqual([days, 1]);
  }
});

test('pods that come and go all the time cost no more requests than the window has pieces', async () => {
  const churn = '(window: { range: LAST_6H }) { workload(kind: JOB, name: "churn") { placement { from to } } }';
  const of = (pods: number) => costIn(world, `{ cluster${churn.replace('(', `(name: "churn-${pods}", `)} }`);
  const [few, many] = [await of(8), await of(64)];
  expect([few, many].map(({ data }) => data.cluster.workload.placement.length)).toEqual([8, 64]);
  expect(many.requests).toBeLessThanOrEqual(1 + 2 + 40);
  expect(Math.max(...many.asked.map((query) => query.length))).toBeLessThan(16_384);
});

test('readings below a workload are read for all its nodes at once', async () => {
  const { asked } = await ask(8, 'workload(kind: JOB, name: "train") { nodes { gpus { tempC { max } } } }');
  expect(asked.filter((query) => query.startsWith('max_over_time(DCGM_FI_DEV_GPU_TEMP'))).toHaveLength(1);
});
