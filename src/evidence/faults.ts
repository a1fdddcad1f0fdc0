import type { Source } from '../domain/site.ts';
import { gpuCounters, gpuEvents } from '../readings/gpu-counters.ts';
import { type CounterSource, sourcesOf } from '../readings/reading.ts';
import { readSteps } from '../reads/counter-rises.ts';
import { inUse } from '../reads/discovery.ts';
import { readLogs } from '../reads/events.ts';
import type { ClusterView } from '../reads/view.ts';
import { type FaultCounter, faultCounters, type GpuFacts } from '../rules/facts.ts';
import { type Subject, targetsOf } from './subject.ts';
import { moved, movedOrBack, reached, suspectsOf } from './suspects.ts';
import { settled } from './throttling.ts';

export type Faults = Pick<GpuFacts, 'counters' | 'xids'>;

/**
 * Error counters that rose and faults that landed, by key, of the GPUs that had any.
 *
 * Upstream: one request a source that names them; the samples of just these.
 */
export async function readFaults(view: ClusterView, subject: Subject): Promise<ReadonlyMap<string, Faults>> {
  const [rose, xids] = await Promise.all([
    Promise.all(faultCounters.map(async (name) => ({ name, steps: await readRisen(view, subject, name) }))),
    readXids(view, subject),
  ]);
  const found = new Map<string, Faults>();
  const of = (key: string) => found.get(key) ?? { counters: {}, xids: [] };
  for (const { name, steps } of rose) {
    for (const [key, own] of steps) {
      const rises = settled(own);
      if (rises.length > 0) found.set(key, { ...of(key), counters: { ...of(key).counters, [name]: rises } });
    }
  }
  for (const [key, { events }] of xids) if (events.length > 0) found.set(key, { ...of(key), xids: events });
  return found;
}

async function readRisen(view: ClusterView, subject: Subject, name: FaultCounter) {
  const { sources } = sourcesOf<CounterSource>(view.site, name, gpuCounters[name], view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const suspects = await suspectsOf(view, subject, used, moved(view));
  return readSteps(view, name, used, targetsOf(suspects));
}

async function readXids(view: ClusterView, subject: Subject) {
  const { sources } = sourcesOf<Source>(view.site, 'xid', gpuEvents.xid, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const named = await Promise.all(
    used.map((source) =>
      suspectsOf(view, subject, [source], source.events === 'sliding-count' ? reached(view, 1) : movedOrBack(view)),
    ),
  );
  const suspects = new Set(named.flatMap((keys) => [...keys]));
  return suspects.size > 0 ? readLogs(view, 'xid', used, targetsOf(suspects)) : new Map<string, never>();
}
