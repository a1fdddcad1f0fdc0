import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { allocatableGpus, nodeInfo, nodeReady } from '../support/fleet/kube-state-metrics.ts';
import { cpu, growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { askCluster, askNode, span } from '../support/fleet/questions.ts';
import { type Series, series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const beat = (node: string, index = 0, over = {}): Series[] => dcgm({ node, index }, scrapes(over), { [temp]: 60 });
const times = scrapes();
const noLoad = { address: 'h1', extra: { node: 'h1' } };
const foreignKsm = (all: Series[], host = 'infra-7'): Series[] =>
  all.map((s) => {
    const { node = '', ...rest } = s.labels;
    return { ...s, labels: { ...rest, exported_node: node, node: host } };
  });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'empty', series: [] },
    {
      name: 'fifteen',
      series: dcgm({ node: 'n1', index: 0 }, scrapes({ every: 15, to: ago(30 * MINUTE) }), { [temp]: 60 }).concat(
        dcgm({ node: 'n1', index: 1 }, scrapes({ every: 15 }), { [temp]: 60 }),
      ),
    },
    {
      name: 'seven',
      series: [
        ...Array.from({ length: 7 }, (_, i) => beat('n1', i)).flat(),
        nodeInfo('n1', '10.0.0.1', times),
        allocatableGpus('n1', times, 8),
      ],
    },
    {
      name: 'no-load',
      series: [
        ...beat('h1'),
        ...cpu(noLoad, times, 2, () => ({ user: 0.3 })),
        machineCounter(noLoad, 'node_pressure_cpu_waiting_seconds_total', times, growing(times, 0.1)),
      ],
    },
    {
      name: 'half-old',
      series: [
        ...dcgm({ node: 'old' }, times, stockList('old')),
        ...dcgm({ node: 'new' }, times, stockList('new')),
        series('DCGM_EXP_CLOCK_EVENTS_TOTAL', { ...dcgmLabels({ node: 'new' }), clock_event: 'hw_thermal' }, times, 3),
      ],
    },
    {
      name: 'honored',
      series: [
        ...[1, 2].flatMap((n) =>
          dcgm({ node: `n${n}`, shape: 'bare', address: `10.0.0.${n}` }, times, { [temp]: 60 + n }),
        ),
        ...foreignKsm(
          [1, 2, 3].flatMap((n) => [
            nodeInfo(`n${n}`, `10.0.0.${n}`, times),
            allocatableGpus(`n${n}`, times, 1),
            ...nodeReady(`n${n}`, times, () => 'true'),
          ]),
        ),
      ],
    },
    { name: 'sixty', series: beat('n1', 0, { every: 60 }) },
    { name: 'alive', series: beat('n1') },
  ]);
});
afterAll(() => world?.close());

describe('a cluster of which the store holds nothing', () => {
  test('misses every family', async () => {
    const { coverage } = await askCluster(await world.gateway(), 'empty', 'coverage { present missing }');
    expect(coverage.missing).toContain('GPU_TEMP');
  });
  test('says so in its note', async () => {
    expect((await askCluster(await world.gateway(), 'empty', 'note')).note).not.toBeNull();
  });
});
test('a GPU that died half an hour ago is named where it is scraped every 15 s and nobody told us', async () => {
  const { note } = await askNode(await world.gateway(), 'fifteen', 'n1', 'note');
  expect(note).toMatch(/GPU 0 reported no/);
});
test('a GPU that Kubernetes can allocate and nobody has seen counts and is named', async () => {
  const { gpuCount, note } = await askNode(await world.gateway(), 'seven', 'n1', 'gpuCount note');
  expect(gpuCount).toBe(8);
  expect(note).toMatch(/GPU 7/);
});
test('a host without node_load1 is not silent', async () => {
  const { note, host } = await askNode(await world.gateway(), 'no-load', 'h1', 'note host { cpuBusyPct { mean } }');
  expect(host.cpuBusyPct.mean).toBeGreaterThan(20);
  expect(note).not.toMatch(/host reported nothing/);
});
test('clock events of a node whose exporter has none are null, as coverage says', async () => {
  const { coverage, gpus } = await askNode(
    await world.gateway(),
    'half-old',
    'old',
    'coverage { missing } gpus { throttle { clockEvents { kind } } }',
  );
  expect(coverage.missing).toContain('CLOCK_EVENTS');
  expect(gpus[0].throttle.clockEvents).toBeNull();
});
test('nodes are told apart by exported_node where node is where kube-state-metrics runs', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'honored', 'nodes { nodes { name gpuCount state } }');
  expect(nodes.nodes).toEqual([1, 2, 3].map((n) => ({ name: `n${n}`, gpuCount: 1, state: 'READY' })));
});
test('a window shorter than a scrape calls no GPU silent', async () => {
  const gateway = await world.gateway({ scrapeIntervalS: 60 });
  const { note } = await askNode(gateway, 'sixty', 'n1', 'note', span(ago(30), NOW));
  expect(note ?? '').not.toMatch(/reported nothing/);
});
test('nothing is silent in the future', async () => {
  const { note } = await askNode(await world.gateway(), 'alive', 'n1', 'note', span(ago(HOUR), NOW + HOUR));
  expect(note ?? '').not.toMatch(/reported no/);
});
