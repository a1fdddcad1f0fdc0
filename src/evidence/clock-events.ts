import type { Source } from '../domain/site.ts';
import { clockEventBits, gpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import type { GpuEventLog } from '../reads/event-log.ts';
import { inUse } from '../reads/discovery.ts';
import { readLogs } from '../reads/events.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Event } from '../rules/facts.ts';
import { oneOf } from '../scope/scope.ts';
import type { Subject } from './subject.ts';
import { toRead } from './suspects-to-read.ts';
import { moved, movedOrBack, reached, suspectsOf } from './suspects.ts';

/**
 * Clock events, by key, of the GPUs that may have had any of these kinds.
 *
 * Upstream: one request a source that names them; the samples of just these.
 */
export async function readClockEvents(
  view: ClusterView,
  subject: Subject,
  kinds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, GpuEventLog>> {
  const { sources } = sourcesOf<Source>(view.site, 'clockEvents', gpuEvents.clockEvents, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const named = await Promise.all(
    used.map(async (source) => {
      const told = telling(source, kinds);
      const showing = await suspectsOf(view, subject, [told], reached(view, leastOf(source, kinds)));
      if (source.events === 'sliding-count' || showing.size === 0) return showing;
      // What shows one may have shown it for weeks: a second look tells which moved.
      return suspectsOf(
        view,
        subject.only(showing),
        [told],
        source.events === 'bitmask' ? moved(view) : movedOrBack(view),
      );
    }),
  );
  const suspects = new Set(named.flatMap((keys) => [...keys]));
  return suspects.size > 0 ? readLogs(view, 'clockEvents', used, toRead(view, suspects, 'clock events')) : new Map();
}

/** Slowdowns beside which nothing tells whether heat or power was the cause. */
export const unexplainedIn = (events: readonly Event[]): Event[] =>
  events.filter((event) => event.kind === 'HW_SLOWDOWN' && !events.some((other) => explains(other, event)));

const explains = (other: Event, { from, to }: Event): boolean =>
  /^HW_(THERMAL|POWER_BRAKE)$/.test(other.kind) && other.from <= to && other.to >= from;

/** Of a source with a series for each kind of event, just those of interest; the label has the exporter's lower case. */
function telling(source: Source, kinds: ReadonlySet<string>): Source {
  if (source.events === 'bitmask') return source;
  const words = [...kinds].map((kind) => kind.toLowerCase());
  return { ...source, match: [...(source.match ?? []), oneOf(gpuEvents.clockEvents.codeLabel, words)] };
}

/** With any bit of these kinds set, a mask is at least the lowest of them; a count is at least one. */
function leastOf({ events }: Source, kinds: ReadonlySet<string>): number {
  if (events !== 'bitmask') return 1;
  return Math.min(...clockEventBits.flatMap((kind, bit) => (kinds.has(kind) ? [2 ** bit] : [])));
}
