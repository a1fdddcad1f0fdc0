import type { Stream } from '../samples/stream.ts';
import { type Span, within } from './span.ts';

/** When a condition counts as held. */
export interface HoldRule {
  readonly breaks: (value: number) => boolean;
  /** From the first to the last sample that breaks the rule. */
  readonly atLeastS: number;
  /** A longer gap between neighbouring samples ends a hold. */
  readonly gapS: number;
}

// Scrapes come a moment early or late: eleven of them every 30 s are five minutes.
const jitterS = 1;

/** Every hold of a stream. A sample that does not break the rule ends one. */
export function holds({ times, values }: Stream, { breaks, atLeastS, gapS }: HoldRule): Span[] {
  const found: Span[] = [];
  let [from, to] = [NaN, NaN];
  const end = () => {
    if (to - from >= atLeastS - jitterS) found.push({ from, to });
    from = NaN;
  };
  for (let i = 0; i < times.length; i += 1) {
    const time = times[i]!;
    if (!Number.isNaN(from) && time - to > gapS) end();
    if (!breaks(values[i]!)) {
      if (!Number.isNaN(from)) end();
      continue;
    }
    if (Number.isNaN(from)) from = time;
    to = time;
  }
  if (!Number.isNaN(from)) end();
  return found;
}

/** The samples of a hold that lie inside the limits, as a span; null where there are none. */
export function insideOf({ times }: Stream, hold: Span, limits: Span): Span | null {
  const cut = within(hold, limits);
  if (!cut) return null;
  const inside = times.filter((time) => time >= cut.from && time <= cut.to && time > limits.from);
  return inside.length > 0 ? { from: inside[0]!, to: inside.at(-1)! } : null;
}
