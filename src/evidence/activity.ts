import { gpuSeriesOf } from '../identity/gpu-series.ts';
import type { ClusterView } from '../reads/view.ts';
import type { ActivityFacts, Held } from '../rules/facts.ts';
import { runs } from '../samples/runs.ts';
import type { Allocation } from './allocation.ts';
import { gaugeSources, type Read, readStreams } from './streams.ts';
import { indexIn, nodeIn, type Subject } from './subject.ts';
import { toRead } from './suspects-to-read.ts';
import { fallen, suspectsOf } from './suspects.ts';

/** One reading of activity, and what was found of it. */
const readings = { TENSOR_ACTIVE: 'tensorActivePct', GPU_UTIL: 'utilPct' } as const;
type ActivityFamily = keyof typeof readings;

/**
 * Activity of the GPUs that may have collapsed, by key, with the pods that had them.
 *
 * Upstream: one request a source that names them; the samples of just these. GPUs that are cut into instances are read
 * all: what is low of an instance says nothing of the device.
 */
export async function readActivity(
  view: ClusterView,
  wide: ClusterView,
  subject: Subject,
  family: ActivityFamily,
  allocation: Allocation,
): Promise<ReadonlyMap<string, ActivityFacts>> {
  const name = readings[family];
  const sources = await gaugeSources(view, name);
  const named = await suspectsOf(wide, subject, sources, fallen(wide, view.scrapeS(), sources.length > 1));
  const { byName } = subject.inventory;
  const cut = subject.keys.filter((key) => gpuAt(byName, key)?.partitioned);
  const suspects = sources.length > 0 ? new Set([...named, ...cut]) : named;
  if (suspects.size === 0) return new Map();
  const nodes = new Set([...suspects].map(nodeIn));
  const labelled = await allocation.labelled(nodes);
  const others = new Set([...nodes].filter((node) => !labelled.has(node)));
  const [reads, running] = await Promise.all([
    readStreams(wide, name, toRead(wide, suspects, 'activity')),
    others.size > 0 ? allocation.running(others) : new Map<string, readonly Held[]>(),
  ]);
  return new Map(
    [...reads].map(([key, read]) => {
      const node = nodeIn(key);
      const held = labelled.has(node) ? heldByLabels(view, read) : (running.get(node) ?? []);
      return [key, { family, stream: read.stream, held }];
    }),
  );
}

const gpuAt = (byName: Subject['inventory']['byName'], key: string) => byName.get(nodeIn(key))?.gpus.get(indexIn(key));

/** While a series names a pod, the pod has the GPU. */
function heldByLabels(view: ClusterView, { rows }: Read): Held[] {
  return rows.flatMap(({ row }) => {
    const pod = gpuSeriesOf(row.labels, view.cluster.vendor)?.pod;
    return pod ? runs(row.times, 3 * view.scrapeS()).map((span) => ({ ...span, pod })) : [];
  });
}
