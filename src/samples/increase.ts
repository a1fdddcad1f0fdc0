import { empty, firstAfter, type Stream, streamOf } from './stream.ts';

/** How old the newest sample before the window may be to serve as its baseline. */
export const baselineS = 300;

/** One step up of a counter between two neighbouring samples, in epoch seconds. */
export interface Rise {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/**
 * The steps of a counter inside `(start, end]`. A value below its predecessor is a reset: all of it is a rise.
 *
 * @param stream       may begin up to `baselineS` before the window
 * @param bornCounts   whether the first value of a counter without a predecessor is a rise; asked with its time
 */
export function rises(stream: Stream, start: number, end: number, bornCounts: (at: number) => boolean): Rise[] {
  const { times, values } = stream;
  const found: Rise[] = [];
  const first = firstAfter(times, start);
  const hasBaseline = first > 0 && times[first - 1]! > start - baselineS;
  let before = hasBaseline ? first - 1 : -1;
  for (let i = first; i < times.length && times[i]! <= end; i += 1) {
    const at = times[i]!;
    const value = values[i]!;
    const by = before >= 0 ? (value >= values[before]! ? value - values[before]! : value) : bornCounts(at) ? value : 0;
    if (by > 0) found.push({ from: before >= 0 ? times[before]! : at, to: at, by });
    before = i;
  }
  return found;
}

export const total = (steps: readonly Rise[]): number => steps.reduce((sum, { by }) => sum + by, 0);

/**
 * One stream out of several that may be copies of one counter: the longest, and of the others what lies where it is
 * silent. Copies are never interleaved, because two exporters that count from different starts would look like resets.
 */
export function cover(streams: readonly Stream[], silentS: number): Stream {
  const [longest, ...others] = [...streams].sort((a, b) => b.times.length - a.times.length);
  let held = longest ?? empty;
  for (const { times, values } of others) {
    const isFree = outside(held.times, silentS);
    const added = pairsOf({ times, values }).filter(([t]) => isFree(t));
    if (added.length > 0) held = streamOf([...pairsOf(held), ...added]);
  }
  return held;
}

const pairsOf = ({ times, values }: Stream) => Array.from(times, (t, i): [number, number] => [t, values[i]!]);

/** Before the first time, after the last, or inside a gap longer than `silentS`. */
const outside = (times: Float64Array, silentS: number) => (t: number) => {
  const next = firstAfter(times, t);
  const [left, right] = [times[next - 1] ?? -Infinity, times[next] ?? Infinity];
  return left !== t && right - left > silentS;
};
