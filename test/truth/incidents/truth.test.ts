import { describe, expect, test } from 'vitest';

import {
  coveredS,
  holds,
  newCodes,
  type Piece,
  rises,
  risingBits,
  stretches,
} from '../../support/fleet/flag-pieces.ts';
import type { Count } from '../../support/fleet/gpu-samples.ts';
import type { Sample } from '../../support/fleet/truth.ts';

/** Samples 30 s apart from second 1000 on; a null is a scrape that was missed. */
const run = (...values: (number | null)[]): Sample[] =>
  values.flatMap((value, at): Sample[] => (value === null ? [] : [[1000 + 30 * at, value]]));
const counts = (...values: (number | null)[]): Count[] => run(...values).map(([time, value]) => [time, value, 'a']);
const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);
const over = { start: 900, end: 5000 };
const isHot = (value: number): boolean => value >= 83;
const times = Array.from({ length: 20 }, (_, at) => 1000 + 30 * at);

describe('a hold of five minutes', () => {
  const held = (samples: Sample[], window = over, now = 9000) =>
    holds(samples, isHot, 5, window, now).map(({ from, to }) => [from, to]);

  test.each<[string, Sample[], number[][]]>([
    ['eleven samples are five minutes', run(60, ...repeated(83, 11), 60), [[1030, 1330]]],
    ['ten are four and a half', run(60, ...repeated(83, 10), 60), []],
    ['one that does not break the rule ends it', run(...repeated(84, 8), 82, ...repeated(84, 8)), []],
    ['two missed scrapes do not', run(...repeated(84, 5), null, null, ...repeated(84, 5)), [[1000, 1330]]],
    ['three do', run(...repeated(84, 5), null, null, null, ...repeated(84, 5)), []],
    ['nothing holds nothing', [], []],
  ])('%s', (_what, samples, expected) => {
    expect(held(samples)).toEqual(expected);
  });

  const long = run(...repeated(90, 41)); // 1000 … 2200
  test.each<[string, { start: number; end: number }, number, number[][]]>([
    ['is cut to the window', { start: 1100, end: 1500 }, 9000, [[1120, 1480]]],
    ['may be long enough only with what is outside', { start: 2100, end: 2400 }, 9000, [[2110, 2200]]],
    ['is left open, right closed', { start: 1000, end: 1300 }, 9000, [[1030, 1300]]],
    ['needs a sample inside', { start: 2200, end: 2400 }, 9000, []],
    ['may look beyond the end', { start: 800, end: 1030 }, 9000, [[1000, 1030]]],
    ['but never beyond now', { start: 800, end: 1030 }, 1100, []],
  ])('%s', (_what, window, now, expected) => {
    expect(held(long, window, now)).toEqual(expected);
  });
});

describe('rises', () => {
  const rose = (of: Count[], window = over, lifelong = false) =>
    rises(of, times, window, lifelong).map(({ from, to, amount }) => [from, to, amount]);

  test.each<[string, Count[], number[][]]>([
    [
      'span from the sample before to their own',
      counts(5, 5, 8, 8, 9),
      [
        [1030, 1060, 3],
        [1090, 1120, 1],
      ],
    ],
    ['after a reset all counts', counts(9, 2), [[1000, 1030, 2]]],
    ['a reset to zero is none', counts(9, 0, 0), []],
    ['over a silence they span it', counts(1, null, null, 4), [[1000, 1090, 3]]],
    ['a birth on a watched GPU counts', counts(null, 3, 3), [[1000, 1030, 3]]],
    ['a birth with its GPU does not', counts(3, 3), []],
    ['a birth at zero is none', counts(null, 0, 0), []],
  ])('%s', (_what, of, expected) => {
    expect(rose(of)).toEqual(expected);
  });

  test('are none across another board, nor at the birth of what was kept for life', () => {
    expect(
      rose([
        [1000, 5, 'a'],
        [1030, 50, 'b'],
        [1060, 51, 'b'],
      ]),
    ).toEqual([[1030, 1060, 1]]);
    expect(rose(counts(null, 3, 4), over, true)).toEqual([[1030, 1060, 1]]);
  });

  test('need a baseline of at most five minutes before the window, and are cut to it', () => {
    expect(
      rose(
        [
          [1000, 5, 'a'],
          [1310, 9, 'a'],
        ],
        { start: 1300, end: 2000 },
      ),
    ).toEqual([[1300, 1310, 4]]);
    expect(
      rose(
        [
          [1000, 5, 'a'],
          [1310, 9, 'a'],
        ],
        { start: 1301, end: 2000 },
      ),
    ).toEqual([]);
    expect(rose(counts(5, 6, 7), { start: 1030, end: 1050 })).toEqual([]);
  });
});

test('a bit is an event where it comes up', () => {
  const events = risingBits(counts(0x20, 0x24, 0x24, 0, 0x60), over);
  expect(events.map(({ from, to, what }) => [from, to, what])).toEqual([
    [1000, 1030, 'POWER_CAP'],
    [1090, 1120, 'SW_THERMAL'],
    [1090, 1120, 'HW_THERMAL'],
  ]);
});

test('a code is an event where it is another than before', () => {
  const told = (of: Count[]) => newCodes(of, times, over).map(({ from, to, what }) => [from, to, what]);
  expect(told(counts(0, 79, 79, 31, 0, 31))).toEqual([
    [1000, 1030, '79'],
    [1060, 1090, '31'],
    [1120, 1150, '31'],
  ]);
  expect(told(counts(79, 79))).toEqual([]);
  expect(told(counts(null, 48, 48))).toEqual([[1000, 1030, '48']]);
});

const piece = (from: number, to: number): Piece => ({ from, to, held: true });

test.each([
  ['299 s apart', [piece(0, 100), piece(399, 500)], 1],
  ['five minutes apart', [piece(0, 100), piece(400, 500)], 2],
  ['a short one inside a long one does not shorten it', [piece(0, 900), piece(100, 130), piece(1100, 1200)], 1],
  ['out of order', [piece(1000, 1100), piece(0, 100), piece(300, 800)], 1],
])('pieces %s', (_what, pieces, count) => {
  expect(stretches(pieces)).toHaveLength(count);
});

test('what pieces cover is counted once, what lies between them not at all', () => {
  expect(coveredS([piece(0, 100), piece(50, 150), piece(60, 70), piece(300, 400)])).toBe(250);
  expect(coveredS([])).toBe(0);
});
