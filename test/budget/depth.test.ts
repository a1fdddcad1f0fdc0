import { afterAll, beforeAll, expect, test } from 'vitest';

import { costIn, costOf } from '../support/cost.ts';
import { ago, DAY, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { metricsNamed, stillNodes } from '../support/still-fleet.ts';

const metrics = metricsNamed(/GPU_TEMP|POWER_USAGE|PCIE_REPLAY/);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'aurora', series: stillNodes(3, metrics) },
    { name: 'borealis', series: stillNodes(2, metrics) },
    {
      name: 'with-a-past',
      series: [
        ...stillNodes(2, metrics),
        ...dcgm({ node: 'old' }, scrapes({ from: ago(5 * DAY), to: ago(4 * DAY) }), metrics),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const ask = async (selection: string, around = (inner: string) => `{ cluster(name: "aurora") { ${inner} } }`) =>
  costIn(world, around(selection));

const readings = 'gpus { tempC { values } powerW { mean } errors { pcieReplay } }';
const flat = `nodes { nodes { ${readings} } }`;
const below = (inner: string): string => `node(name: "n1") { gpus { node { cluster { ${inner} } } } }`;

test.each([
  ['two levels down', below(flat)],
  ['four levels down', below(below(flat))],
  ['at two depths at once', `${flat} ${below(flat)}`],
  [
    'at three depths, each with other parts',
    `${flat} ${below(`nodes { nodes { gpus { tempC { values } } } }`)} ${below(below(flat))}`,
  ],
  ['through edges and through nodes', `nodes { edges { node { ${readings} } } nodes { ${readings} } }`],
  ['on the way down and at the bottom', `node(name: "n1") { ${readings} gpus { node { cluster { ${flat} } } } }`],
])('the readings of all nodes cost no more %s', async (_where, selection) => {
  const [plain, deep] = [await ask(flat), await ask(selection)];
  expect([deep.requests, deep.samples]).toEqual([plain.requests, plain.samples]);
  // The list; values and mean, each with a guard; both edges of a counter, and its resets.
  expect(plain.requests).toBe(1 + 2 + 2 + 3);
});

test('one node here and all of them there cost one set of requests', async () => {
  const one = 'a: node(name: "n2") { gpus { tempC { values } } }';
  const deep = 'b: node(name: "n1") { gpus { node { cluster { nodes { nodes { gpus { tempC { values } } } } } } } }';
  const [plain, both] = [await ask('nodes { nodes { gpus { tempC { values } } } }'), await ask(`${one} ${deep}`)];
  expect([both.requests, both.samples]).toEqual([plain.requests, plain.samples]);
});

test('a cluster by all of its ways from the root costs what it costs by one', async () => {
  const ways = (inner: string): string =>
    `{ cluster(name: "aurora") { ${inner} } clusters { ${inner} } organization { clusters { ${inner} } } }`;
  const each = await Promise.all(
    ['aurora', 'borealis', 'with-a-past'].map((name) =>
      ask(flat, (inner) => `{ cluster(name: "${name}") { ${inner} } }`),
    ),
  );
  const all = await ask(flat, ways);
  expect(all.requests).toBe(each.reduce((sum, { requests }) => sum + requests, 0));
  expect(all.samples).toBe(each.reduce((sum, { samples }) => sum + samples, 0));
});

test('windows that are one and the same under different words cost one', async () => {
  const words = ['{ range: LAST_6H }', '{}', '{ start: "2026-06-01T06:00:00Z" }', '{ points: 48, range: LAST_6H }'];
  const aliased = words.map((window, at) => `w${at}: cluster(name: "aurora", window: ${window}) { ${flat} }`);
  const [plain, all] = [await ask(flat), await costIn(world, `{ ${aliased.join(' ')} }`)];
  expect([all.requests, all.samples]).toEqual([plain.requests, plain.samples]);
});

test('nodes that are not there are looked for in one more list, however many are named', async () => {
  const named = ['n7', 'n8', 'n9'].map((name) => `${name}: node(name: "${name}") { gpus { tempC { max } } }`);
  const gateway = await world.gateway();
  await costOf(gateway, '{ cluster(name: "aurora") { nodes { totalCount } } }');
  const before = gateway.requests().length;
  const { errors } = await gateway.query(`{ cluster(name: "aurora") { name ${named.join(' ')} } }`);
  expect(errors!.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  const asked = gateway.requests().slice(before);
  // The plain list of this window is kept.
  expect(asked.map(({ kind }) => kind)).toEqual(['series']);
});

test('a node that has long been gone is read together with the others, however late it is found', async () => {
  const all = 'nodes { nodes { gpus { tempC { values } } } }';
  const past = 'old: node(name: "old") { gpus { tempC { values } } }';
  const over = (inner: string): string => `{ cluster(name: "with-a-past") { ${inner} } }`;
  const [plain, both] = [await ask(all, over), await ask(`${all} ${past}`, over)];
  expect(both.lists, 'a longer list').toBe(2);
  expect(both.requests).toBe(plain.requests + 1);
  expect(both.data.cluster.old.gpus).toEqual([{ tempC: null }]);
});
