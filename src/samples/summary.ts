import { meanOf } from './buckets.ts';
import { round6 } from './round.ts';
import type { Stream } from './stream.ts';

/** Whole-window figures of the raw samples, so that no averaging hides a peak. `lastAt` is in epoch seconds. */
export interface Summary {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
  readonly lastAt: number;
}

/** Null where there is no sample. */
export function summarize({ times, values }: Stream): Summary | null {
  const newest = times.length - 1;
  if (newest < 0) return null;
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return {
    mean: round6(meanOf(values)),
    min: round6(min),
    max: round6(max),
    last: round6(values[newest]!),
    lastAt: times[newest]!,
  };
}
