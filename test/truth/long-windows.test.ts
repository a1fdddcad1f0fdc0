import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd, amdArray } from '../support/fleet/amd.ts';
import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askGpu, askNode, span, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { churned, except, type Labels, type Series, type Value } from '../support/fleet/series.ts';
import { greatest, mean, riseOf, type Sample, samplesOf, seriesOf, sum, together } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around, fraction } from '../support/fleet/wobble.ts';

/** Nothing was scraped for three hours, and for six minutes. */
const holes = [
  [ago(5 * DAY), ago(5 * DAY) + 3 * HOUR],
  [ago(2 * DAY), ago(2 * DAY) + 6 * MINUTE],
] as const;
const times = scrapes({ from: ago(8 * DAY), holes });

/** Blanks of a minute, some days apart. */
const blanks = [6, 4, 3, 1].map((days) => [ago(days * DAY) + 777, ago(days * DAY) + 837] as const);
const isBlank = (time: number): boolean => blanks.some(([from, to]) => time > from && time <= to);

/** A pod takes over at odd moments, so that buckets hold a little of one and much of the other. */
const lives = (node: string): (readonly [number, Labels])[] =>
  Array.from({ length: 27 }, (_, at) => [
    ago(8 * DAY) + at * 7.31 * HOUR,
    dcgmLabels({ node, ...(at % 5 === 4 ? {} : { pod: `train-${at}` }) }),
  ]);
const counter = (key: string, step: number) => {
  let value = 1000;
  const counts = new Map(
    times.map((time) => {
      if (fraction(`${key} rise`, time) > 0.995) value += Math.ceil(step * fraction(`${key} step`, time));
      if (fraction(`${key} reset`, time) > 0.9995) value = 0;
      return [time, value];
    }),
  );
  return (time: number): number => counts.get(time)!;
};
const values: [field: string, metric: string, scale: number, value: Value][] = [
  ['tempC', 'DCGM_FI_DEV_GPU_TEMP', 1, except(around('long temp', 60, 25), 2_147_483_632, ...blanks)],
  [
    'tensorActivePct',
    'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE',
    100,
    except(around('long tensor', 0.5, 0.5, 3), 9000, ...blanks),
  ],
  ['hbmUsedGib', 'DCGM_FI_DEV_FB_USED', 1 / 1024, around('long fb', 40_000, 30_000)],
];
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const thermal = 'DCGM_FI_DEV_THERMAL_VIOLATION';
const churning: Series[] = [
  ...values.map(([, metric, , value]) => [metric, value] as const),
  [replay, counter('replay', 3)] as const,
  [thermal, counter('thermal', 9e8)] as const,
].flatMap(([metric, value]) => churned(metric, times, value, lives('w1')));

const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const used = 'DCGM_FI_DEV_FB_USED';
const sliced = (['1', '2'] as const).flatMap((id, at) =>
  dcgm({ node: 'mig', extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } }, times, {
    DCGM_FI_DEV_GPU_TEMP: around('mig temp', 60, 9),
    [tensor]: around(`mig tensor ${id}`, 0.3 + 0.2 * at, 0.2, 3),
    [used]: around(`mig fb ${id}`, 10_000 + 5000 * at, 4000),
  }),
);
const clocks = [0, 1, 2].map((xcc) => around(`xcc ${xcc}`, 2000, 300));
const red = [
  ...amd({ node: 'm1' }, times, { gpu_junction_temperature: around('m1', 60, 9) }),
  ...amdArray({ node: 'm1' }, times, 'gpu_clock', 'clock_index', clocks, { clock_type: 'system' }),
];
const whole = dcgm(
  { node: 'whole' },
  scrapes({ from: ago(8 * DAY), holes: [[ago(3 * DAY), ago(3 * DAY) + 4 * MINUTE]] }),
  {
    DCGM_FI_DEV_GPU_TEMP: 60,
  },
);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'long', series: [...churning, ...sliced, ...whole] },
    { name: 'red', vendor: 'amd', series: red },
  ]);
});
afterAll(() => world?.close());

const windows: [string, WindowInput, { start: number; end: number; points?: number }][] = [
  ['a week', { range: 'LAST_7D' }, { start: ago(7 * DAY), end: NOW }],
  ['a week in 96 points', { range: 'LAST_7D', points: 96 }, { start: ago(7 * DAY), end: NOW, points: 96 }],
  ['three days and 17 seconds', span(ago(3 * DAY) - 17, NOW), { start: ago(3 * DAY) - 17, end: NOW }],
  [
    'days that end in the past',
    span(ago(6.5 * DAY), ago(11 * HOUR) - 7),
    { start: ago(6.5 * DAY), end: ago(11 * HOUR) - 7 },
  ],
  ['14 days, of which six hold nothing', span(ago(14 * DAY), NOW), { start: ago(14 * DAY), end: NOW }],
];

describe.each(windows)('over %s', (_name, window, over) => {
  test.each(values.map(([field, metric, scale]) => [field, metric, scale] as const))(
    '%s under changing pods, with blanks and holes, is what %s holds',
    async (field, metric, scale) => {
      const kept = samplesOf(churning, metric, {}, scale).filter(([time]) => field === 'hbmUsedGib' || !isBlank(time));
      const got = await askGpu(await world.gateway(), 'long', 'w1', `${field} ${wholeSeries}`, window);
      expect(differences(field, seriesOf(kept, over), got[field])).toEqual([]);
    },
  );

  test('counts and throttle seconds are exact', async () => {
    const expected = {
      errors: { pcieReplay: riseOf(samplesOf(churning, replay), over) },
      throttle: { thermalS: riseOf(samplesOf(churning, thermal), over) / 1e9 },
    };
    const got = await askGpu(
      await world.gateway(),
      'long',
      'w1',
      'errors { pcieReplay } throttle { thermalS }',
      window,
    );
    expect(expected.errors.pcieReplay, 'it counts at all').toBeGreaterThan(40);
    expect(differences('gpu', expected, got)).toEqual([]);
  });

  test('MIG instances are joined instant by instant', async () => {
    const instances = (metric: string, scale: number): Sample[][] =>
      ['1', '2'].map((id) => samplesOf(sliced, metric, { GPU_I_ID: id }, scale));
    const expected = {
      tempC: seriesOf(samplesOf(sliced, 'DCGM_FI_DEV_GPU_TEMP'), over),
      tensorActivePct: seriesOf(together(instances(tensor, 100), mean), over),
      hbmUsedGib: seriesOf(together(instances(used, 1 / 1024), sum), over),
    };
    const fields = Object.keys(expected).map((field) => `${field} ${wholeSeries}`);
    expect(
      differences('gpu', expected, await askGpu(await world.gateway(), 'long', 'mig', fields.join(' '), window)),
    ).toEqual([]);
  });

  test('the fastest XCC is found instant by instant', async () => {
    const each = clocks.map((_, xcc) => samplesOf(red, 'amd_gpu_clock', { clock_index: String(xcc) }));
    const got = await askGpu(await world.gateway(), 'red', 'm1', `smClockMhz ${wholeSeries}`, window);
    expect(differences('smClockMhz', seriesOf(together(each, greatest), over), got.smClockMhz)).toEqual([]);
  });
});

test('six minutes of silence in a week are named, four are not', async () => {
  const gateway = await world.gateway();
  const noteOf = async (node: string): Promise<string> =>
    (await askNode(gateway, 'long', node, 'note', { range: 'LAST_7D' })).note ?? '';
  const speaksOf0 = /\b(?:GPUs?|w1|whole)\b[^.;\n]*\b0\b/i;
  expect(await noteOf('w1')).toMatch(speaksOf0);
  expect(await noteOf('whole')).not.toMatch(speaksOf0);
  const lately = await askNode(gateway, 'long', 'w1', 'note', span(ago(2 * DAY) - HOUR, ago(2 * DAY) + HOUR));
  expect(lately.note).toMatch(speaksOf0);
});
