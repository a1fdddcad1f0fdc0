import { afterAll, beforeAll, expect, test } from 'vitest';

import { alerting } from '../support/fleet/alerts.ts';
import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { allocatableGpus, nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { growing, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askCluster, askGpu, askNode } from '../support/fleet/questions.ts';
import { series, stepped } from '../support/fleet/series.ts';
import { keepsEveryDouble, startWorld, type World } from '../support/fleet/world.ts';

// What an exporter prints, or a tenant writes, must not cost the gateway more than the readings it spoils.
const times = scrapes();
const half = ago(30 * MINUTE);
const temperature = (node: string) => dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: 60 });
const alike = ['n1', 'n01', 'n001', 'n2'];
const huge = 2 ** 53 - 2;
const odd = { address: 'odd', extra: { node: 'odd' } };

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'alike', series: alike.flatMap(temperature) },
    { name: 'colons', series: [...temperature('n1'), ...temperature(`${':'.repeat(20_000)}!`)] },
    {
      name: 'made-up',
      series: ['huge', 'endless', 'broken'].flatMap((node, at) => [
        nodeInfo(node, `10.0.0.${at + 1}`, times),
        allocatableGpus(node, times, [1e9, Infinity, 2.5][at]!),
      ]),
    },
    {
      name: 'counters',
      series: [
        ...temperature('saw'),
        series('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', dcgmLabels({ node: 'saw' }), times, (time) =>
          Math.round(time / 30) % 2 ? huge : 0,
        ),
        series('DCGM_FI_DEV_XID_ERRORS', dcgmLabels({ node: 'saw' }), times, stepped(0, [half, 5e-324])),
      ],
    },
    {
      name: 'hosts',
      series: [
        machineGauge(odd, 'node_load1', times, 1),
        machineCounter(odd, 'node_pressure_io_waiting_seconds_total', times, growing(times, 0.1)),
        machineGauge(odd, 'node_pressure_cpu_waiting_seconds_total', times, (time) => (time > half ? 1e308 : -1e308)),
        machineGauge(odd, 'node_network_receive_bytes_total', times, () => Infinity, { device: 'eth0' }),
        nodeInfo('odd', '10.1.0.1', times),
        ...['constructor', '__proto__'].map((status) =>
          series('kube_node_status_condition', { node: 'odd', condition: 'Ready', status }, times, 1),
        ),
        alerting({ name: 'NodeDown', labels: { node: 'odd' } }, 'firing', times),
        series('ALERTS_FOR_STATE', { alertname: 'NodeDown', node: 'odd' }, times, 1e-300),
      ],
    },
  ]);
});
afterAll(() => world?.close());

test('nodes whose names count alike are all found, page by page', async () => {
  const gateway = await world.gateway();
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: { nodes: { name: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = (
      await askCluster(
        gateway,
        'alike',
        `nodes(first: 1, after: ${JSON.stringify(after)}) { nodes { name } pageInfo { hasNextPage endCursor } }`,
      )
    ).nodes;
    seen.push(...page.nodes.map(({ name }) => name));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen.toSorted()).toEqual(alike.toSorted());
});

test('a host label of nothing but colons holds nobody up', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'colons', 'nodes { totalCount }');
  expect(nodes.totalCount).toBe(2);
});

test('numbers of GPUs that no machine has are none', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'made-up', 'nodes { nodes { name gpuCount } }');
  expect(nodes.nodes.map(({ gpuCount }: { gpuCount: number }) => gpuCount)).toEqual([0, 0, 0]);
});

test('a counter whose rises no longer count by one is no reading, and is named', async () => {
  const { gpu, note } = await askNode(
    await world.gateway(),
    'counters',
    'saw',
    'note gpu(index: 0) { errors { pcieReplay xid } }',
  );
  expect(gpu.errors.pcieReplay).toBeNull();
  expect(note).toMatch(/pcieReplay of GPU 0/);
});

test('a fraction is no XID', async () => {
  const { errors } = await askGpu(await world.gateway(), 'counters', 'saw', 'errors { xid xidCodes }');
  expect(errors).toEqual({ xid: 0, xidCodes: [] });
});

test.runIf(keepsEveryDouble)('rates that cannot be are no readings, and the others of the host stay', async () => {
  const { host } = await askNode(
    await world.gateway(),
    'hosts',
    'odd',
    'host { loadPerCore { mean } pressure { io { mean } cpu { mean max } } nic { rxMbps { mean } } }',
  );
  expect(host.pressure.io.mean).toBeCloseTo(10, 3);
  expect([host.pressure.cpu, host.nic.rxMbps]).toEqual([expect.toBeOneOf([null, { mean: 0, max: 0 }]), null]);
});

test('a status that is a word of the language’s own is unknown', async () => {
  expect((await askNode(await world.gateway(), 'hosts', 'odd', 'state')).state).toBe('UNKNOWN');
});

test('an episode did not begin in 1970', async () => {
  const { healthEpisodes } = await askNode(await world.gateway(), 'hosts', 'odd', 'healthEpisodes { started }');
  expect(healthEpisodes.map(({ started }: { started: string }) => started.slice(0, 4))).toEqual(['2026']);
});
