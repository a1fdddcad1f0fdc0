import { keyOf } from './gpu-key.ts';
import type { GpuInWindow } from './refs.ts';

/** Clock events of one GPU by kind; null where it has no series of them, since that may be an exporter without any. */
export async function clockEventsOf(gpu: GpuInWindow): Promise<{ kind: string; count: number }[] | null> {
  const log = await gpu.node.of.load.events('clockEvents', keyOf(gpu));
  if (!log) return null;
  return [...Map.groupBy(log.events, ({ kind }) => kind)]
    .map(([kind, own]) => ({ kind, count: own.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
