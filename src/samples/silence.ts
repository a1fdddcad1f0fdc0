import type { Stream } from './stream.ts';

/** A stretch without a sample, in epoch seconds. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** How long a thing may say nothing before it counts as silent. */
export const silentAfterS = (scrapeIntervalS: number): number => Math.max(300, 3 * scrapeIntervalS);

/** Every stretch of the window longer than `longerThanS` without a sample, its edges included. */
export function gaps({ times }: Stream, start: number, end: number, longerThanS: number): Gap[] {
  const found: Gap[] = [];
  let from = start;
  for (const to of [...times, end]) {
    if (to - from > longerThanS) found.push({ from, to });
    from = to;
  }
  return found;
}
