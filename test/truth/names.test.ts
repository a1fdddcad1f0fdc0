import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { nodeInfo, nodeReady } from '../support/fleet/kube-state-metrics.ts';
import { machineGauge } from '../support/fleet/node-exporter.ts';
import { askCluster, askNode } from '../support/fleet/questions.ts';
import { series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const hot = (tempC: number) => ({ [temp]: tempC });
const hostOf = (address: string, extra = {}) => machineGauge({ address, extra }, 'node_load1', times, 8, {});
const cores = (address: string) =>
  ['0', '1'].map((core) =>
    machineGauge({ address }, 'node_cpu_seconds_total', times, (t) => t / 2, { cpu: core, mode: 'idle' }),
  );

const known = (node: string, address: string) => [
  nodeInfo(node, address, times),
  ...nodeReady(node, times, () => 'true'),
  hostOf(address),
  ...cores(address),
];

/** Every way in which exporters spell the machines w1 to w6. */
const spelt = [
  ...dcgm({ node: 'w1' }, times, hot(51)), // Hostname
  ...dcgm({ node: 'w2', era: 'B' }, times, hot(52)), // hostname
  ...dcgm({ node: 'w3', shape: 'relabelled' }, times, hot(53)), // node and instance
  ...dcgm({ node: 'w4', shape: 'bare', address: 'w4' }, times, hot(54)), // instance with a port
  ...dcgm({ node: 'w5', shape: 'bare', address: '10.3.0.5' }, times, hot(55)), // instance as an address
  ...dcgm({ node: 'w6' }, times, hot(56)),
  ...['w1', 'w2', 'w3', 'w4', 'w5', 'w6'].flatMap((node, at) => known(node, `10.3.0.${at + 1}`)),
];
/** Names that a pattern would mix up. */
const dotted = ['a.b', 'axb', 'a-b', 'a.b.c', 'n+1', 'n1'].flatMap((node, at) => dcgm({ node }, times, hot(40 + at)));
const many = [12, 3, 1, 10, 2, 11, 4].flatMap((n) =>
  [10, 2].flatMap((index) => dcgm({ node: `n${n}`, index }, times, hot(60))),
);
/** The exporter's own label was pushed aside by the target's. */
const pushed = (() => {
  const { Hostname: _own, ...labels } = dcgmLabels({ node: 'o1' });
  return series(temp, { ...labels, hostname: 'o1', exported_hostname: 'o1' }, times, 58);
})();

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'spelt', series: spelt },
    { name: 'dotted', series: dotted },
    { name: 'many', series: many },
    { name: 'pushed', series: [pushed] },
    {
      name: 'red',
      vendor: 'amd',
      series: [
        ...amd({ node: 'm1' }, times, { gpu_junction_temperature: 61 }),
        nodeInfo('m1', '10.3.1.1', times),
        hostOf('10.3.1.1'),
        ...cores('10.3.1.1'),
      ],
    },
  ]);
});
afterAll(() => world?.close());

interface Named {
  readonly name: string;
}
const namesOf = (nodes: readonly Named[]): string[] => nodes.map(({ name }) => name);

describe('one machine is one node across exporters', () => {
  test('however each of them spells it', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'spelt', 'nodes { totalCount nodes { name } }');
    expect(namesOf(nodes.nodes)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5', 'w6']);
    expect(nodes.totalCount).toBe(6);
  });

  test.each([1, 2, 3, 4, 5, 6])('w%i has its own GPU, its own host and its own state', async (n) => {
    const selection = 'name state gpuCount gpus { index tempC { mean } } host { loadPerCore { mean } }';
    const node = await askNode(await world.gateway(), 'spelt', `w${n}`, selection);
    expect(node).toEqual({
      name: `w${n}`,
      state: 'READY',
      gpuCount: 1,
      gpus: [{ index: 0, tempC: { mean: 50 + n } }],
      host: { loadPerCore: { mean: 4 } },
    });
  });

  test('on AMD too', async () => {
    const selection = 'nodes { nodes { name gpus { tempC { mean } } host { loadPerCore { mean } } } }';
    const { nodes } = await askCluster(await world.gateway(), 'red', selection);
    expect(nodes.nodes).toEqual([{ name: 'm1', gpus: [{ tempC: { mean: 61 } }], host: { loadPerCore: { mean: 4 } } }]);
  });

  test('and where a target’s label pushed the exporter’s own aside', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'pushed', 'nodes { nodes { name } }');
    expect(namesOf(nodes.nodes)).toEqual(['o1']);
  });
});

describe('a name matches only itself', () => {
  test.each([
    ['a.b', 40],
    ['axb', 41],
    ['a-b', 42],
    ['a.b.c', 43],
    ['n1', 45],
  ])('%s', async (node, tempC) => {
    const got = await askNode(await world.gateway(), 'dotted', node, 'name gpus { tempC { min max } }');
    expect(got).toEqual({ name: node, gpus: [{ tempC: { min: tempC, max: tempC } }] });
  });

  test('also in a list of names', async () => {
    const selection = 'nodes(names: ["a.b", "n1"]) { totalCount nodes { name gpus { tempC { mean } } } }';
    const { nodes } = await askCluster(await world.gateway(), 'dotted', selection);
    expect(nodes).toEqual({
      totalCount: 2,
      nodes: [
        { name: 'a.b', gpus: [{ tempC: { mean: 40 } }] },
        { name: 'n1', gpus: [{ tempC: { mean: 45 } }] },
      ],
    });
  });
});

describe('order and selection', () => {
  test('nodes and GPUs are in the order that people count in', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'many', 'nodes { nodes { name gpus { index } } }');
    expect(namesOf(nodes.nodes)).toEqual(['n1', 'n2', 'n3', 'n4', 'n10', 'n11', 'n12']);
    expect(nodes.nodes[0].gpus).toEqual([{ index: 2 }, { index: 10 }]);
  });

  test('unknown names are skipped and named in the cluster’s note', async () => {
    const selection = 'note nodes(names: ["n2", "gone-7", "n1", "gone-8"]) { totalCount nodes { name } }';
    const { nodes, note } = await askCluster(await world.gateway(), 'many', selection);
    expect(namesOf(nodes.nodes)).toEqual(['n1', 'n2']);
    expect(nodes.totalCount).toBe(2);
    expect(note).toMatch(/gone-7/);
    expect(note).toMatch(/gone-8/);
    expect(note).not.toMatch(/\bn[12]\b/);
  });

  test('unknown indexes are skipped and named in the node’s note', async () => {
    const { gpus, note } = await askNode(await world.gateway(), 'many', 'n1', 'note gpus(indexes: [2, 77]) { index }');
    expect(gpus).toEqual([{ index: 2 }]);
    expect(note).toMatch(/\b77\b/);
  });

  test('no name at all selects nothing', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'many', 'nodes(names: []) { totalCount nodes { name } }');
    // contract is silent: an empty list is taken at its word.
    expect(nodes).toEqual({ totalCount: 0, nodes: [] });
  });
});
