import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn, costOf } from '../support/cost.ts';
import { ago, HOUR } from '../support/fleet/clock.ts';
import { machineGauge } from '../support/fleet/node-exporter.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import {
  clusterOf,
  everyMetric,
  metricsNamed,
  nodeNames,
  sixHours,
  sizes,
  stillAmd,
  stillNodes,
} from '../support/still-fleet.ts';

// Coverage is about presence: a sample here and there shows it as well as all of them.
const times = sixHours.filter((_, at) => at % 8 === 0);
const hosts = (nodes: number) =>
  nodeNames(nodes).map((node) => machineGauge({ address: node }, 'node_load1', times, 1));

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...sizes.map((nodes) => ({
      name: clusterOf(nodes),
      series: [...stillNodes(nodes, everyMetric, times), ...hosts(nodes)],
    })),
    { name: 'one-family', series: stillNodes(8, metricsNamed(/GPU_TEMP$/), times) },
    {
      name: 'gone-quiet',
      series: [
        ...stillNodes(8, metricsNamed(/GPU_TEMP$/), times),
        ...stillNodes(
          8,
          metricsNamed(/POWER_USAGE$/),
          times.filter((time) => time < ago(HOUR)),
        ),
      ],
    },
    { name: 'red', vendor: 'amd', series: stillAmd(8, times) },
  ]);
});
afterAll(() => world?.close());

const ask = async (cluster: string, selection: string, range = 'LAST_6H') =>
  costIn(world, document(cluster, selection, range));
const document = (cluster: string, selection: string, range: string): string =>
  `{ cluster(name: "${cluster}", window: { range: ${range} }) { ${selection} } }`;

const lists = 'coverage { present missing }';
const targets = [
  ['a cluster', lists],
  ['one node', `node(name: "n1") { ${lists} }`],
  ['every node', `nodes(first: 1000) { nodes { ${lists} } }`],
  ['the cluster and every node', `${lists} nodes(first: 1000) { nodes { ${lists} } }`],
] as const;
const ranges = ['LAST_1H', 'LAST_24H'];

describe.each([...sizes.map(clusterOf), 'one-family', 'gone-quiet', 'red'])('coverage in %s', (cluster) => {
  test('costs at most 4 requests of a gateway that was never asked before, names apart', async () => {
    const { asked, questions } = await costOf(await world.gateway(), document(cluster, targets[3][1], 'LAST_6H'));
    const apart = questions.filter(({ kind }) => kind !== 'labelValues');
    expect(apart.length, `asked:\n${asked.map((text) => text.slice(0, 60)).join('\n')}`).toBeLessThanOrEqual(4);
  });

  test.each(targets)('of %s costs the list and one look or two', async (_target, selection) => {
    for (const range of ranges) {
      const cost = await ask(cluster, selection, range);
      expect(cost.lists, `over ${range}`).toBe(1);
      expect([2, 3], `over ${range}`).toContain(cost.requests);
    }
  });
});

test('coverage costs the same for 1, 8 and 64 nodes', async () => {
  const costs = await Promise.all(sizes.map(async (nodes) => (await ask(clusterOf(nodes), targets[3][1])).requests));
  expect(new Set(costs).size).toBe(1);
});

test('coverage beside readings adds at most its own two requests', async () => {
  const readings = 'nodes { nodes { gpus { tempC { max } powerW { max } throttle { thermalS } } } }';
  const [without, beside] = [await ask('of-8', readings), await ask('of-8', `${lists} ${readings}`)];
  expect(beside.requests - without.requests).toBeLessThanOrEqual(2);
  expect(beside.requests).toBeGreaterThan(without.requests);
});

test('what is selected beside it changes nothing of what coverage says', async () => {
  const [alone, beside] = [await ask('of-8', lists), await ask('of-8', `${lists} nodes { nodes { gpus { index } } }`)];
  expect(beside.data.cluster.coverage).toEqual(alone.data.cluster.coverage);
  expect(alone.data.cluster.coverage.present).toEqual(expect.arrayContaining(['GPU_TEMP', 'ECC', 'HOST_CPU']));
});

test('a family that has gone quiet costs a second look, and is present', async () => {
  const [quiet, plain] = [await ask('gone-quiet', lists), await ask('one-family', lists)];
  expect([quiet.requests, plain.requests]).toEqual([3, 2]);
  expect(quiet.data.cluster.coverage.present).toContain('POWER');
});
