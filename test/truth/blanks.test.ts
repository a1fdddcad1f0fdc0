import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askNode, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series } from '../support/fleet/series.ts';
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
    [metric === 'gpu_junction_temperature' ? 'gpu_package_power' : 'gpu_junction_temperature']: 60,
    [metric]: except(usual, odd, ...leaks),
  }),
);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'leaks', series: green },
    { name: 'red-leaks', vendor: 'amd', series: redSeries },
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
