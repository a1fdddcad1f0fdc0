import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, DAY, HOUR, iso, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { between, differences } from '../support/fleet/differences.ts';
import { askCluster, askGpu, span, wholeSeries, type WindowInput } from '../support/fleet/questions.ts';
import { except } from '../support/fleet/series.ts';
import { greatest, gridOf, inside, least, samplesOf, seriesOf, valuesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const steady = dcgm({ node: 'steady' }, scrapes({ from: ago(7 * HOUR) }), { [temp]: around('steady', 60, 12) });
/** Scraped exactly on the window's edges, and hottest just where a window begins and ends. */
const edges = dcgm({ node: 'edges' }, scrapes({ from: ago(3 * HOUR), phase: 0 }), {
  [temp]: except(except(around('edges', 50, 4), 99, [ago(HOUR) - 1, ago(HOUR)]), 88, [NOW - 1, NOW]),
});
const slow = dcgm({ node: 'slow' }, scrapes({ every: 60 }), { [temp]: around('slow', 70, 10) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'windows', series: [...steady, ...edges] },
    { name: 'slow', series: slow },
  ]);
});
afterAll(() => world?.close());

const resolved = 'window { start end stepS points }';

describe('a window is resolved to', () => {
  const six = { start: iso(ago(6 * HOUR)), end: iso(NOW), stepS: 450, points: 48 };
  test.each<[string, WindowInput | null, object]>([
    ['six hours in 48 points where nothing is said', {}, six],
    ['the same for an explicit null', null, six],
    ['the same for nulls inside', { range: null, points: null }, six],
    [
      'an hour: the step is rounded up to whole 30 s',
      { range: 'LAST_1H' },
      { start: iso(ago(HOUR)), stepS: 90, points: 40 },
    ],
    ['a day', { range: 'LAST_24H' }, { start: iso(ago(DAY)), end: iso(NOW), stepS: 1800, points: 48 }],
    ['a week', { range: 'LAST_7D' }, { start: iso(ago(7 * DAY)), end: iso(NOW), stepS: 12_600, points: 48 }],
    ['one point', { range: 'LAST_6H', points: 1 }, { stepS: 21_600, points: 1 }],
    ['at most 96 points', { range: 'LAST_6H', points: 96 }, { stepS: 240, points: 90 }],
    ['30 s at the least', span(ago(10 * MINUTE), NOW, 96), { stepS: 30, points: 20 }],
    [
      'its start and end',
      span(ago(5 * HOUR), ago(3 * HOUR)),
      { start: iso(ago(5 * HOUR)), end: iso(ago(3 * HOUR)), stepS: 150 },
    ],
    [
      'start and end even where a range is given',
      { range: 'LAST_1H', ...span(ago(5 * HOUR), ago(HOUR)) },
      { stepS: 300 },
    ],
    ['an end of now where it is left out', { start: iso(ago(2 * HOUR)) }, { end: iso(NOW), stepS: 150, points: 48 }],
    ['14 days at the most', { start: iso(ago(14 * DAY)), end: iso(NOW) }, { stepS: 25_200, points: 48 }],
    ['a span that is no whole number of steps', span(ago(3617), NOW), { start: iso(ago(3617)), stepS: 90, points: 41 }],
    [
      'UTC where the client wrote an offset, whole seconds where it wrote a fraction',
      { start: '2026-06-01T12:00:00.900+02:00', end: '2026-06-01T08:00:00.25-03:00' },
      { start: '2026-06-01T10:00:00Z', end: '2026-06-01T11:00:00Z', stepS: 90, points: 40 },
    ],
  ])('%s', async (_behaviour, window, expected) => {
    const document = `query ($window: WindowInput) { cluster(name: "windows", window: $window) { ${resolved} } }`;
    const { data, errors } = await (await world.gateway()).query(document, { window });
    expect(errors ?? []).toEqual([]);
    expect(differences('window', expected, data.cluster.window)).toEqual([]);
  });

  test.each([
    [NOW, NOW],
    [NOW + 0.4, NOW],
    [NOW + 29.999, NOW],
    [NOW + 30, NOW + 30],
    [NOW - 0.001, NOW - 30],
  ])('at %d a range ends at %d: the last whole 30 s', async (now, end) => {
    const { window } = await askCluster(await world.gateway({ now }), 'windows', resolved);
    expect(window).toEqual({ start: iso(end - HOUR), end: iso(end), stepS: 90, points: 40 });
  });
});

test('a range ends earlier where the store hides its newest samples', async () => {
  const { window } = await askCluster(await world.gateway({ ingestLagS: 45 }), 'windows', resolved);
  expect(window).toMatchObject({ start: iso(NOW - 60 - HOUR), end: iso(NOW - 60) });
});

test('one operation reads the clock once', async () => {
  let clock = NOW - 31;
  const gateway = await world.gateway({ now: () => (clock += 31) });
  const one = (alias: string): string =>
    `${alias}: cluster(name: "windows", window: { range: LAST_1H }) { ${resolved} nodes { nodes { gpus { tempC { t0 } } } } }`;
  const { data } = await gateway.query(`{ ${['a', 'b', 'c'].map(one).join(' ')} }`);
  expect(data.b).toEqual(data.a);
  expect(data.c).toEqual(data.a);
});

describe('buckets', () => {
  test.each([
    ['of a span of whole steps begin at the start', ago(HOUR), NOW, 48],
    ['of any other span are anchored at the end, the first holds only what is inside', ago(3617), NOW, 48],
    ['need not be aligned to anything', ago(5000) + 13, ago(77), 48],
    ['may be one', ago(6 * HOUR), NOW, 1],
    ['may be 96', ago(6 * HOUR), NOW, 96],
    ['may be as short as one scrape', ago(24 * MINUTE), NOW, 48],
  ])('%s', async (_behaviour, start, end, points) => {
    const expected = seriesOf(samplesOf(steady, temp), { start, end, points });
    const got = await askGpu(
      await world.gateway(),
      'windows',
      'steady',
      `tempC ${wholeSeries}`,
      span(start, end, points),
    );
    expect(differences('tempC', expected, got.tempC)).toEqual([]);
  });

  test.each([1, 7, 48, 96])('everything but values is the same in %i points', async (points) => {
    const {
      values: _values,
      t0: _t0,
      stepS: _stepS,
      ...expected
    } = seriesOf(samplesOf(steady, temp), {
      start: ago(4000),
      end: ago(11),
    })!;
    const { tempC } = await askGpu(
      await world.gateway(),
      'windows',
      'steady',
      'tempC { mean min max last lastAt }',
      span(ago(4000), ago(11), points),
    );
    expect(differences('tempC', expected, tempC)).toEqual([]);
  });
});

describe('a sample on an edge', () => {
  test.each([
    ['the end is in the window, one on the start is not', ago(HOUR), NOW],
    ['the end belongs to the earlier of two windows that adjoin', ago(2 * HOUR), ago(HOUR)],
  ])('on %s', async (_behaviour, start, end) => {
    const expected = seriesOf(samplesOf(edges, temp), { start, end });
    const got = await askGpu(await world.gateway(), 'windows', 'edges', `tempC ${wholeSeries}`, span(start, end));
    expect(differences('tempC', expected, got.tempC)).toEqual([]);
  });
});

// contract is silent: whether a bucket that looks back further than itself is the mean of all it sees or of its own
// samples where it has any. Either is accepted; a hole, or a value that nobody measured, is not.
test('scrapes rarer than the step punch no holes', async () => {
  const start = ago(24 * MINUTE);
  const { stepS, points, t0 } = gridOf({ start, end: NOW });
  expect(stepS).toBe(30);
  const seen = samplesOf(slow, temp);
  const values = Array.from({ length: points }, (_, slot) => {
    const right = t0 + (slot + 1) * stepS;
    const back = valuesOf(inside(seen, right - 90, right));
    return slot === 0 ? undefined : between(least(back), greatest(back));
  });
  const gateway = await world.gateway({ scrapeIntervalS: 60 });
  const { tempC } = await askGpu(gateway, 'slow', 'slow', `tempC ${wholeSeries}`, span(start, NOW));
  expect(differences('tempC.values', values.slice(1), tempC.values.slice(1))).toEqual([]);
  const { mean, min, max } = seriesOf(seen, { start, end: NOW })!;
  expect(differences('tempC', { mean, min, max }, tempC)).toEqual([]);
});
