import { gpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import type { Source } from '../domain/site.ts';
import { keyOf } from './gpu-key.ts';
import type { GpuInWindow } from './refs.ts';

/**
 * Clock events of one GPU by kind. A counter of them may show no series until the first, so a GPU that reported in the
 * window has had none if its cluster counts them; where only a bit mask tells, the mask itself must be there.
 */
export async function clockEventsOf(gpu: GpuInWindow): Promise<{ kind: string; count: number }[] | null> {
  const { view, load } = gpu.node.of;
  const { sources } = sourcesOf<Source>(view.site, 'clockEvents', gpuEvents.clockEvents, view.cluster.vendor);
  const names = await view.names();
  const counted = sources.some(({ metric, events }) => events !== 'bitmask' && names.has(metric));
  const log = await load.events('clockEvents', keyOf(gpu));
  if (!log) return counted && (await load.gpuPresence(keyOf(gpu)))?.present ? [] : null;
  return [...Map.groupBy(log.events, ({ kind }) => kind)]
    .map(([kind, own]) => ({ kind, count: own.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
