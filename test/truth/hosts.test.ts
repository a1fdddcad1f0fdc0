import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { cpu, growing, type Machine, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askNode, span, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { type Series, stepped, type Value } from '../support/fleet/series.ts';
import { ratesOf, type Sample, samplesOf, seriesOf, sum, together } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around, fraction } from '../support/fleet/wobble.ts';

const times = scrapes({ from: ago(25 * HOUR), phase: 3.25 });
const half = ago(30 * MINUTE);
const cores = 4;
const receive = (what: string): string => `node_network_receive_${what}_total`;
const transmit = (what: string): string => `node_network_transmit_${what}_total`;

/** Traffic of one device, growing, and errors and drops that step. */
const device = (machine: Machine, name: string, mbps: number, errors: Value = 3, drops: Value = 9): Series[] => [
  machineCounter(
    machine,
    receive('bytes'),
    times,
    growing(times, around(`${name} rx`, mbps * 125_000, mbps * 20_000)),
    { device: name },
  ),
  machineCounter(machine, transmit('bytes'), times, growing(times, around(`${name} tx`, mbps * 60_000, mbps * 9000)), {
    device: name,
  }),
  machineGauge(machine, receive('errs'), times, errors, { device: name }),
  machineGauge(machine, transmit('errs'), times, 0, { device: name }),
  machineGauge(machine, receive('drop'), times, 4, { device: name }),
  machineGauge(machine, transmit('drop'), times, drops, { device: name }),
];

const busy = (time: number) => ({
  user: Number((0.2 + 0.3 * fraction('user', time)).toFixed(2)),
  system: 0.05,
  irq: 0.01,
  softirq: 0.01,
  iowait: Number((0.2 * fraction('iowait', time)).toFixed(2)),
  steal: 0.04,
});
const waiting: [string, string, (time: number) => number][] = [
  ['cpu', 'node_pressure_cpu_waiting_seconds_total', around('psi cpu', 0.25, 0.2, 4)],
  ['memory', 'node_pressure_memory_waiting_seconds_total', () => 0],
  ['io', 'node_pressure_io_waiting_seconds_total', around('psi io', 0.1, 0.09, 4)],
];

const bonded: Machine = { address: '10.2.0.11' };
const plain: Machine = { address: '10.2.0.12' };
const rebooted: Machine = { address: '10.2.0.13' };
const virtual = [
  'lo',
  'docker0',
  'cali12ab34cd56e',
  'veth9f3a',
  'cilium_host',
  'br-8d1',
  'flannel.1',
  'kube-ipvs0',
  'dummy0',
  'virbr0',
];

const bondedSeries: Series[] = [
  ...cpu(bonded, times, cores, busy),
  machineGauge(bonded, 'node_load1', times, around('load', 6, 3, 2)),
  ...waiting.map(([, metric, share]) => machineCounter(bonded, metric, times, growing(times, share))),
  machineCounter(bonded, 'node_pressure_io_stalled_seconds_total', times, growing(times, 0.9)),
  ...device(bonded, 'bond0', 4000, stepped(3, [half, 8]), stepped(9, [half, 11])),
  ...device(bonded, 'eth0', 2000, stepped(3, [half, 8]), stepped(9, [half, 11])),
  ...device(bonded, 'eth1', 2000),
  ...device(bonded, 'lo', 900),
  machineGauge(bonded, 'node_bonding_slaves', times, 2, { master: 'bond0' }),
  machineGauge(bonded, 'node_bonding_active', times, 2, { master: 'bond0' }),
];
const plainSeries: Series[] = [
  ...device(plain, 'eth0', 1000, stepped(0, [half, 2])),
  ...device(plain, 'ens1f1np1', 3000, stepped(1, [half, 2])),
  ...virtual.flatMap((name) => device(plain, name, 700, stepped(0, [half, 50]), stepped(0, [half, 50]))),
];

/** Down for four minutes; every counter begins again. */
const downFrom = half;
const upAgain = half + 4 * MINUTE;
const beforeDown = scrapes({ to: downFrom, phase: 3.25 });
const afterUp = scrapes({ from: upAgain, phase: 3.25 });
const counted = (metric: string, before: number, after: number, perS: number, extra: Record<string, string>) => {
  const values = [...growing(beforeDown, perS, before), ...growing(afterUp, perS, after)];
  return machineCounter(rebooted, metric, [...beforeDown, ...afterUp], values, extra);
};
const rebootedSeries: Series[] = [
  ...['0', '1'].flatMap((core) => [
    counted('node_cpu_seconds_total', 900_000, 20, 0.75, { cpu: core, mode: 'idle' }),
    counted('node_cpu_seconds_total', 50_000, 5, 0.25, { cpu: core, mode: 'user' }),
  ]),
  counted('node_pressure_io_waiting_seconds_total', 7000, 1, 0.5, {}),
  counted(receive('bytes'), 9e12, 4e6, 1_250_000, { device: 'eth0' }),
  counted(receive('errs'), 40, 2, 0, { device: 'eth0' }),
];

const machines = [bonded, plain, rebooted].map(({ address }, at) => [`h${at + 1}`, address] as const);
const series = [
  ...bondedSeries,
  ...plainSeries,
  ...rebootedSeries,
  ...machines.map(([node, address]) => nodeInfo(node, address, scrapes({ from: ago(25 * HOUR) }))),
  ...machines.flatMap(([node]) => dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 })),
];

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'hosts', series }]);
});
afterAll(() => world?.close());

const rates = (all: readonly Series[], metric: string, where: Record<string, string>, scale: number): Sample[] =>
  ratesOf(samplesOf(all, metric, where, scale));
/** Busy is all but idle and iowait, of all the time there was. */
const busyPct = (): Sample[] =>
  together(
    Array.from({ length: cores }, (_, core) =>
      together(
        ['user', 'system', 'nice', 'irq', 'softirq', 'steal'].map((mode) =>
          rates(bondedSeries, 'node_cpu_seconds_total', { cpu: String(core), mode }, 100 / cores),
        ),
        sum,
      ),
    ),
    sum,
  );

const windows: [string, WindowInput, number][] = [
  ['an hour', { range: 'LAST_1H' }, HOUR],
  ['a day', { range: 'LAST_24H' }, DAY],
];

describe.each(windows)('over %s', (_name, window, length) => {
  const over = { start: ago(length), end: NOW };
  const host = async (node: string, selection: string) =>
    (await askNode(await world.gateway(), 'hosts', node, `host { ${selection} }`, window)).host;

  test('cpuBusyPct counts steal as busy and iowait as idle', async () => {
    const got = await host('h1', `cpuBusyPct ${wholeSeries}`);
    expect(differences('host.cpuBusyPct', seriesOf(busyPct(), over), got.cpuBusyPct)).toEqual([]);
  });

  test('loadPerCore is the load by the number of cores', async () => {
    const got = await host('h1', `loadPerCore ${wholeSeries}`);
    const expected = seriesOf(samplesOf(bondedSeries, 'node_load1', {}, 1 / cores), over);
    expect(differences('host.loadPerCore', expected, got.loadPerCore)).toEqual([]);
  });

  test.each(waiting)('pressure.%s is the share of time spent in %s', async (resource, metric) => {
    const got = await host('h1', `pressure { ${resource} ${wholeSeries} }`);
    const expected = seriesOf(rates(bondedSeries, metric, {}, 100), over);
    expect(differences(`host.pressure.${resource}`, expected, got.pressure[resource])).toEqual([]);
  });

  test.each([
    ['h1', 'rxMbps', 'of the bond alone', bondedSeries, receive('bytes'), ['bond0']],
    ['h1', 'txMbps', 'of the bond alone', bondedSeries, transmit('bytes'), ['bond0']],
    ['h2', 'rxMbps', 'of the physical devices together', plainSeries, receive('bytes'), ['eth0', 'ens1f1np1']],
    ['h2', 'txMbps', 'of the physical devices together', plainSeries, transmit('bytes'), ['eth0', 'ens1f1np1']],
  ] as const)('%s nic.%s is the traffic %s', async (node, field, _of, all, metric, devices) => {
    const got = await host(node, `nic { ${field} ${wholeSeries} }`);
    const each = devices.map((name) => rates(all, metric, { device: name }, 8 / 1e6));
    expect(differences(`host.nic.${field}`, seriesOf(together(each, sum), over), got.nic[field])).toEqual([]);
  });

  // contract is silent: on which devices errors and drops are counted; the same as the traffic, both directions.
  test.each([
    ['h1', { errors: 5, drops: 2 }],
    ['h2', { errors: 3, drops: 0 }],
    ['h3', { errors: 2, drops: null }],
  ])('%s nic counts the rises of errors and drops', async (node, expected) => {
    expect(await host(node, 'nic { errors drops }')).toEqual({ nic: expected });
  });
});

test('what the machine does not export is null', async () => {
  const { host } = await askNode(
    await world.gateway(),
    'hosts',
    'h2',
    'host { cpuBusyPct { mean } loadPerCore { mean } pressure { cpu { mean } io { mean } } northSouth { ingressMbps { mean } } }',
  );
  expect(host).toEqual({
    cpuBusyPct: null,
    loadPerCore: null,
    pressure: { cpu: null, io: null },
    northSouth: { ingressMbps: null },
  });
});

test('a reboot is no burst and no fall', async () => {
  const { host } = await askNode(
    await world.gateway(),
    'hosts',
    'h3',
    'host { cpuBusyPct { min max } pressure { io { min max } } nic { rxMbps { min max } } }',
    span(ago(HOUR), ago(5 * MINUTE)),
  );
  // contract is silent: on a rate across a reset; nobody measured one there, so it is at least no burst.
  // The one sample that spans the reboot may read low: its predecessor belonged to another boot.
  for (const [path, { min, max }, usual] of [
    ['cpuBusyPct', host.cpuBusyPct, 25],
    ['pressure.io', host.pressure.io, 50],
    ['nic.rxMbps', host.nic.rxMbps, 10],
  ] as const) {
    expect(min, `host.${path}.min`).toBeGreaterThanOrEqual(0);
    expect(max, `host.${path}.max`).toBeCloseTo(usual, 3);
  }
});
