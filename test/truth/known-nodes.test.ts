import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, DAY, HOUR, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { allocatableGpus, nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { askCluster, askNode } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = { DCGM_FI_DEV_GPU_TEMP: 60, DCGM_FI_DEV_POWER_USAGE: 300 };

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'known',
      series: [
        ...dcgm({ node: 'n1' }, scrapes(), temp),
        nodeInfo('n1', '10.5.0.1', scrapes()),
        nodeInfo('n2', '10.5.0.2', scrapes()), // never exported a thing
        nodeInfo('n3', '10.5.0.3', scrapes()),
        allocatableGpus('n3', scrapes(), 2), // Kubernetes gives out GPUs that no exporter shows
        ...dcgm({ node: 'n4' }, scrapes({ from: ago(20 * HOUR), to: ago(19 * HOUR) }), temp),
        ...dcgm({ node: 'n5' }, scrapes({ from: ago(3 * DAY), to: ago(2 * DAY) }), temp),
        ...dcgm({ node: 'n6' }, scrapes({ from: ago(16 * DAY), to: ago(15 * DAY) }), temp),
      ],
    },
  ]);
});
afterAll(() => world?.close());

describe('a node', () => {
  test('that Kubernetes knew, or that was seen within 24 hours, is listed', async () => {
    const { nodes } = await askCluster(await world.gateway(), 'known', 'nodes { totalCount nodes { name } }');
    expect(nodes.nodes.map(({ name }: { name: string }) => name)).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(nodes.totalCount).toBe(4);
  });

  test.each(['n2', 'n3', 'n4'])('%s reads nulls, and its note says that it is silent', async (name) => {
    const selection = 'name note host { cpuBusyPct { mean } } gpus { tempC { mean } }';
    const node = await askNode(await world.gateway(), 'known', name, selection);
    expect(node.host).toEqual({ cpuBusyPct: null });
    expect(node.gpus.filter(({ tempC }: { tempC: unknown }) => tempC !== null)).toEqual([]);
    expect(node.note).toMatch(/silent|no reading|nothing|not seen|no sample|no series/i);
  });

  test('whose GPUs only Kubernetes knows has that many', async () => {
    expect((await askNode(await world.gateway(), 'known', 'n3', 'gpuCount')).gpuCount).toBe(2);
  });

  test('that was last seen days ago still answers to its name', async () => {
    // contract is silent: NOT_FOUND begins at 14 days, the list ends at 24 hours; between them a name is answered with nulls.
    const node = await askNode(await world.gateway(), 'known', 'n5', 'name host { cpuBusyPct { mean } }');
    expect(node).toEqual({ name: 'n5', host: { cpuBusyPct: null } });
  });

  test('that was never seen in 14 days is NOT_FOUND', async () => {
    const { errors } = await (
      await world.gateway()
    ).query('{ cluster(name: "known", window: { range: LAST_1H }) { node(name: "n6") { name } } }');
    expect(errors).toMatchObject([{ path: ['cluster', 'node'], extensions: { code: 'NOT_FOUND', status: 404 } }]);
  });

  test('silent nodes are named in the cluster’s note', async () => {
    const { note } = await askCluster(await world.gateway(), 'known', 'note');
    for (const name of ['n2', 'n3', 'n4']) expect(note).toMatch(new RegExp(String.raw`\b${name}\b`));
  });
});
