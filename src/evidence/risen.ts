import { gpuCounters, type GpuCounter } from '../readings/gpu-counters.ts';
import { type CounterSource, sourcesOf } from '../readings/reading.ts';
import { readSteps } from '../reads/counter-rises.ts';
import { inUse } from '../reads/discovery.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Rise } from '../samples/increase.ts';
import type { Subject } from './subject.ts';
import { toRead } from './suspects-to-read.ts';
import { type Filter, moved, stepped, suspectsOf } from './suspects.ts';

/**
 * Where a counter rose in the window, by key, of the GPUs where it did.
 *
 * Upstream: one request a source that names them, one more where labels changed on the way; the samples of just these.
 *
 * @param unsteady  GPUs whose series may have followed each other
 * @param filter    another one in place of those for any rise
 */
export async function readRisen(
  view: ClusterView,
  subject: Subject,
  name: GpuCounter,
  unsteady: () => Promise<Subject>,
  filter?: Filter,
): Promise<ReadonlyMap<string, readonly Rise[]>> {
  const { sources } = sourcesOf<CounterSource>(view.site, name, gpuCounters[name], view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const [plain, tangled] = await Promise.all([
    suspectsOf(view, subject, used, filter ?? stepped(view)),
    filter || used.length === 0
      ? new Set<string>()
      : unsteady().then((some) => suspectsOf(view, some, used, moved(view))),
  ]);
  const steps = await readSteps(view, name, used, toRead(view, [...plain, ...tangled], gpuCounters[name].describe));
  return new Map(
    [...steps].flatMap(([key, own]) => {
      if (own instanceof Error) throw own;
      return own.length > 0 ? [[key, own] as const] : [];
    }),
  );
}
