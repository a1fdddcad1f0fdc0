import { afterAll, beforeAll, expect, test } from 'vitest';
import { ago, HOUR, iso, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { alerting } from '../support/fleet/alerts.ts';
import { amd } from '../support/fleet/amd.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { nodeInfo, nodeReady } from '../support/fleet/kube-state-metrics.ts';
import { growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { askCluster, askGpu, askNode } from '../support/fleet/questions.ts';
import { churned, type Series, series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const times = scrapes();
const withKsm = (address: string, all: Series[]): Series[] =>
  all.map((s) => ({ ...s, labels: { ...s.labels, instance: address } }));
const moved = (node: string, from: string, to: string, turned = false): Series[] => {
  const both = [
    withKsm(
      from,
      nodeReady(node, scrapes({ to: ago(4 * MINUTE) }), () => 'true'),
    ),
    withKsm(
      to,
      nodeReady(node, scrapes({ from: ago(3.5 * MINUTE) }), () => 'false'),
    ),
  ];
  return (turned ? both.reverse() : both).flat();
};
const uneven = ([metric, value]: [string, number], lag: number) =>
  series(metric, dcgmLabels({ node: 'lag' }), scrapes({ to: NOW - lag }), value);
let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'fq',
      series: [
        ...churned(temp, times, 60, [
          [ago(2 * HOUR), dcgmLabels({ node: 'n1' })],
          [half, dcgmLabels({ node: 'n1.example.org', address: '10.1.1.1', uuid: 'GPU-n1-0' })],
        ]),
        nodeInfo('n1', '10.0.0.1', times),
      ],
    },
    {
      name: 'ksm',
      series: [
        ...['s1', 's2'].flatMap((node) => dcgm({ node }, times, { [temp]: 60 })),
        ...moved('s1', '10.1.0.3:8080', '10.1.0.9:8080'),
        ...moved('s2', '10.1.0.9:8080', '10.1.0.3:8080', true),
      ],
    },
    {
      name: 'lagging',
      series: [
        ...dcgm({ node: 'n1' }, scrapes({ to: ago(120) }), { [temp]: 90 }),
        alerting(
          { name: 'GPUHighTemperature', labels: { node: 'n1', gpu: '0' } },
          'firing',
          scrapes({ from: half, to: ago(120), phase: 0 }),
        ),
      ],
    },
    {
      name: 'net',
      series: ['eth0', 'br0', 'vlan100', 'ovs-system'].map((device) =>
        machineCounter(
          { address: 'h1', extra: { node: 'h1' } },
          'node_network_receive_bytes_total',
          times,
          growing(times, 1e6),
          { device },
        ),
      ),
    },
    {
      name: 'red',
      vendor: 'amd',
      series: [
        ...amd({ node: 'm1' }, times, { gpu_junction_temperature: 60 }),
        ...amd({ node: 'm1' }, scrapes({ to: half }), { gpu_package_power: 900 }),
        ...amd({ node: 'm1' }, times, { gpu_average_package_power: 500 }),
      ],
    },
    {
      name: 'upgraded',
      series: [
        ...dcgm({ node: 'n1' }, times, { [temp]: 60 }),
        series(
          'DCGM_FI_DEV_XID_ERRORS',
          dcgmLabels({ node: 'n1' }),
          scrapes({ from: ago(50 * MINUTE), to: ago(40 * MINUTE) }),
          31,
        ),
        series(
          'DCGM_EXP_XID_ERRORS_TOTAL',
          { ...dcgmLabels({ node: 'n1', era: 'B' }), xid: '79' },
          scrapes({ from: ago(20 * MINUTE) }),
          1,
        ),
      ],
    },
    {
      name: 'hbm',
      series: [
        ...dcgm({ node: 'lag' }, times, { [temp]: 60 }),
        uneven(['DCGM_FI_DEV_FB_USED', 40_000], 0),
        uneven(['DCGM_FI_DEV_FB_FREE', 41_000], 45),
      ],
    },
    { name: 'v6', series: dcgm({ node: 'x', shape: 'bare', address: '[2001:db8::5]' }, times, { [temp]: 60 }) },
    { name: 'own', model: 'H100', series: dcgm({ node: 'n1' }, times, { [temp]: 60 }) },
    { name: 'lent-too', model: 'H100', series: dcgm({ node: 'n2' }, times, { [temp]: 80 }) },
  ]);
});
afterAll(() => world?.close());

test('a node that one exporter spelled short and then in full is one node', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'fq', 'nodes { nodes { name } }');
  expect(nodes.nodes).toEqual([{ name: 'n1' }]);
});
test.each(['s1', 's2'])('%s ceased to be ready while kube-state-metrics moved', async (node) => {
  expect((await askNode(await world.gateway(), 'ksm', node, 'state')).state).toBe('NOT_READY');
});
test('an alert that fires up to what the store can show is open', async () => {
  const gateway = await world.gateway({ ingestLagS: 120 });
  const { healthEpisodes } = await askNode(gateway, 'lagging', 'n1', 'healthEpisodes { ended }');
  expect(healthEpisodes).toEqual([{ ended: null }]);
});
test('a start of seconds ago is a window up to now', async () => {
  const gateway = await world.gateway({ now: NOW + 17 });
  const { window } = await askCluster(gateway, 'own', 'window { start end }', { start: iso(NOW + 5) });
  expect(window).toEqual({ start: iso(NOW + 5), end: iso(NOW + 17) });
});
test('traffic is that of physical devices', async () => {
  const { host } = await askNode(await world.gateway(), 'net', 'h1', 'host { nic { rxMbps { mean } } }');
  expect(host.nic.rxMbps.mean).toBeCloseTo(8, 1);
});
test('the newest power is the same whatever stands beside it', async () => {
  const alone = await askGpu(await world.gateway(), 'red', 'm1', 'powerW { last lastAt }');
  const beside = await askGpu(await world.gateway(), 'red', 'm1', 'powerW { values last lastAt }');
  expect({ last: beside.powerW.last, lastAt: beside.powerW.lastAt }).toEqual(alone.powerW);
});
test('a fault before the exporter’s upgrade and one after it are two', async () => {
  const { errors } = await askGpu(await world.gateway(), 'upgraded', 'n1', 'errors { xid xidCodes }');
  expect(errors).toEqual({ xid: 2, xidCodes: [31, 79] });
});
test('a listed node answers to its name', async () => {
  const gateway = await world.gateway();
  const { nodes } = await askCluster(gateway, 'v6', 'nodes { nodes { name } }');
  expect((await askNode(gateway, 'v6', nodes.nodes[0].name, 'gpuCount')).gpuCount).toBe(1);
});
