import { medianOf } from '../samples/median.ts';
import type { Stream } from '../samples/stream.ts';
import type { Span } from './span.ts';

/** A part of a run in which its steps were shorter than they usually were. */
export interface FasterPart extends Span {
  /** Medians, seconds: of this part, and of all steps. */
  readonly medianS: number;
  readonly usualS: number;
}

/** Into how many parts a run is cut, and how many steps are too few to tell of one. */
const [parts, fewest] = [20, 10];
/** So much of a part has to be faster: some short steps among others make none. */
const share = 0.75;

/**
 * The fastest part of a run, where the usual step takes longer than `factor` times what most of its steps take: then more
 * than half of all steps may be slow, and nothing is slower than usual. Null where there is none, or too few steps.
 *
 * @param steps  seconds that each step took, by its end; all of them plausible
 */
export function fasterPart({ times, values }: Stream, factor: number): FasterPart | null {
  const count = Math.min(parts, Math.floor(values.length / fewest));
  if (count < 2) return null;
  const edge = (part: number): number => Math.floor((part * values.length) / count);
  const found = Array.from({ length: count }, (_, part) => {
    const [first, last] = [edge(part), edge(part + 1) - 1];
    const own = values.slice(first, last + 1).sort();
    const span = { from: times[first]! - values[first]!, to: times[last]! };
    return { ...span, medianS: medianOf(own), mostS: own[Math.floor(share * (own.length - 1))]! };
  });
  const { mostS, ...fastest } = found.reduce((best, each) => (each.mostS < best.mostS ? each : best));
  const usualS = medianOf(values);
  return usualS > factor * mostS ? { ...fastest, usualS } : null;
}
