import { firstAfter, type Stream } from './stream.ts';

/** How old the newest sample before the window may be to serve as its baseline. */
export const baselineS = 300;
/** How far back a store is asked for it: whichever end of a range a store leaves open, a sample that old is there. */
export const baselineReachS = baselineS + 0.002;

/** One step up of a counter between two neighbouring samples, in epoch seconds. */
export interface Rise {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** How a counter behaves where its own samples do not tell. */
export interface Birth {
  /** Since when the first value of a counter without a predecessor has risen; null where it is no rise. Asked with its time. */
  readonly since: (at: number) => number | null;
  /** Where given, a counter that was away for longer has begun anew, if its first value counts. */
  readonly againAfterS?: number;
}

/**
 * The steps of a counter inside `(start, end]`. A value below its predecessor is a reset: all of it is a rise.
 *
 * @param stream  may begin up to `baselineS` before the window
 */
export function rises(
  { times, values }: Stream,
  start: number,
  end: number,
  { since, againAfterS = Infinity }: Birth,
): Rise[] {
  const found: Rise[] = [];
  const first = firstAfter(times, start);
  let before = first > 0 && times[first - 1]! >= start - baselineS ? first - 1 : -1;
  for (let i = first; i < times.length && times[i]! <= end; i += 1) {
    const at = times[i]!;
    const value = values[i]!;
    if (before >= 0 && at - times[before]! > againAfterS && since(at) !== null) before = -1;
    const from = before >= 0 ? times[before]! : since(at);
    const by = before >= 0 && value >= values[before]! ? value - values[before]! : value;
    if (from !== null && by > 0) found.push({ from, to: at, by });
    before = i;
  }
  return found;
}

export const total = (steps: readonly Rise[]): number => steps.reduce((sum, { by }) => sum + by, 0);
