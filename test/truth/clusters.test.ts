import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, HOUR, iso, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { machineGauge } from '../support/fleet/node-exporter.ts';
import { askCluster, lastHour } from '../support/fleet/questions.ts';
import { churned, stepped } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();
const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';

/** The same names and the same addresses in every cluster; only the numbers differ. */
const twin = (tempC: number, load: number) => [
  ...dcgm({ node: 'n1' }, times, { [temp]: tempC, DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(0, [half, tempC]) }),
  nodeInfo('n1', '10.8.0.1', times),
  machineGauge({ address: '10.8.0.1' }, 'node_load1', times, load),
  machineGauge({ address: '10.8.0.1' }, 'node_cpu_seconds_total', times, (time) => time, { cpu: '0', mode: 'idle' }),
];
/** A driver that was replaced in mid-window, at the cost of one label. */
const reloaded = churned(temp, times, stepped(50, [half, 70]), [
  [ago(2 * HOUR), dcgmLabels({ node: 'n1', driver: '550.54.15' })],
  [half - 1, dcgmLabels({ node: 'n1', driver: '570.86.10' })],
]);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'east', series: twin(51, 1) },
    { name: 'west', series: twin(62, 2) },
    { name: 'east-1', series: twin(73, 3) },
    { name: 'alpha', match: { k8s: 'alpha' }, series: twin(41, 4) },
    { name: 'beta', match: { k8s: 'beta', region: 'eu' }, series: twin(42, 5) },
    { name: 'red', vendor: 'amd', series: amd({ node: 'n1' }, times, { gpu_junction_temperature: 80 }) },
    { name: 'reloaded', series: reloaded },
    { name: 'theirs', owner: 'others', series: twin(99, 9) },
  ]);
});
afterAll(() => world?.close());

const selection =
  'nodes { nodes { name gpus { tempC { min max } errors { pcieReplay } } host { loadPerCore { max } } } }';

describe('clusters of one store', () => {
  test.each([
    ['east', 51, 1],
    ['west', 62, 2],
    ['east-1', 73, 3],
    ['alpha', 41, 4],
    ['beta', 42, 5],
  ])('%s reads its own numbers, whatever names it shares', async (cluster, tempC, load) => {
    const { nodes } = await askCluster(await world.gateway(), cluster, selection);
    const gpu = { tempC: { min: tempC, max: tempC }, errors: { pcieReplay: tempC } };
    expect(nodes.nodes).toEqual([{ name: 'n1', gpus: [gpu], host: { loadPerCore: { max: load } } }]);
  });

  test('several of them in one document do not mix', async () => {
    const one = (name: string): string =>
      `${name}: cluster(name: "${name}", window: { range: LAST_1H }) { ${selection} }`;
    const { data, errors } = await (
      await world.gateway()
    ).query(`{ ${['east', 'west', 'alpha', 'beta'].map(one).join(' ')} }`);
    expect(errors ?? []).toEqual([]);
    const hottest = ['east', 'west', 'alpha', 'beta'].map((name) => data[name].nodes.nodes[0].gpus[0].tempC.max);
    expect(hottest).toEqual([51, 62, 41, 42]);
  });

  test('one cluster over two windows in one document gives two readings', async () => {
    const over = (start: number, end: number): string =>
      `cluster(name: "reloaded", window: { start: "${iso(start)}", end: "${iso(end)}" }) { nodes { nodes { gpus { tempC { mean } } } } }`;
    const { data } = await (
      await world.gateway()
    ).query(`{ before: ${over(ago(HOUR), half)} after: ${over(half, NOW)} both: ${over(ago(HOUR), NOW)} }`);
    const meanOf = (alias: string): number => data[alias].nodes.nodes[0].gpus[0].tempC.mean;
    expect(['before', 'after', 'both'].map(meanOf)).toEqual([50, 70, 60]);
  });

  test('all of ours are listed, in one window, and none of others', async () => {
    const fields = 'name gpuVendor window { end points }';
    const document = `query ($window: WindowInput) {
      clusters(window: $window) { ${fields} }
      organization { name clusters(window: $window) { ${fields} } }
    }`;
    const { data } = await (await world.gateway()).query(document, { window: lastHour });
    const ours = ['alpha', 'beta', 'east', 'east-1', 'red', 'reloaded', 'west'].map((name) => ({
      name,
      gpuVendor: name === 'red' ? 'AMD' : 'NVIDIA',
      window: { end: iso(NOW), points: 40 },
    }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect([...data.clusters].sort(byName)).toEqual(ours);
    expect(data.organization.name).toBe('acme');
    expect([...data.organization.clusters].sort(byName)).toEqual(ours);
  });
});
