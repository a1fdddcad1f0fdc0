import type { Stream } from '../samples/stream.ts';
import { type Span, within } from './span.ts';

/** When a condition counts as held. */
export interface HoldRule {
  readonly breaks: (value: number) => boolean;
  /** From the first to the last sample that breaks the rule. */
  readonly atLeastS: number;
  /** How often samples are said to come; a gap of more than three of these between neighbours ends a hold. */
  readonly scrapeS: number;
}

/** Scrapes come a moment early or late: eleven of them every 30 s are five minutes. */
export const jitterS = 1;

/** Every hold of a stream. A sample that does not break the rule ends one. */
export function holds({ times, values }: Stream, { breaks, atLeastS, scrapeS }: HoldRule): Span[] {
  // What is said may be wrong, and what is scraped more rarely must not go unjudged.
  const gapS = 3 * Math.max(scrapeS, usualStepS(times)) + jitterS;
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

/** The median distance of neighbours. */
function usualStepS(times: Float64Array): number {
  const steps = Float64Array.from(times.subarray(1), (time, i) => time - times[i]!).sort();
  return steps[steps.length >> 1] ?? 0;
}

/** The samples of a hold that lie inside the limits, as a span; null where there are none. */
export function insideOf({ times }: Stream, hold: Span, limits: Span): Span | null {
  const cut = within(hold, limits);
  if (!cut) return null;
  const inside = times.filter((time) => time >= cut.from && time <= cut.to && time > limits.from);
  return inside.length > 0 ? { from: inside[0]!, to: inside.at(-1)! } : null;
}
