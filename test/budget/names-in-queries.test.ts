import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn, costOf } from '../support/cost.ts';
import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { amd } from '../support/fleet/amd.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { machineGauge } from '../support/fleet/node-exporter.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes({ from: ago(HOUR) });
/** A name, and others that a dot, a plus or a bracket in a pattern would match as well. */
const lookalikes = ['gpu.01.lab', 'gpu-01-lab', 'gpu.01xlab', 'gpuX01.lab'];
const hot = (node: string, tempC: number) => [
  ...dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: tempC }),
  machineGauge({ address: node }, 'node_load1', times, 1),
];

// What makes a label's value awkward inside quotes, and inside a pattern.
const awkward = ['a"b', 'c\\d', 'e"} or vector(1)#', 'f.g', 'h|i', 'j\nk'];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'dotted', series: lookalikes.flatMap((node, at) => hot(node, 50 + at)) },
    {
      name: 'dotted-amd',
      vendor: 'amd',
      series: lookalikes.flatMap((node, at) => amd({ node }, times, { gpu_junction_temperature: 50 + at })),
    },
    { name: 'pro.d-1', series: hot('n1', 71) },
    { name: 'proxd-1', series: hot('n1', 72) },
    ...awkward.map((site, at) => ({ name: `awkward-${at}`, match: { site }, series: hot('n1', 80 + at) })),
  ]);
});
afterAll(() => world?.close());

const about = (cluster: string, selection: string) =>
  costIn(world, `{ cluster(name: "${cluster}", window: { range: LAST_1H }) { ${selection} } }`);

describe.each(['dotted', 'dotted-amd'])('a node of %s whose name has dots', (cluster) => {
  test.each(lookalikes.map((node, at) => [node, 50 + at] as const))('%s is read alone', async (node, tempC) => {
    const cost = await about(cluster, `node(name: "${node}") { gpus { tempC { max } } }`);
    expect(cost.data.cluster.node.gpus).toEqual([{ tempC: { max: tempC } }]);
    expect(cost.samples, 'one figure, and the guard names nobody').toBe(1);
    const literal = node.replaceAll('.', '\\\\.');
    expect(cost.asked.at(-1)).toContain(`ostname=~"${literal}"`);
  });
});

test('a host whose name has dots is read alone, by the address that its exporter shows', async () => {
  const cost = await about('dotted', 'node(name: "gpu.01.lab") { host { loadPerCore { max } } }');
  const loads = cost.asked.filter((query) => query.startsWith('node_load1'));
  expect(loads).toEqual([expect.stringContaining('instance=~"gpu\\\\.01\\\\.lab:9100"')]);
});

const told: [cluster: string, tempC: number][] = [
  ['pro.d-1', 71],
  ['proxd-1', 72],
  ...awkward.map((_, at): [string, number] => [`awkward-${at}`, 80 + at]),
];
test.each(told)('cluster %s reads its own series, however its label must be written', async (cluster, tempC) => {
  const { data } = await about(cluster, 'nodes { nodes { name gpus { tempC { min max } } } }');
  expect(data.cluster.nodes.nodes).toEqual([{ name: 'n1', gpus: [{ tempC: { min: tempC, max: tempC } }] }]);
});

test.each(['n1"} or up{a="', 'n1\\', 'n1\n', '.*', 'n1|n2', '', 'n'.repeat(122)])(
  'a node name that can be none (%j) is refused, and the store not asked',
  async (node) => {
    const gateway = await world.gateway();
    const document = 'query ($node: String!) { cluster(name: "pro.d-1") { node(name: $node) { name } } }';
    const { errors } = await gateway.query(document, { node });
    expect(errors?.[0]).toMatchObject({ path: ['cluster', 'node'], extensions: { code: 'BAD_REQUEST', status: 422 } });
    expect(gateway.requests()).toEqual([]);
  },
);

test('names that are not there, among those of a list, ask the store nothing of their own', async () => {
  const cost = await about(
    'pro.d-1',
    'nodes(names: ["n1", "n2", "m.*"]) { nodes { name gpus { tempC { max } } } }',
  ).catch((error: Error) => error.message);
  expect(cost).toContain('BAD_REQUEST');
  const found = await about('pro.d-1', 'nodes(names: ["n1", "n2"]) { nodes { name gpus { tempC { max } } } }');
  expect([found.requests, found.samples, found.data.cluster.nodes.nodes.length]).toEqual([3, 1, 1]);
});

test('two gateways ask the same in the same words', async () => {
  const document = '{ cluster(name: "dotted") { nodes { nodes { gpus { tempC { values } } } } } }';
  const [first, second] = [
    await costOf(await world.gateway(), document),
    await costOf(await world.gateway(), document),
  ];
  expect(second.asked).toEqual(first.asked);
});
