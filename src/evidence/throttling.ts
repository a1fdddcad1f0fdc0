import type { Source } from '../domain/site.ts';
import { gpuCounters, gpuEvents } from '../readings/gpu-counters.ts';
import { clockEventBits } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import { inUse } from '../reads/discovery.ts';
import { readLogs } from '../reads/events.ts';
import { readSteps } from '../reads/counter-rises.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Event, ThrottleFacts } from '../rules/facts.ts';
import { oneOf } from '../scope/scope.ts';
import type { Rise } from '../samples/increase.ts';
import { type Subject, targetsOf } from './subject.ts';
import { type Filter, moved, movedOrBack, reached, suspectsOf, throttledFor } from './suspects.ts';

/** One cause of throttling: its timer, and the clock events that tell of it. */
export interface Cause {
  readonly timer: 'thermalS' | 'powerS';
  readonly events: ReadonlySet<string>;
}

export interface Throttled {
  readonly facts: ReadonlyMap<string, ThrottleFacts>;
  /** Slowdowns of which the exporter does not say whether heat or power was the cause, by key. */
  readonly unexplained: ReadonlyMap<string, readonly Event[]>;
}

/**
 * What held back GPUs for one cause, by key, of those where anything did.
 *
 * Upstream: one request a source that names them; the samples of just these.
 */
export async function readThrottled(view: ClusterView, subject: Subject, cause: Cause): Promise<Throttled> {
  const names = await view.names();
  const used = <S extends Source>(name: string, reading: Parameters<typeof sourcesOf<S>>[2]) =>
    inUse(sourcesOf<S>(view.site, name, reading, view.cluster.vendor).sources, names);
  const timers = used(cause.timer, gpuCounters[cause.timer]);
  const clocks = used<Source>('clockEvents', gpuEvents.clockEvents);
  const pct = view.site.minThrottledPct;
  const rose = pct > 0 ? throttledFor(view, pct) : moved(view);
  const [byTimer, ...byClock] = await Promise.all([
    suspectsOf(view, subject, timers, rose),
    ...clocks.map((source) => suspectsOf(view, subject, [telling(source, cause)], clockFilter(view, source, cause))),
  ]);
  const clocked = new Set(byClock.flatMap((keys) => [...keys]));
  const [steps, logs] = await Promise.all([
    readSteps(view, cause.timer, timers, targetsOf(byTimer)),
    clocked.size > 0 ? readLogs(view, 'clockEvents', clocks, targetsOf(clocked)) : null,
  ]);
  const facts = new Map<string, ThrottleFacts>();
  const unexplained = new Map<string, readonly Event[]>();
  for (const key of new Set([...byTimer, ...clocked])) {
    const events = (logs?.get(key)?.events ?? []).map((event): Event => event);
    facts.set(key, {
      rises: settled(steps.get(key)),
      events: events.filter(({ kind }) => cause.events.has(kind)),
    });
    const vague = events.filter(
      (event) => event.kind === 'HW_SLOWDOWN' && !events.some((other) => explains(other, event)),
    );
    if (vague.length > 0) unexplained.set(key, vague);
  }
  return { facts, unexplained };
}

/** @throws what a request that was needed threw */
export function settled(steps: readonly Rise[] | Error | undefined): readonly Rise[] {
  if (steps instanceof Error) throw steps;
  return steps ?? [];
}

const explains = (other: Event, { from, to }: Event): boolean =>
  /^HW_(THERMAL|POWER_BRAKE)$/.test(other.kind) && other.from <= to && other.to >= from;

/** Of a source with a series for each kind of event, just those of the cause; the label has the exporter's lower case. */
const telling = (source: Source, { events }: Cause): Source =>
  source.events === 'bitmask'
    ? source
    : {
        ...source,
        match: [
          ...(source.match ?? []),
          oneOf(
            gpuEvents.clockEvents.codeLabel,
            [...events].map((kind) => kind.toLowerCase()),
          ),
        ],
      };

function clockFilter(view: ClusterView, { events }: Source, cause: Cause): Filter {
  if (events === 'sliding-count') return reached(view, 1);
  // With a bit of the cause set, a mask is at least the lowest of them.
  const bits = clockEventBits.flatMap((kind, bit) => (cause.events.has(kind) ? [2 ** bit] : []));
  return events === 'bitmask' ? moved(view, Math.min(...bits)) : movedOrBack(view);
}
