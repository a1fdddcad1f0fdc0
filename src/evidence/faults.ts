import type { Source } from '../domain/site.ts';
import { gpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import type { GpuEventLog } from '../reads/event-log.ts';
import { inUse } from '../reads/discovery.ts';
import { readLogs } from '../reads/events.ts';
import type { ClusterView } from '../reads/view.ts';
import { faultCounters, type GpuFacts } from '../rules/facts.ts';
import { readRisen } from './risen.ts';
import type { Subject } from './subject.ts';
import { toRead } from './suspects-to-read.ts';
import { movedOrBack, reached, suspectsOf } from './suspects.ts';

export type Faults = Pick<GpuFacts, 'counters' | 'xids'>;

/**
 * Error counters that rose and faults that landed, by key, of the GPUs that had any.
 *
 * Upstream: one request a source that names them; the samples of just these.
 */
export async function readFaults(
  view: ClusterView,
  subject: Subject,
  unsteady: () => Promise<Subject>,
): Promise<ReadonlyMap<string, Faults>> {
  const [rose, xids] = await Promise.all([
    Promise.all(faultCounters.map(async (name) => ({ name, rises: await readRisen(view, subject, name, unsteady) }))),
    readXids(view, subject),
  ]);
  const found = new Map<string, Faults>();
  const of = (key: string) => found.get(key) ?? { counters: {}, xids: [] };
  for (const { name, rises } of rose)
    for (const [key, own] of rises) found.set(key, { ...of(key), counters: { ...of(key).counters, [name]: own } });
  for (const [key, { events }] of xids) if (events.length > 0) found.set(key, { ...of(key), xids: events });
  return found;
}

/** Most GPUs show no code at all; of those that show one, and may have shown it for weeks, a second look tells which moved. */
async function readXids(view: ClusterView, subject: Subject): Promise<ReadonlyMap<string, GpuEventLog>> {
  const { sources } = sourcesOf<Source>(view.site, 'xid', gpuEvents.xid, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const named = await Promise.all(
    used.map(async (source) => {
      const showing = await suspectsOf(view, subject, [source], reached(view, 1));
      if (source.events === 'sliding-count' || showing.size === 0) return showing;
      return suspectsOf(view, subject.only(showing), [source], movedOrBack(view));
    }),
  );
  const suspects = new Set(named.flatMap((keys) => [...keys]));
  return suspects.size > 0 ? readLogs(view, 'xid', used, toRead(view, suspects, 'GPU faults')) : new Map();
}
