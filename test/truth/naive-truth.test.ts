import { describe, expect, test } from 'vitest';

import { ago, HOUR, iso, NOW, scrapes } from '../support/fleet/clock.ts';
import { between, differences } from '../support/fleet/differences.ts';
import { cpu, growing } from '../support/fleet/node-exporter.ts';
import { churned, except, series, stepped } from '../support/fleet/series.ts';
import {
  gridOf,
  greatest,
  inside,
  percentile,
  ratesOf,
  riseOf,
  type Sample,
  samplesOf,
  seriesOf,
  sum,
  together,
} from '../support/fleet/truth.ts';
import { around } from '../support/fleet/wobble.ts';

const run = (...values: number[]): Sample[] => values.map((value, at) => [100 + 30 * at, value]);

test('now is noon', () => {
  expect(iso(NOW)).toBe('2026-06-01T12:00:00Z');
});

test.each<[string, Parameters<typeof scrapes>[0], number, number | undefined]>([
  ['two hours at 30 s', {}, 240, ago(2 * HOUR) + 7.123],
  ['a sample on the left edge is outside, one on the right inside', { from: ago(60), phase: 0 }, 2, ago(30)],
  ['rarer scrapes', { from: ago(HOUR), every: 60 }, 60, ago(HOUR) + 7.123],
  ['a hole', { from: ago(120), holes: [[ago(60), ago(30)]] }, 3, ago(120) + 7.123],
])('scrapes: %s', (_behaviour, scraping, count, first) => {
  const times = scrapes(scraping);
  expect(times).toHaveLength(count);
  expect(times[0]).toBeCloseTo(first!, 3);
});

test.each([
  [3600, 48, { stepS: 90, points: 40 }],
  [3617, 48, { stepS: 90, points: 41 }],
  [21_600, 48, { stepS: 450, points: 48 }],
  [21_600, 96, { stepS: 240, points: 90 }],
  [600, 96, { stepS: 30, points: 20 }],
])('a span of %i s in %i points is %o', (length, points, expected) => {
  expect(gridOf({ start: 0, end: length, points })).toEqual({
    ...expected,
    t0: length - expected.stepS * expected.points,
  });
});

test('a series is bucketed by its right edges and summed up over just the window', () => {
  const samples: Sample[] = [
    [10, 99],
    [40, 1],
    [70, 3],
    [100, 5],
    [190, 8],
  ];
  expect(seriesOf(samples, { start: 10, end: 190, points: 3 })).toEqual({
    t0: 10,
    stepS: 60,
    values: [2, 5, 8],
    mean: 4.25,
    min: 1,
    max: 8,
    last: 8,
    lastAt: '1970-01-01T00:03:10Z',
  });
  expect(seriesOf(samples, { start: 100, end: 189 })).toBeNull();
});

test.each([
  ['a rise', run(5, 8, 8), 3],
  ['a reset', run(9, 2, 3), 3],
  ['a flat run', run(4, 4), 0],
  ['a lone sample', run(4), 0],
])('the rise of %s is %i', (_what, samples, expected) => {
  expect(riseOf(samples, { start: 99, end: 1000 })).toBe(expected);
});

test.each([
  [0, 8],
  [100, 8],
  [130, 6],
  [460, 4],
  [461, 0],
])('a rise over (%i, …] begins at the newest sample of the 5 minutes before', (start, expected) => {
  const samples: Sample[] = [...run(1, 3, 5), [700, 9]];
  expect(riseOf(samples, { start, end: 10_000 })).toBe(expected);
});

test('rates need a predecessor that is at most 5 minutes older', () => {
  expect(ratesOf([[0, 0], [30, 60], [400, 70], [430, 100]])).toEqual([[30, 2], [430, 1]]); // prettier-ignore
});

test('a percentile lies between its neighbours', () => {
  expect(percentile([4, 1, 3, 2, 5], 0.5)).toBe(3);
  expect(percentile([0, 10], 0.95)).toBeCloseTo(9.5, 9);
});

test('runs at common instants join, equal instants of one metric are one sample', () => {
  expect(together([run(1, 2), run(10, 20)], sum)).toEqual(run(11, 22));
  expect(together([run(1, 20), run(10, 2)], greatest)).toEqual(run(10, 20));
  const twice = ['a', 'b'].map((pod) => series('m', { pod }, [1, 2], 7));
  expect(samplesOf(twice, 'm', {}, 2)).toEqual([[1, 14], [2, 14]]); // prettier-ignore
  expect(samplesOf(twice, 'm', { pod: 'c' })).toEqual([]);
});

test('values change when they are told to', () => {
  expect([9, 10, 11].map(stepped(1, [10, 2], [11, 3]))).toEqual([1, 2, 3]);
  expect([9, 10, 11, 12].map(except(1, 0, [9, 11]))).toEqual([1, 0, 0, 1]);
  const lives = churned('m', [1, 2, 3], (time) => time, [[0, { pod: 'a' }], [2, { pod: 'b' }]]); // prettier-ignore
  expect(lives.map(({ values }) => values)).toEqual([[1, 2], [3]]);
});

test('a wobble repeats, moves and stays in its bounds', () => {
  const wobble = around('key', 50, 10, 2);
  const values = scrapes().map(wobble);
  expect(values).toEqual(scrapes().map(wobble));
  expect(new Set(values).size).toBeGreaterThan(100);
  expect(
    inside(
      scrapes().map((time, at): Sample => [time, values[at]!]),
      0,
      NOW,
    ).every(([, v]) => v >= 40 && v <= 60),
  ).toBe(true);
});

test('the CPU modes of a core add up to the time that passed', () => {
  const times = scrapes();
  const all = cpu({ address: '10.0.0.1' }, times, 1, () => ({ user: 0.3, iowait: 0.1, steal: 0.05 }));
  const spent = all.map(({ values }) => values.at(-1)! - values[0]!);
  expect(sum(spent)).toBeCloseTo(times.at(-1)! - times[0]!, 6);
  expect(growing([0, 30, 60], 2)).toEqual([1000, 1060, 1120]);
});

describe('differences', () => {
  test.each<[string, unknown, unknown, number]>([
    ['equal', { a: [1, null] }, { a: [1, null], b: 2 }, 0],
    ['six digits', 81_559 / 1024, 79.6475, 0],
    ['one in the fifth digit', 79.6475, 79.6495, 1],
    ['null for zero', 0, null, 1],
    ['zero for null', null, 0, 1],
    ['a field that is not there', { a: null }, {}, 1],
    ['a list that is too short', [1, 2], [1], 2],
    ['inside a range', between(1, 2), 2, 0],
    ['outside it', between(1, 2), 2.1, 1],
    ['nothing for a series', { t0: 1 }, null, 1],
    ['other words', 'SHARED', 'EXCLUSIVE', 1],
  ])('%s', (_what, expected, got, count) => {
    expect(differences('at', expected, got)).toHaveLength(count);
  });
});
