import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FleetSizes } from '../../src/reads/fleet-sizes.ts';
import { NOW } from '../support/fleet/clock.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { metricsNamed, sixHours, stillNodes } from '../support/still-fleet.ts';

const cluster = { name: 'a', island: 'north', vendor: 'NVIDIA', model: null, matchers: [], exported: [] } as const;
const size = (nodes: number) => ({ nodes, gpus: 8 * nodes });
const nodesOf = (sizes: FleetSizes, at: number, organization = 'acme', of = cluster) =>
  sizes.of(organization, of, at)?.nodes;

describe('how large a cluster is', () => {
  const learnt = (...told: readonly (readonly [nodes: number, at: number, isNow: boolean])[]) => {
    const sizes = new FleetSizes();
    for (const [nodes, at, isNow] of told) sizes.learn('acme', cluster, size(nodes), { at, isNow });
    return sizes;
  };
  test('is known for five minutes', () => {
    const sizes = learnt([10, 0, true]);
    expect([nodesOf(sizes, 300), nodesOf(sizes, 301)]).toEqual([10, undefined]);
  });
  test('is the largest of what was told, for as long as that is fresh', () => {
    const sizes = learnt([10, 0, true], [4, 200, true]);
    expect([nodesOf(sizes, 300), nodesOf(sizes, 301)]).toEqual([10, undefined]);
    expect(nodesOf(learnt([10, 0, true], [12, 200, true]), 400)).toBe(12);
  });
  test('is not told by a window that ended long ago, unless there was more', () => {
    expect(nodesOf(learnt([1, 0, false]), 0)).toBeUndefined();
    expect(nodesOf(learnt([10, 0, true], [12, 200, false]), 200)).toBe(12);
    expect(nodesOf(learnt([10, 0, true], [12, 200, false]), 301)).toBeUndefined();
  });
  test('is told apart by organization and island', () => {
    const sizes = learnt([10, 0, true]);
    expect([nodesOf(sizes, 0, 'zeta'), nodesOf(sizes, 0, 'acme', { ...cluster, island: 'south' } as never)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('as a gateway learns it', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld([
      { name: 'aurora', series: stillNodes(2, metricsNamed(/GPU_TEMP$/), sixHours.slice(-30)) },
    ]);
  });
  afterAll(() => world?.close());

  const flags = '{ cluster(name: "aurora", window: { range: LAST_7D }) { flags { clean } } }';
  // More than two nodes cost, less than a hundred.
  const limits = { cost: 50_000_000 };

  test('a document is refused while the cluster is not known, and answered once some document has listed its nodes', async () => {
    let now = NOW;
    const gateway = await world.gateway({ limits, now: () => now });
    const [refused] = (await gateway.query(flags)).errors ?? [];
    expect([refused?.extensions.code, gateway.requests()]).toEqual(['QUERY_TOO_LARGE', []]);
    await gateway.query('{ cluster(name: "aurora") { nodes { totalCount } } }');
    expect((await gateway.query(flags)).errors).toBeUndefined();
    now += 301;
    expect((await gateway.query(flags)).errors?.[0]?.extensions.code).toBe('QUERY_TOO_LARGE');
  });

  test('a window in which there was nothing does not make it small', async () => {
    const gateway = await world.gateway({ limits });
    const past = 'window: { start: "2026-05-20T00:00:00Z", end: "2026-05-20T01:00:00Z" }';
    const { data } = await gateway.query(`{ cluster(name: "aurora", ${past}) { nodes { totalCount } } }`);
    expect(data.cluster.nodes.totalCount).toBe(0);
    expect((await gateway.query(flags)).errors?.[0]?.extensions.code).toBe('QUERY_TOO_LARGE');
  });
});
