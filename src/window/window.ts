import { Refusal } from '../errors.ts';

export const ranges = { LAST_1H: 3600, LAST_6H: 6 * 3600, LAST_24H: 24 * 3600, LAST_7D: 7 * 86400 } as const;
export type Range = keyof typeof ranges;

/** The longest window. */
export const maxDays = 14;
const maxSpanS = maxDays * 86400;
/** Most buckets of a series. */
export const maxPoints = 96;
const gridS = 30;

/** What a client asks for; null and left out both mean the default. Times are whole epoch seconds. */
export interface WindowRequest {
  readonly range?: Range | null | undefined;
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
  readonly points?: number | null | undefined;
}

/**
 * A resolved window, `(start, end]` in epoch seconds. Bucket `i` covers `(t0 + i*stepS, t0 + (i+1)*stepS]`; the grid is
 * anchored at the end, so `t0` lies up to a step before `start` where the span is not a whole number of steps.
 */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly stepS: number;
  readonly points: number;
  readonly t0: number;
}

/**
 * @param now        the operation's clock, epoch seconds
 * @param ingestLagS how far the store's newest samples lie behind it
 * @throws Refusal BAD_REQUEST
 */
export function resolveWindow(request: WindowRequest, now: number, ingestLagS: number): Window {
  const points = request.points ?? 48;
  if (!Number.isInteger(points) || points < 1 || points > maxPoints) {
    refuse(`points is ${points}; ask for 1 to ${maxPoints}.`);
  }
  const newest = Math.floor((now - ingestLagS) / gridS) * gridS;
  if (request.start == null) {
    if (request.end != null) refuse('end needs a start: give both, or use range for a window that ends now.');
    const span = ranges[request.range ?? 'LAST_6H'];
    return onGrid(newest - span, newest, points);
  }
  const { start } = request;
  const end = request.end ?? Math.floor(now - ingestLagS);
  if (start > now) refuse('start lies in the future; give a time that has passed.');
  if (request.end == null && start >= end) {
    refuse(`the store's newest samples are ${ingestLagS} s old; give a start before that.`);
  }
  if (start >= end) refuse('start is not before end; give a start that is earlier than the end.');
  if (end - start > maxSpanS)
    refuse(
      `it spans ${lengthOf(end - start - maxSpanS)} more than the ${maxDays} days that are the longest; give a later start.`,
    );
  return onGrid(start, end, points);
}

function onGrid(start: number, end: number, points: number): Window {
  const span = end - start;
  const stepS = Math.max(gridS, Math.ceil(span / points / gridS) * gridS);
  const slots = Math.ceil(span / stepS);
  return { start, end, stepS, points: slots, t0: end - slots * stepS };
}

const lengthOf = (seconds: number): string =>
  seconds < 8640 ? `${seconds} s` : `${(seconds / 86400).toFixed(1)} days`;

function refuse(message: string): never {
  throw new Refusal('BAD_REQUEST', `The window is wrong: ${message}`);
}
