import { empty, firstAfter, joined, sameTimes, type Stream, streamOf } from './stream.ts';

/** How samples of one source follow each other: its scrape interval, and when it counts as silent. Seconds. */
export interface Pace {
  readonly scrapeS: number;
  readonly silentS: number;
}

/**
 * One stream out of several that are one thing. Streams that follow each other, or fill each other's gaps, are joined.
 * Of those that run side by side the longest stands, and another serves only where it is silent: two exporters that count
 * from different starts, or remember different codes, would look like resets and events if they were interleaved.
 */
export function cover(streams: readonly Stream[], { scrapeS, silentS }: Pace): Stream {
  const [longest, ...others] = [...streams].sort((a, b) => b.times.length - a.times.length);
  let held = longest ?? empty;
  for (const other of others) {
    // A copy of the same scrapes adds nothing.
    if (sameTimes([held, other])) continue;
    const following = joined([held, other]);
    if (following) {
      held = following;
      continue;
    }
    const pairs = pairsOf(other);
    const between = pairs.filter(([t]) => !outside(held.times, 1.5 * scrapeS)(t)).length;
    // One sample may overlap where a scrape changed hands.
    const isFree = outside(held.times, between > 1 ? silentS : 0);
    const added = pairs.filter(([t]) => isFree(t));
    if (added.length > 0) held = streamOf([...pairsOf(held), ...added]);
  }
  return held;
}

const pairsOf = ({ times, values }: Stream) => Array.from(times, (t, i): [number, number] => [t, values[i]!]);

/** Before the first time, after the last, or inside a gap longer than `gapS`; never at a time that is there. */
const outside = (times: Float64Array, gapS: number) => (t: number) => {
  const next = firstAfter(times, t);
  const [left, right] = [times[next - 1] ?? -Infinity, times[next] ?? Infinity];
  return left !== t && right - left > gapS;
};
