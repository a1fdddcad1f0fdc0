import type { Window } from '../window/window.ts';
import { round6 } from './round.ts';
import type { Stream } from './stream.ts';

/** How far a bucket looks back from its end: a scrape interval longer than the step must not punch holes. */
export const lookbackS = (window: Window, scrapeIntervalS: number): number =>
  Math.max(window.stepS, 1.5 * scrapeIntervalS);

/** The mean of each bucket's samples, null where it has none. No sample outside the window counts. */
export function bucketMeans({ times, values }: Stream, window: Window, lookS: number): (number | null)[] {
  const { start, t0, stepS, points } = window;
  // Pushed, not filled with nulls first: a list that never holds a null stays one of plain doubles.
  const means: (number | null)[] = [];
  let [from, to] = [0, 0];
  for (let i = 0; i < points; i += 1) {
    const right = t0 + (i + 1) * stepS;
    const left = Math.max(start, right - lookS);
    while (from < times.length && times[from]! <= left) from += 1;
    to = Math.max(to, from);
    while (to < times.length && times[to]! <= right) to += 1;
    means.push(to > from ? round6(meanOf(values, from, to)) : null);
  }
  return means;
}

export function meanOf(values: Float64Array, from = 0, to = values.length): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += values[i]!;
  return sum / (to - from);
}
