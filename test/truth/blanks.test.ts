import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askNode, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series, stepped } from '../support/fleet/series.ts';
import { samplesOf, seriesOf } from '../support/fleet/truth.ts';
import { keepsEveryDouble, startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const half = ago(30 * MINUTE);
/** Two samples in the middle of a bucket, and further on a stretch that is longer than a bucket. */
const leaks = [
  [half + 40, half + 100],
  [half + 600, half + 900],
] as const;
const isLeaked = (time: number): boolean => leaks.some(([from, to]) => time > from && time <= to);

const temp = 'DCGM_FI_DEV_GPU_TEMP';
type Leak = [
  behaviour: string,
  field: string,
  metric: string,
  usual: (time: number) => number,
  odd: number,
  scale: number,
];

const nvidia: Leak[] = [
  ['a blank of 32 bits', 'tempC', temp, around('t', 60, 8), 2_147_483_632, 1],
  ['another of 32 bits', 'memoryTempC', 'DCGM_FI_DEV_MEMORY_TEMP', around('mt', 70, 8), 2_147_483_635, 1],
  ['a blank of 64 bits', 'tempC', temp, around('t', 60, 8), 9.223372036854776e18, 1],
  [
    'a blank of the floating kind',
    'powerW',
    'DCGM_FI_DEV_POWER_USAGE',
    around('p', 500, 90, 3),
    140_737_488_355_328,
    1,
  ],
  ['a utilization of 4294967295 %', 'utilPct', 'DCGM_FI_DEV_GPU_UTIL', around('u', 70, 20), 4_294_967_295, 1],
  ['a utilization of 250 %', 'utilPct', 'DCGM_FI_DEV_GPU_UTIL', around('u', 70, 20), 250, 1],
  ['a fraction of 40', 'smActivePct', 'DCGM_FI_PROF_SM_ACTIVE', around('s', 0.6, 0.3, 6), 40, 100],
  [
    'a blank fraction',
    'tensorActivePct',
    'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE',
    around('x', 0.5, 0.3, 6),
    140_737_488_355_329,
    100,
  ],
  ['terawatts', 'powerW', 'DCGM_FI_DEV_POWER_USAGE', around('p', 500, 90, 3), 1e12, 1],
  ['a clock of two petahertz', 'smClockMhz', 'DCGM_FI_DEV_SM_CLOCK', around('c', 1700, 90), 2_147_483_633, 1],
  [
    'memory beyond any board',
    'hbmUsedGib',
    'DCGM_FI_DEV_FB_USED',
    around('f', 50_000, 900),
    9.223372036854776e18,
    1 / 1024,
  ],
  ['a temperature below zero', 'tempC', temp, around('t', 60, 8), -273, 1],
];
const nonFinite: Leak[] = [
  ['NaN', 'tempC', temp, around('t', 60, 8), Number.NaN, 1],
  ['+Inf', 'powerW', 'DCGM_FI_DEV_POWER_USAGE', around('p', 500, 90, 3), Number.POSITIVE_INFINITY, 1],
  ['-Inf', 'dramActivePct', 'DCGM_FI_PROF_DRAM_ACTIVE', around('d', 0.5, 0.2, 6), Number.NEGATIVE_INFINITY, 100],
];
const red: Leak[] = [
  ['65535 °C', 'tempC', 'gpu_junction_temperature', around('t', 60, 8), 65_535, 1],
  ['255 °C', 'memoryTempC', 'gpu_memory_temperature', around('t', 60, 8), 255, 1],
  ['32 bits of ones', 'utilPct', 'gpu_gfx_activity', around('u', 70, 20), 4_294_967_295, 1],
  ['64 bits of ones', 'powerW', 'gpu_package_power', around('p', 900, 90), 1.8446744073709552e19, 1],
];
/** Blanks that some stores cannot hold, or not without harm to their neighbours. */
const brittle = new Set(['a blank fraction', 'NaN', '64 bits of ones']);
const held = ([behaviour]: Leak): boolean => keepsEveryDouble || !brittle.has(behaviour);
const leaky = [...nvidia, ...nonFinite].filter(held);
const redLeaky = red.filter(held);
const greenNode = (at: number): string => `leak-${at}`;

const green: Series[] = leaky.flatMap(([, , metric, usual, odd], at) => {
  const times = scrapes({ from: ago(25 * HOUR) });
  const other = metric === temp ? 'DCGM_FI_DEV_MEM_CLOCK' : temp;
  return dcgm({ node: greenNode(at) }, times, { [metric]: except(usual, odd, ...leaks), [other]: 60 });
});
const redNode = (at: number): string => `red-leak-${at}`;
const redSeries: Series[] = redLeaky.flatMap(([, , metric, usual, odd], at) =>
  amd({ node: redNode(at) }, scrapes({ from: ago(25 * HOUR) }), {
    gpu_edge_temperature: 50,
    [metric]: except(usual, odd, ...leaks),
  }),
);

const hour = scrapes();
const odd: Series[] = [
  ...dcgm({ node: 'no-sensor' }, hour, { [temp]: 55, DCGM_FI_DEV_MEMORY_TEMP: 0 }),
  ...dcgm({ node: 'all-blank' }, hour, { [temp]: 2_147_483_632, DCGM_FI_DEV_POWER_USAGE: 300 }),
  ...dcgm({ node: 'idle' }, hour, {
    [temp]: 30,
    DCGM_FI_DEV_GPU_UTIL: 0,
    DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: 0,
    DCGM_FI_DEV_FB_USED: 0,
  }),
  ...dcgm({ node: 'gap' }, scrapes({ holes: [[half, half + 4 * MINUTE]] }), { [temp]: 55 }),
  ...dcgm({ node: 'before' }, hour, { [temp]: 55 }),
  ...dcgm({ node: 'before' }, scrapes({ to: ago(HOUR) }), { DCGM_FI_DEV_POWER_USAGE: 300 }),
  ...dcgm({ node: 'ends-blank' }, hour, {
    [temp]: except(stepped(50, [NOW - 60, 55]), 2_147_483_634, [NOW - 30, NOW]),
  }),
  ...dcgm({ node: 'limits' }, hour, {
    [temp]: 55,
    DCGM_FI_DEV_GPU_UTIL: stepped(0, [half, 100]),
    DCGM_FI_PROF_SM_ACTIVE: 1,
  }),
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'leaks', series: green },
    { name: 'red-leaks', vendor: 'amd', series: redSeries },
    { name: 'odd', series: odd },
  ]);
});
afterAll(() => world?.close());

const discarded = /discard|implausib|blank|dropped|ignored|left out|not counted|cannot have/i;
const windows: [string, WindowInput, number][] = [
  ['an hour', { range: 'LAST_1H' }, HOUR],
  ['six hours', { range: 'LAST_6H' }, 6 * HOUR],
  ['a day', { range: 'LAST_24H' }, DAY],
];

describe.each(windows)('over %s', (_name, window, length) => {
  const over = { start: ago(length), end: NOW };

  test.each(leaky.map(([behaviour, field], at) => [behaviour, field, at] as const))(
    '%s is no %s, and the note says that samples were discarded',
    async (_behaviour, field, at) => {
      const [, , metric, , , scale] = leaky[at]!;
      const kept = samplesOf(green, metric, { Hostname: greenNode(at) }, scale).filter(([time]) => !isLeaked(time));
      const selection = `note gpus { ${field} ${wholeSeries} }`;
      const { note, gpus } = await askNode(await world.gateway(), 'leaks', greenNode(at), selection, window);
      expect(differences(field, seriesOf(kept, over), gpus[0][field])).toEqual([]);
      expect(note, 'note').toMatch(discarded);
    },
  );

  test.each(redLeaky.map(([behaviour, field], at) => [behaviour, field, at] as const))(
    'AMD: %s is no %s',
    async (_behaviour, field, at) => {
      const [, , metric, , , scale] = redLeaky[at]!;
      const kept = samplesOf(redSeries, `amd_${metric}`, { hostname: redNode(at) }, scale).filter(
        ([time]) => !isLeaked(time),
      );
      const selection = `gpus { ${field} ${wholeSeries} }`;
      const { gpus } = await askNode(await world.gateway(), 'red-leaks', redNode(at), selection, window);
      expect(differences(field, seriesOf(kept, over), gpus[0][field])).toEqual([]);
    },
  );

  test('none of them is a peak', async () => {
    const { gpus } = await askNode(await world.gateway(), 'leaks', greenNode(0), 'gpus { peakTempC }', window);
    expect(gpus[0].peakTempC).toBeLessThan(80);
  });
});

describe('null, zero and gap', () => {
  const read = async (node: string, field: string) =>
    (await askNode(await world.gateway(), 'odd', node, `gpus { ${field} ${wholeSeries} }`)).gpus[0][field];

  test('a memory temperature of 0 throughout is a missing sensor: null', async () => {
    expect(await read('no-sensor', 'memoryTempC')).toBeNull();
  });

  test('a reading of which every sample is a blank is null whole', async () => {
    expect(await read('all-blank', 'tempC')).toBeNull();
    const { gpus } = await askNode(await world.gateway(), 'odd', 'all-blank', 'gpus { peakTempC powerW { mean } }');
    expect(gpus).toEqual([{ peakTempC: null, powerW: { mean: 300 } }]);
  });

  test.each(['utilPct', 'tensorActivePct', 'hbmUsedGib'])('%s of an idle GPU is zeros, not null', async (field) => {
    const series = await read('idle', field);
    expect(series).toMatchObject({ mean: 0, min: 0, max: 0, last: 0 });
    expect(new Set(series.values)).toEqual(new Set([0]));
  });

  test('the last reading is the newest that is one', async () => {
    const over = { start: ago(HOUR), end: NOW };
    const kept = samplesOf(odd, temp, { Hostname: 'ends-blank' }).filter(([, value]) => value < 100);
    expect(seriesOf(kept, over)).toMatchObject({ last: 55, lastAt: '2026-06-01T11:59:07Z' });
    expect(differences('tempC', seriesOf(kept, over), await read('ends-blank', 'tempC'))).toEqual([]);
  });

  test('a reading that nobody exports is null', async () => {
    expect(await read('idle', 'powerW')).toBeNull();
  });

  test('a reading that ended before the window is null', async () => {
    expect(await read('before', 'powerW')).toBeNull();
  });

  test('a gap is nulls in just the buckets that hold no sample', async () => {
    const over = { start: ago(HOUR), end: NOW };
    const expected = seriesOf(samplesOf(odd, temp, { Hostname: 'gap' }), over)!;
    expect(expected.values.filter((value) => value === null)).toHaveLength(2);
    expect(differences('tempC', expected, await read('gap', 'tempC'))).toEqual([]);
  });

  test('the ends of a plausible range are readings: 0 %, 100 %, a fraction of 1', async () => {
    expect(await read('limits', 'utilPct')).toMatchObject({ min: 0, max: 100 });
    expect(await read('limits', 'smActivePct')).toMatchObject({ min: 100, max: 100 });
  });

  test.each(['idle', 'limits'])('the note of %s speaks of no discarded samples', async (node) => {
    const { note } = await askNode(await world.gateway(), 'odd', node, 'note gpus { utilPct { mean } }');
    expect(note ?? '').not.toMatch(discarded);
  });
});
