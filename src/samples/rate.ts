import type { Window } from '../window/window.ts';
import { baselineS } from './increase.ts';
import { round6 } from './round.ts';
import type { Stream } from './stream.ts';

/** A rate as a reading: `values` are Δ/Δt, stamped at the later sample, and `spans` the seconds each one covers. */
export interface RateStream extends Stream {
  readonly spans: Float64Array;
}

/**
 * Δ/Δt of a counter, each sample to its predecessor if that is at most five minutes older. A fall is a reset: what was
 * counted since is at least the rise. Where that would be read as its opposite (little idle as much work), skip it.
 */
export function rates(
  { times, values }: Stream,
  start: number,
  end: number,
  atReset: 'count' | 'skip' = 'count',
): RateStream {
  const [ts, vs, spans]: number[][] = [[], [], []];
  for (let i = 1; i < times.length; i += 1) {
    const span = times[i]! - times[i - 1]!;
    if (atReset === 'skip' && values[i]! < values[i - 1]!) continue;
    if (times[i]! <= start || times[i]! > end || span > baselineS || span <= 0) continue;
    const grown = values[i]! >= values[i - 1]! ? values[i]! - values[i - 1]! : values[i]!;
    ts!.push(times[i]!);
    vs!.push(grown / span);
    spans!.push(span);
  }
  return { times: Float64Array.from(ts!), values: Float64Array.from(vs!), spans: Float64Array.from(spans!) };
}

/** A bucket of a rate is Δ over the covered time: its samples' mean, each weighed by the seconds it covers. */
export function rateBuckets({ times, values, spans }: RateStream, window: Window, lookS: number): (number | null)[] {
  return Array.from({ length: window.points }, (_, i) => {
    const right = window.t0 + (i + 1) * window.stepS;
    const left = Math.max(window.start, right - lookS);
    let [delta, covered] = [0, 0];
    for (let k = 0; k < times.length; k += 1) {
      if (times[k]! <= left || times[k]! > right) continue;
      delta += values[k]! * spans[k]!;
      covered += spans[k]!;
    }
    return covered > 0 ? round6(delta / covered) : null;
  });
}
