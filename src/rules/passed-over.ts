import { medianOf } from '../samples/median.ts';
import type { Stream } from '../samples/stream.ts';
import { Pauses } from './pauses.ts';
import { covered, type Span } from './span.ts';

/**
 * The slow steps that lie inside a pause from their start to their end: training went on during it, as beside a checkpoint
 * that is written meanwhile, or the pause was told to be longer than it was. A step in which a pause fell is none of them.
 *
 * @param steps  seconds that each step took, by its end; all of them plausible
 * @returns      how many, and the seconds that they cover
 */
export function passedOver(steps: Stream, pauses: readonly Span[], factor: number): { steps: number; seconds: number } {
  if (pauses.length === 0) return { steps: 0, seconds: 0 };
  const apart = new Pauses(pauses, steps);
  const limitS = factor * medianOf(steps.values);
  const found: Span[] = [];
  steps.values.forEach((seconds, i) => {
    const step = { from: steps.times[i]! - seconds, to: steps.times[i]! };
    if (seconds > limitS && apart.hold(step)) found.push(step);
  });
  return { steps: found.length, seconds: covered(found) };
}
