import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fullAmd, MI355X } from '../support/fleet/amd.ts';
import { ago, DAY, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { fullList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askGpu, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { greatest, inside, samplesOf, seriesOf, together, valuesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const days = { from: ago(30 * HOUR) };
const nvidia = [0, 1].flatMap((index) =>
  dcgm({ node: 'n1', index, pod: 'train-0' }, scrapes(days), fullList(`n1/${index}`)),
);
const amd = [0, 1].flatMap((id) => fullAmd({ node: 'm1', id }, scrapes({ ...days, phase: 11.04 })));

/** Field, where its samples are, and what makes a value of one. */
const nvidiaFields: [string, string, number][] = [
  ['tempC', 'DCGM_FI_DEV_GPU_TEMP', 1],
  ['memoryTempC', 'DCGM_FI_DEV_MEMORY_TEMP', 1],
  ['smClockMhz', 'DCGM_FI_DEV_SM_CLOCK', 1],
  ['memClockMhz', 'DCGM_FI_DEV_MEM_CLOCK', 1],
  ['utilPct', 'DCGM_FI_DEV_GPU_UTIL', 1],
  ['smActivePct', 'DCGM_FI_PROF_SM_ACTIVE', 100],
  ['dramActivePct', 'DCGM_FI_PROF_DRAM_ACTIVE', 100],
  ['tensorActivePct', 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 100],
  ['powerW', 'DCGM_FI_DEV_POWER_USAGE', 1],
  ['hbmUsedGib', 'DCGM_FI_DEV_FB_USED', 1 / 1024],
];
const amdFields: [string, string, number][] = [
  ['tempC', 'amd_gpu_junction_temperature', 1],
  ['memoryTempC', 'amd_gpu_memory_temperature', 1],
  ['utilPct', 'amd_gpu_gfx_activity', 1],
  ['smActivePct', 'amd_gpu_prof_sm_active', 1],
  ['dramActivePct', 'amd_gpu_umc_activity', 1],
  ['tensorActivePct', 'amd_gpu_prof_tensor_active_percent', 1],
  ['powerW', 'amd_gpu_package_power', 1],
  ['hbmUsedGib', 'amd_gpu_used_vram', 1 / 1024],
];

const windows: [string, WindowInput, number][] = [
  ['an hour, three samples a bucket', { range: 'LAST_1H' }, HOUR],
  ['an hour in 96 points, two samples a bucket', { range: 'LAST_1H', points: 96 }, HOUR],
  ['six hours', { range: 'LAST_6H' }, 6 * HOUR],
  ['a day', { range: 'LAST_24H' }, DAY],
  ['a day as one bucket', { range: 'LAST_24H', points: 1 }, DAY],
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'green', series: nvidia },
    { name: 'red', vendor: 'amd', series: amd },
  ]);
});
afterAll(() => world?.close());

describe.each(windows)('over %s', (_window, window, length) => {
  const over = { start: ago(length), end: NOW, points: window.points ?? 48 };

  test.each(nvidiaFields)('NVIDIA %s is what %s holds', async (field, metric, scale) => {
    const expected = seriesOf(samplesOf(nvidia, metric, { gpu: '1' }, scale), over);
    const got = await askGpu(await world.gateway(), 'green', 'n1', `${field} ${wholeSeries}`, window, 1);
    expect(differences(field, expected, got[field])).toEqual([]);
  });

  test.each(amdFields)('AMD %s is what %s holds', async (field, metric, scale) => {
    const expected = seriesOf(samplesOf(amd, metric, { gpu_id: '1' }, scale), over);
    const got = await askGpu(await world.gateway(), 'red', 'm1', `${field} ${wholeSeries}`, window, 1);
    expect(differences(field, expected, got[field])).toEqual([]);
  });

  test('AMD smClockMhz is the fastest of the XCCs at each instant, memClockMhz the memory clock', async () => {
    const clock = (type: string, index: number) =>
      samplesOf(amd, 'amd_gpu_clock', { gpu_id: '0', clock_type: type, clock_index: String(index) });
    const expected = {
      smClockMhz: seriesOf(
        together(
          [0, 1, 2, 3].map((xcc) => clock('system', xcc)),
          greatest,
        ),
        over,
      ),
      memClockMhz: seriesOf(clock('memory', 0), over),
    };
    const both = `smClockMhz ${wholeSeries} memClockMhz ${wholeSeries}`;
    expect(differences('gpu', expected, await askGpu(await world.gateway(), 'red', 'm1', both, window))).toEqual([]);
  });

  test.each([
    ['green', 'n1', nvidia, 'DCGM_FI_DEV_GPU_TEMP', { gpu: '0' }],
    ['red', 'm1', amd, 'amd_gpu_junction_temperature', { gpu_id: '0' }],
  ] as const)('peakTempC on %s is the hottest raw sample and tempC.max', async (cluster, node, all, metric, gpu) => {
    const peak = greatest(valuesOf(inside(samplesOf(all, metric, gpu), over.start, over.end)));
    const got = await askGpu(await world.gateway(), cluster, node, 'peakTempC tempC { max }', window);
    expect(differences('gpu', { peakTempC: peak, tempC: { max: peak } }, got)).toEqual([]);
  });
});

describe('whatever else is selected, a reading is the same', () => {
  const parts = [
    't0',
    'stepS',
    'values',
    'mean',
    'min',
    'max',
    'last',
    'lastAt',
    'mean max',
    'values last',
    'lastAt min',
  ];

  test.each(windows.flatMap(([name, window, length]) => parts.map((part) => [part, name, window, length] as const)))(
    'only { %s } over %s',
    async (part, _name, window, length) => {
      const over = { start: ago(length), end: NOW, points: window.points ?? 48 };
      const power = seriesOf(samplesOf(nvidia, 'DCGM_FI_DEV_POWER_USAGE', { gpu: '0' }), over)!;
      const tensor = seriesOf(samplesOf(nvidia, 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', { gpu: '0' }, 100), over)!;
      const only = (all: object) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => part.split(' ').includes(key)));
      const expected = { powerW: only(power), tensorActivePct: only(tensor) };
      const selection = `powerW { ${part} } tensorActivePct { ${part} }`;
      const got = await askGpu(await world.gateway(), 'green', 'n1', selection, window);
      expect(differences('gpu', expected, got)).toEqual([]);
    },
  );

  test('peakTempC needs no tempC beside it', async () => {
    const peak = greatest(valuesOf(inside(samplesOf(nvidia, 'DCGM_FI_DEV_GPU_TEMP', { gpu: '0' }), ago(DAY), NOW)));
    const got = await askGpu(await world.gateway(), 'green', 'n1', 'peakTempC', { range: 'LAST_24H' });
    expect(differences('gpu', { peakTempC: peak }, got)).toEqual([]);
  });
});

test('a GPU knows its index, its identity and its model', async () => {
  const seen = 'index uuid model sharing';
  const green = await askGpu(await world.gateway(), 'green', 'n1', seen, undefined, 1);
  expect(green).toEqual({ index: 1, uuid: 'GPU-n1-1', model: 'H100', sharing: 'EXCLUSIVE' });
  // contract is silent: whether an AMD serial number serves as `uuid`, so only the rest is looked at.
  const red = await askGpu(await world.gateway(), 'red', 'm1', seen, undefined, 1);
  expect(red).toMatchObject({ index: 1, sharing: 'EXCLUSIVE' });
  expect([MI355X, 'MI355X'], 'model').toContain(red.model);
});
