import { afterAll, beforeAll, expect, test } from 'vitest';
import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { amd } from '../support/fleet/amd.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { cpu, growing, type Machine, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askGpu, askNode } from '../support/fleet/questions.ts';
import { labelled, type Series, series, except } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const host = (n: string, extra = {}) => ({ address: `10.3.0.${n}`, extra: { node: `h${n}`, ...extra } });
const load = (m: Machine, t: number[]) => [
  ...cpu(m, t, 4, () => ({ user: 0.25 })),
  machineGauge(m, 'node_load1', t, 8),
];
const all: Series[] = [
  // 1: two scrapers; 2: node_exporter's pod restarted at half under another pod name; 3: one of two scrapers ended at half
  ...['a', 'b'].flatMap((r, i) =>
    labelled({ prometheus_replica: r }, load(host('1'), scrapes({ phase: 4.2 + 9 * i }))),
  ),
  ...load(host('2', { pod: 'node-exporter-aaaaa' }), scrapes({ to: half })),
  ...load(host('2', { pod: 'node-exporter-bbbbb' }), scrapes({ from: half + 30 })),
  ...['a', 'b'].flatMap((r, i) =>
    labelled({ prometheus_replica: r }, load(host('3'), scrapes({ phase: 4.2 + 9 * i, ...(i ? { to: half } : {}) }))),
  ),
  // 4: a pressure counter that jumps
  machineCounter(
    host('4'),
    'node_pressure_io_waiting_seconds_total',
    scrapes(),
    growing(scrapes(), 0.1).map((v, i) => v + (scrapes()[i]! > half ? 40_000 : 0)),
  ),
  machineGauge(host('4'), 'node_load1', scrapes(), 1),
];
const times = scrapes({ from: ago(2 * HOUR) });
const gpus: Series[] = [
  // era B: new driver label, values 0..100 under the new name
  ...dcgm({ node: 'b' }, times, { [temp]: 60 }).map((s) => ({
    ...s,
    labels: { ...dcgmLabels({ node: 'b', era: 'C' }), __name__: temp },
  })),
  series('DCGM_FI_DEV_GPU_UTIL_RATIO', dcgmLabels({ node: 'b', era: 'C' }), times, around('util', 60, 20)),
  // replaced by another model; the old one 10 h before the window
  ...dcgm(
    { node: 'swap', uuid: 'GPU-aaa', model: 'NVIDIA A100-SXM4-80GB' },
    scrapes({ from: ago(12 * HOUR), to: ago(10 * HOUR) }),
    { [temp]: 50 },
  ),
  ...dcgm({ node: 'swap', uuid: 'GPU-bbb' }, times, { [temp]: 60 }),
  // MIG until 10 h ago
  ...['1', '2'].flatMap((id) =>
    dcgm({ node: 'unmig', extra: { GPU_I_ID: id } }, scrapes({ from: ago(12 * HOUR), to: ago(10 * HOUR) }), {
      [temp]: 50,
    }),
  ),
  ...dcgm({ node: 'unmig' }, times, { [temp]: 60 }),
  // one MIG instance's memory is a blank for three scrapes
  ...['1', '2'].flatMap((id) =>
    dcgm({ node: 'mig', extra: { GPU_I_ID: id } }, times, {
      [temp]: 50,
      DCGM_FI_DEV_FB_USED: id === '1' ? 20_480 : except(10_240, 2_147_483_632, [half, half + 90]),
    }),
  ),
];
const red: Series[] = [
  // the second of two partitions is idle half the time
  ...[0, 1].flatMap((p) =>
    amd({ node: 'dpx', id: p, partition: p, mode: 'dpx', serial: 'S1' }, times, {
      gpu_junction_temperature: p ? 0 : 60,
      gpu_gfx_activity: p === 0 ? 80 : (t: number) => (t > half ? 0 : 20),
    }),
  ),
  // an exporter before 1.4 prints 0 for what the board does not have
  ...amd({ node: 'mi250', model: 'AMD Instinct MI250' }, times, {
    gpu_junction_temperature: 0,
    gpu_edge_temperature: 55,
    gpu_package_power: 0,
    gpu_average_package_power: 410,
    gpu_memory_temperature: 0,
  }),
  ...amd({ node: 'mi250', model: 'AMD Instinct MI250', extra: { hbm_index: '0' } }, times, { gpu_hbm_temperature: 61 }),
  // partitions without a serial
  ...[0, 1].flatMap((p) =>
    amd(
      { node: 'guest', id: p, partition: p, mode: 'dpx', serial: '' },
      times,
      p === 0 ? { gpu_junction_temperature: 60, gpu_package_power: 700 } : { gpu_package_power: 0, gpu_used_vram: 100 },
    ),
  ),
];
let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'h', series: all },
    { name: 'g', series: gpus },
    { name: 'r', vendor: 'amd', series: red },
  ]);
});
afterAll(() => world?.close());
const hostOf = async (n: string) =>
  (
    await askNode(
      await world.gateway(),
      'h',
      `h${n}`,
      'host { cpuBusyPct { mean max min } loadPerCore { mean last } pressure { io { mean max } } }',
    )
  ).host;
test('load per core of a host that two scrapers see', async () =>
  expect((await hostOf('1')).loadPerCore.mean).toBeCloseTo(2, 3));
test('load per core of a host whose exporter restarted under another pod name', async () =>
  expect((await hostOf('2')).loadPerCore.last).toBeCloseTo(2, 3));
test('CPU of a host that two scrapers see', async () => {
  const h = (await hostOf('1')).cpuBusyPct;
  expect(h.mean).toBeCloseTo(25, 0);
  expect(h.max).toBeLessThan(27);
});
test('CPU of a host whose exporter restarted', async () => {
  const h = (await hostOf('2')).cpuBusyPct;
  expect(h.max).toBeLessThan(27);
  expect(h.min).toBeGreaterThan(23);
});
test('CPU of an idle host of which one scraper ends', async () => {
  const h = (await hostOf('3')).cpuBusyPct;
  expect(h.max).toBeLessThan(27);
});
test('a share of time above 100 % is no reading', async () => {
  const h = (await hostOf('4')).pressure.io;
  expect(h.max).toBeLessThanOrEqual(101);
});
const gpu = async (c: string, node: string, sel: string, index = 0) =>
  askGpu(await world.gateway(), c, node, sel, { range: 'LAST_1H' }, index);
test('percent under the ratio name and the new driver label', async () =>
  expect((await gpu('g', 'b', 'utilPct { mean }')).utilPct?.mean).toBeCloseTo(60, -1));
test('model and uuid are the same board’s', async () =>
  expect(await gpu('g', 'swap', 'uuid model')).toEqual({ uuid: 'GPU-bbb', model: 'H100' }));
test('sharing is that of the window', async () =>
  expect((await gpu('g', 'unmig', 'sharing')).sharing).toBe('EXCLUSIVE'));
test('memory of MIG instances of which one is blank', async () =>
  expect((await gpu('g', 'mig', 'hbmUsedGib { min max }')).hbmUsedGib).toEqual({ min: 30, max: 30 }));
test('edge temperature where the junction prints 0', async () =>
  expect((await gpu('r', 'mi250', 'tempC { mean }')).tempC?.mean).toBe(55));
test('stack temperature where the memory sensor prints 0', async () =>
  expect((await gpu('r', 'mi250', 'memoryTempC { mean }')).memoryTempC?.mean).toBe(61));
test('average power where the package power is unsupported and prints 0', async () =>
  expect((await gpu('r', 'mi250', 'powerW { mean }')).powerW?.mean).toBe(410));
test('a partition without serial that reads 0 W is not measured', async () =>
  expect((await gpu('r', 'guest', 'powerW { mean }', 1)).powerW).toBeNull());

test('an idle partition beside a busy one is half the activity, not none of it', async () =>
  expect((await gpu('r', 'dpx', 'utilPct { min max }')).utilPct).toEqual({ min: 40, max: 50 }));
