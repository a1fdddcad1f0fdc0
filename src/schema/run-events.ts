import { Refusal } from '../errors.ts';
import { readEvent, type RunEvent } from '../runs/event.ts';
import type { ReportedRun } from './refs.ts';

/** Events of one report. */
export const mostEvents = 500;
/** A clock that is farther ahead is wrong, and what it says would hide what comes after it. */
const aheadMs = 600_000;
export const isAhead = (tsMs: number, nowMs: number): boolean => tsMs > nowMs + aheadMs;
/** What is said of it, after its name. */
export const tooFarAhead = `lies more than ${aheadMs / 60_000} minutes ahead of the gateway's clock`;

export interface ReadEvents extends Pick<ReportedRun, 'skipped' | 'rejected'> {
  readonly events: readonly RunEvent[];
}

/**
 * Reads what was reported, each for itself.
 *
 * @throws Refusal QUERY_TOO_LARGE
 */
export function readEvents(reported: readonly unknown[], nowMs: number): ReadEvents {
  if (reported.length > mostEvents) {
    const more = reported.length - mostEvents;
    throw new Refusal(
      'QUERY_TOO_LARGE',
      `The report has ${reported.length} events, ${more} more than the ${mostEvents} that are allowed. Send several.`,
    );
  }
  const events: RunEvent[] = [];
  const skipped = new Map<string, number>();
  const rejected: { index: number; reason: string }[] = [];
  reported.forEach((json, index) => {
    const read = readEvent(json);
    if ('skipped' in read) skipped.set(read.skipped, (skipped.get(read.skipped) ?? 0) + 1);
    else if ('reason' in read) rejected.push({ index, reason: read.reason });
    else if (isAhead(read.event.tsMs, nowMs)) rejected.push({ index, reason: `ts_ms ${tooFarAhead}` });
    else events.push(read.event);
  });
  return { events, skipped: [...skipped].map(([kind, count]) => ({ kind, count })), rejected };
}
