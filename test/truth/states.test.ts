import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, H100 } from '../support/fleet/dcgm.ts';
import { nodeInfo, nodeProblem, nodeReady } from '../support/fleet/kube-state-metrics.ts';
import { askCluster, askNode, lastHour, span } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes({ from: ago(4 * HOUR) });
type Status = 'true' | 'false' | 'unknown';
const half = ago(30 * MINUTE);
const turned =
  (before: Status, after: Status) =>
  (time: number): Status =>
    time > half ? after : before;

const cases: [behaviour: string, status: (time: number) => Status, window: readonly [number, number], state: string][] =
  [
    ['ready', () => 'true', [ago(HOUR), NOW], 'READY'],
    ['not ready', () => 'false', [ago(HOUR), NOW], 'NOT_READY'],
    ['unknown', () => 'unknown', [ago(HOUR), NOW], 'UNKNOWN'],
    ['that became ready', turned('false', 'true'), [ago(HOUR), NOW], 'READY'],
    ['that ceased to be', turned('true', 'false'), [ago(HOUR), NOW], 'NOT_READY'],
    ['that was lost', turned('true', 'unknown'), [ago(HOUR), NOW], 'UNKNOWN'],
    // contract is silent: at which instant; the end of the window, as for every other reading.
    ['that ceased to be after the window', turned('true', 'false'), [ago(2 * HOUR), ago(HOUR)], 'READY'],
  ];
const nodeOf = (at: number): string => `state-${at}`;

let world: World;
beforeAll(async () => {
  const temps = (node: string, index = 0, model = H100) =>
    dcgm({ node, index, model }, times, { DCGM_FI_DEV_GPU_TEMP: 60 });
  world = await startWorld([
    {
      name: 'states',
      series: [
        ...cases.flatMap(([, status], at) => [...nodeReady(nodeOf(at), times, status), ...temps(nodeOf(at))]),
        ...nodeReady('troubled', times, () => 'true'),
        ...nodeProblem('troubled', times),
        ...temps('troubled'),
        ...temps('nobody-says'),
      ],
    },
    {
      name: 'counted',
      model: null,
      series: [
        ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((index) => temps('n8', index)),
        ...temps('n1'),
        nodeInfo('n0', '10.7.0.1', times), // a node without a GPU
      ],
    },
    {
      name: 'red',
      vendor: 'amd',
      model: null,
      series: [0, 1].flatMap((id) => amd({ node: 'm1', id }, times, { gpu_junction_temperature: 60 })),
    },
    { name: 'named', model: 'H100-SXM', series: temps('n1') },
    { name: 'unmapped', model: null, series: temps('n1', 0, 'NVIDIA B300') },
  ]);
});
afterAll(() => world?.close());

describe('state', () => {
  test.each(cases.map(([behaviour, , window, state], at) => [behaviour, nodeOf(at), window, state] as const))(
    'of a node %s',
    async (_behaviour, node, [start, end], state) => {
      expect((await askNode(await world.gateway(), 'states', node, 'state', span(start, end))).state).toBe(state);
    },
  );

  test('of a ready node is not touched by its other conditions', async () => {
    expect((await askNode(await world.gateway(), 'states', 'troubled', 'state')).state).toBe('READY');
  });

  test('that nobody tells is not READY', async () => {
    // contract is silent: null, nothing was read, or UNKNOWN.
    const { state } = await askNode(await world.gateway(), 'states', 'nobody-says', 'state');
    expect([null, 'UNKNOWN']).toContain(state);
  });
});

describe('a cluster’s facts', () => {
  test('gpuCount is that of the boards', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'counted', 'nodes { nodes { name gpuCount } }');
    // contract is silent: whether a node that nobody gives a GPU has 0 of them or no count.
    expect([0, null]).toContain(nodes.nodes[0].gpuCount);
    expect(nodes.nodes).toMatchObject([{ name: 'n0' }, { name: 'n1', gpuCount: 1 }, { name: 'n8', gpuCount: 8 }]);
  });

  test.each([
    ['states', 'NVIDIA', 'H100', 'as configured'],
    ['counted', 'NVIDIA', 'H100', 'by its label, which a pattern maps'],
    ['red', 'AMD', 'MI355X', 'by its label, which a pattern maps'],
    ['named', 'NVIDIA', 'H100-SXM', 'as configured, whatever its label says'],
    ['unmapped', 'NVIDIA', 'NVIDIA B300', 'by its label where no pattern maps it'],
  ])('%s is %s %s, %s', async (cluster, gpuVendor, gpuModel) => {
    const facts = await askCluster(await world.gateway(), cluster, 'name island gpuVendor gpuModel', lastHour);
    expect(facts).toEqual({ name: cluster, island: 'north', gpuVendor, gpuModel });
  });

  test('a selection that needs no reading asks the store for none', async () => {
    const gateway = await world.gateway();
    await askCluster(gateway, 'named', 'name island gpuVendor gpuModel window { start }');
    expect(gateway.requests()).toEqual([]);
  });
});
