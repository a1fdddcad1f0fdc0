import { afterAll, beforeAll, expect, test } from 'vitest';

import { scrapes } from '../support/fleet/clock.ts';
import { growing, type Machine, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askNode } from '../support/fleet/questions.ts';
import type { Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

// What a host carries is counted once, whatever its bonds are called, and a bond without devices is no host.
const times = scrapes();
const machine = (name: string): Machine => ({ address: name, extra: { node: name } });
const bytesPerMbps = 125_000;

const carrying = (node: string, device: string, mbps: number): Series =>
  machineCounter(
    machine(node),
    'node_network_receive_bytes_total',
    times,
    growing(times, () => mbps * bytesPerMbps),
    { device },
  );
const errors = (node: string, device: string): Series =>
  machineCounter(
    machine(node),
    'node_network_receive_errs_total',
    times,
    times.map((time) => (time > times[200]! ? 3 : 0)),
    { device },
  );
const bond = (node: string, master: string, slaves: number): Series =>
  machineGauge(machine(node), 'node_bonding_slaves', times, slaves, { master });

const hosts: [behaviour: string, node: string, series: Series[], rxMbps: number][] = [
  [
    'a bond by its usual name',
    'usual',
    [
      bond('usual', 'bond0', 2),
      carrying('usual', 'bond0', 80),
      carrying('usual', 'eth0', 40),
      carrying('usual', 'eth1', 40),
    ],
    80,
  ],
  [
    'a bond by a name of the site’s own',
    'own',
    [bond('own', 'aggr0', 2), carrying('own', 'aggr0', 80), carrying('own', 'eth0', 40), carrying('own', 'eth1', 40)],
    80,
  ],
  [
    'two bonds beside a lone device that is in one of them',
    'two',
    [
      bond('two', 'uplink', 1),
      bond('two', 'bond-data', 1),
      carrying('two', 'uplink', 10),
      carrying('two', 'bond-data', 30),
      carrying('two', 'ens1', 30),
    ],
    40,
  ],
  [
    'an empty bond beside the device that carries all',
    'empty',
    [bond('empty', 'bond0', 0), carrying('empty', 'bond0', 0), carrying('empty', 'eth0', 50)],
    50,
  ],
  [
    'an empty bond that no exporter tells of',
    'untold',
    [carrying('untold', 'bond0', 0), carrying('untold', 'eth0', 50)],
    50,
  ],
  [
    'a team, which no exporter tells of, beside an empty bond',
    'team',
    [
      bond('team', 'bond0', 0),
      carrying('team', 'bond0', 0),
      carrying('team', 'team0', 60),
      carrying('team', 'eth0', 60),
    ],
    60,
  ],
  ['a bond that no exporter tells of', 'silent', [carrying('silent', 'bond0', 80), carrying('silent', 'eth0', 80)], 80],
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'bonds',
      series: hosts.flatMap(([, node, series]) => [machineGauge(machine(node), 'node_load1', times, 1), ...series]),
    },
    {
      name: 'faults',
      series: [
        bond('own', 'aggr0', 1),
        ...['aggr0', 'eth0'].flatMap((device) => [carrying('own', device, 5), errors('own', device)]),
      ],
    },
  ]);
});
afterAll(() => world?.close());

test.each(hosts)('%s counts once', async (_behaviour, node, _series, mbps) => {
  const { host } = await askNode(await world.gateway(), 'bonds', node, 'host { nic { rxMbps { mean } } }');
  expect(host.nic.rxMbps.mean).toBeCloseTo(mbps, 3);
});

test('the errors of a bond and of its device are the same errors', async () => {
  const { host } = await askNode(await world.gateway(), 'faults', 'own', 'host { nic { errors } }');
  expect(host.nic.errors).toBe(3);
});
