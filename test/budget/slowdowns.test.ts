import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Cost, costIn } from '../support/cost.ts';
import { ago, HOUR } from '../support/fleet/clock.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { runSeries } from '../support/run-samples.ts';
import { calm, hotNode, job, pods, training } from '../support/slow-runs.ts';

/** A job on so many nodes with a run of so many slow stretches, and as many runs beside it. */
const site = (name: string, nodes: number, stretches = 1, runs = 1, hot = 0) => {
  const all = Array.from({ length: nodes }, (_, i) => `${name}-${i}`);
  const slow = Array.from({ length: stretches }, (_, i): [number, number] => [5 + 8 * i, 10 + 8 * i]);
  return {
    name,
    series: [
      ...all.flatMap((node, i) => (i < hot ? hotNode(node) : calm(node))),
      ...pods('train', all),
      ...Array.from({ length: runs }, (_, i) => runSeries(`run-${i}`, training(slow), job('train'))).flat(),
    ],
  };
};

let world: World;
beforeAll(async () => {
  world = await startWorld([
    site('of-1', 1),
    site('of-6', 6),
    site('often', 1, 6),
    site('many', 1, 1, 5),
    site('hot', 2, 6, 1, 1),
    {
      name: 'apart',
      series: ['a', 'b', 'c'].flatMap((name) => [
        ...calm(`apart-${name}`),
        ...pods(name, [`apart-${name}`]),
        ...runSeries(name, training([[20, 35]]), job(name)),
      ]),
    },
  ]);
});
afterAll(() => world?.close());

const ask = (cluster: string, selection: string): Promise<Cost> =>
  costIn(world, `{ cluster(name: "${cluster}", window: { range: LAST_1H }) { ${selection} } }`);
const run = (selection: string, name = 'run-0') => `run(name: "${name}") { ${selection} }`;
const numbers = 'from to minutes clipped { start end } steps medianS meanS worstS ratio pauses { kind }';
const evidence =
  'flags { kind node { name } gpu { index } } cleanNodes { name } unsureNodes { name } checked families summary note';
const slowdowns = `slowdowns { ${numbers} ${evidence} }`;
const asked = ({ asked: all }: Cost): string => all.map((text) => text.slice(0, 160)).join('\n');

test('the numbers of a stretch cost the steps and what is told of pauses: whether there is such a run, and each once', async () => {
  const cost = await ask('of-1', run(`slowdowns { ${numbers} }`));
  expect(cost.data.cluster.run.slowdowns).toHaveLength(1);
  // There is such a run; its steps counted, and read; nothing to read of evaluations, checkpoints and annotations.
  expect(cost.requests, `asked:\n${asked(cost)}`).toBe(1 + 2 + 3);
});

test('they cost nothing more beside the series of step times and the pauses', async () => {
  const [plain, beside] = [
    await ask('of-1', run(`slowdowns { ${numbers} }`)),
    await ask('of-1', run(`stepSeconds { values mean } pauses { kind } annotations { at } slowdowns { ${numbers} }`)),
  ];
  expect([beside.asked.toSorted(), beside.samples]).toEqual([plain.asked.toSorted(), plain.samples]);
});

test('with what was seen of its nodes a stretch costs what the flags of its workload do', async () => {
  const own = 'workload { flags { clean } } stepSeconds { mean } pauses { kind } annotations { at }';
  const [both, apart] = [await ask('of-1', run(slowdowns)), await ask('of-1', run(own))];
  expect(both.data.cluster.run.slowdowns).toMatchObject([{ flags: [], cleanNodes: [{ name: 'of-1-0' }] }]);
  expect(both.asked.toSorted()).toEqual(apart.asked.toSorted());
  // Those of its steps; its events, whose count is known; its pods, the list of nodes, and the flags of a healthy cluster.
  expect(both.requests, `asked:\n${asked(both)}`).toBe(6 + 1 + 34);
  expect(both.samples).toBe(apart.samples);
});

describe('it costs as many requests', () => {
  test('of six nodes as of one', async () => {
    const [one, six] = [await ask('of-1', run(slowdowns)), await ask('of-6', run(slowdowns))];
    expect(six.data.cluster.run.slowdowns[0].cleanNodes).toHaveLength(6);
    expect(six.requests, `asked:\n${asked(six)}`).toBe(one.requests);
  });

  test('for six stretches as for one', async () => {
    const [one, six] = [await ask('of-1', run(slowdowns)), await ask('often', run(slowdowns))];
    expect(six.data.cluster.run.slowdowns).toHaveLength(6);
    expect(six.requests, `asked:\n${asked(six)}`).toBe(one.requests);
  });

  test('for five runs as for one', async () => {
    const each = `runs { nodes { name ${slowdowns} } }`;
    const [one, five] = [await ask('of-1', each), await ask('many', each)];
    expect(five.data.cluster.runs.nodes.map((own: { slowdowns: object[] }) => own.slowdowns.length)).toEqual(
      Array(5).fill(1),
    );
    expect(five.requests, `asked:\n${asked(five)}`).toBe(one.requests);
  });

  test('for three runs on nodes of their own as for one', async () => {
    const each = `runs { nodes { name ${slowdowns} } }`;
    const [one, three] = [await ask('of-1', each), await ask('apart', each)];
    const clean = three.data.cluster.runs.nodes.map((own: Cost['data']) => own.slowdowns[0].cleanNodes);
    expect(clean).toEqual(['a', 'b', 'c'].map((name) => [{ name: `apart-${name}` }]));
    expect(three.requests, `asked:\n${asked(three)}`).toBe(one.requests);
  });
});

test('beside flags and stretches with the same flags a report of the workload costs nothing more', async () => {
  const [alone, beside] = [
    await ask('hot', run(`${slowdowns} workload { name }`)),
    await ask('hot', run(`${slowdowns} workload { flags { flags { kind } } }`)),
  ];
  const [first, ...others] = alone.data.cluster.run.slowdowns;
  expect(first.flags).toEqual([]);
  expect(others.some(({ flags }: { flags: object[] }) => flags.length === 1)).toBe(true);
  expect(beside.asked.toSorted()).toEqual(alone.asked.toSorted());
});

test('a run that was never slow costs no look at its nodes', async () => {
  const cost = await ask('of-1', run(`slowdowns(factor: 3) { ${numbers} ${evidence} }`));
  expect(cost.data.cluster.run.slowdowns).toEqual([]);
  expect(cost.requests, `asked:\n${asked(cost)}`).toBe(1 + 2 + 3);
});

test('a window in which it reported nothing costs no look at anything', async () => {
  const gateway = await world.gateway();
  const window = `window: { start: "${new Date((ago(HOUR) - 4 * HOUR) * 1000).toISOString()}", end: "${new Date(ago(4 * HOUR) * 1000).toISOString()}" }`;
  const { data, errors } = await gateway.query(`{ cluster(name: "of-1", ${window}) { ${run(slowdowns)} } }`);
  expect([data.cluster.run.slowdowns, errors]).toEqual([null, undefined]);
  expect(
    gateway
      .requests()
      .filter(({ kind, ...question }) => kind !== 'series' && JSON.stringify(question).includes('DCGM')),
  ).toEqual([]);
});
