import type { Count } from './gpu-samples.ts';
import type { Sample, Window } from './truth.ts';

/** One piece of evidence, in epoch seconds, inside the window. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Time in which the condition held, and not only time in which something was counted. */
  readonly held: boolean;
  /** What was counted and how much of it: a counter's field, an event's kind, the code of a fault. */
  readonly field?: string;
  readonly what?: string;
  readonly amount?: number;
}

const minute = 60;
const scrapeS = 30;
/** Scrapes jitter by less. */
const toleranceS = 1;

/**
 * Where a rule was broken for long enough, cut to the window. The samples just outside tell whether it was long enough;
 * what is outside is no part of it.
 */
export const holds = (
  samples: readonly Sample[],
  breaks: (value: number) => boolean,
  minutes: number,
  { start, end }: Window,
  now: number,
): Piece[] => {
  const lastingS = minutes * minute;
  const looked = samples.filter(([time]) => time >= start - lastingS && time <= Math.min(end + lastingS, now));
  const runs: number[][] = [];
  let current: number[] | null = null;
  for (const [time, value] of looked) {
    if (!breaks(value)) {
      current = null;
    } else if (current !== null && time - current.at(-1)! <= 3 * scrapeS + toleranceS) {
      current.push(time);
    } else {
      current = [time];
      runs.push(current);
    }
  }
  return runs.flatMap((run) => {
    const inside = run.filter((time) => time > start && time <= end);
    const longEnough = run.at(-1)! - run[0]! >= lastingS - toleranceS;
    return longEnough && inside.length > 0 ? [{ from: inside[0]!, to: inside.at(-1)!, held: true }] : [];
  });
};

/** The newest instant of a sorted list before another. */
const before = (times: readonly number[], at: number): number | undefined => times.findLast((time) => time < at);

/**
 * Where a counter rose in the window, each rise from the sample before to its own. A fall is a reset, after which all of
 * it counts; so does a first value where the GPU had been seen before, unless the counter keeps a life's history.
 */
export const rises = (
  counts: readonly Count[],
  seen: readonly number[],
  { start, end }: Window,
  lifelong = false,
): { from: number; to: number; amount: number }[] =>
  counts.flatMap(([time, value, board], at) => {
    if (time <= start || time > end) return [];
    const previous = counts[at - 1];
    if (previous === undefined) {
      const watched = before(seen, time);
      const isBirth = watched !== undefined && !lifelong && value > 0;
      return isBirth ? [{ from: Math.max(watched, start), to: time, amount: value }] : [];
    }
    const [from, old, otherBoard] = previous;
    const isOutOfReach = from <= start && from < start - 5 * minute;
    if (isOutOfReach || otherBoard !== board || value === old) return [];
    const amount = value < old ? value : value - old;
    return amount > 0 ? [{ from: Math.max(from, start), to: time, amount }] : [];
  });

const bits: readonly (readonly [bit: number, kind: string])[] = [
  [0x4, 'POWER_CAP'],
  [0x8, 'HW_SLOWDOWN'],
  [0x10, 'SYNC_BOOST'],
  [0x20, 'SW_THERMAL'],
  [0x40, 'HW_THERMAL'],
  [0x80, 'HW_POWER_BRAKE'],
];

/** Where a bit of a mask came up, from the sample before to its own. */
export const risingBits = (
  counts: readonly Count[],
  { start, end }: Window,
): { from: number; to: number; what: string; amount: number }[] =>
  counts.flatMap(([time, mask], at) => {
    const previous = counts[at - 1];
    if (previous === undefined || time <= start || time > end) return [];
    return bits
      .filter(([bit]) => (mask & bit) !== 0 && (previous[1] & bit) === 0)
      .map(([, what]) => ({ from: Math.max(previous[0], start), to: time, what, amount: 1 }));
  });

/** Where a gauge of the last fault's code came to show another one. */
export const newCodes = (
  counts: readonly Count[],
  seen: readonly number[],
  { start, end }: Window,
): { from: number; to: number; what: string; amount: number }[] =>
  counts.flatMap(([time, code], at) => {
    if (time <= start || time > end || code === 0 || counts[at - 1]?.[1] === code) return [];
    const from = counts[at - 1]?.[0] ?? before(seen, time);
    return from === undefined ? [] : [{ from: Math.max(from, start), to: time, what: String(code), amount: 1 }];
  });

/** Pieces that are less than five minutes apart are one stretch. */
export const stretches = (pieces: readonly Piece[]): Piece[][] => {
  const found: Piece[][] = [];
  let reached = -Infinity;
  for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
    if (piece.from - reached < 5 * minute) found.at(-1)!.push(piece);
    else found.push([piece]);
    reached = Math.max(reached, piece.to);
  }
  return found;
};

/** Seconds that the pieces cover together, what lies between them not counted. */
export const coveredS = (pieces: readonly Piece[]): number => {
  let [covered, reached] = [0, -Infinity];
  for (const { from, to } of pieces.toSorted((a, b) => a.from - b.from)) {
    covered += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return covered;
};
