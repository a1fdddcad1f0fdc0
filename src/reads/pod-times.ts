import { nameKey, type Pod, podKey } from '../identity/kube-pods.ts';
import type { ScopedQuery } from '../scope/scope.ts';
import { unionOf } from '../scope/aggregate.ts';
import { PodBook } from './pod-book.ts';
import { edgesOf, edgeQueries } from './pod-edges.ts';
import { podMatchers } from './pod-names.ts';
import { readSpells, type Spell, toldBy } from './pod-spells.ts';
import type { ClusterView } from './view.ts';

// VictoriaMetrics takes no longer query than 16 KiB.
const longestQuery = 12_000;

/**
 * When pods were seen in the window, by phase and by node, and how they ended.
 *
 * First in which pieces of the window that began and ended; then, in those pieces alone, when exactly.
 *
 * Upstream: one request a day of the window for the pieces, and one for all the edges, or some more where they are spread
 * over many pieces; whatever the number of pods.
 *
 * @param workloads  the pods of each workload
 */
export async function readPodTimes(view: ClusterView, workloads: readonly (readonly Pod[])[]): Promise<PodBook> {
  // Some versions of kube-state-metrics tell no uid of a phase.
  const workloadOf = new Map(
    workloads.flatMap((pods, i) => pods.flatMap((pod) => [podKey(pod), nameKey(pod)].map((key) => [key, i] as const))),
  );
  const book = new PodBook();
  const exact: Spell[] = [];
  for (const spell of await readSpells(view, podMatchers(workloads))) {
    const { pod, doing, last } = spell;
    if (!workloadOf.has(podKey(pod))) continue;
    if (doing.kind === 'requests') book.of(pod).askedForGpus = true;
    else if (doing.kind === 'phase' && !alive.has(doing.what)) book.of(pod).endings.set(doing.what, last.until);
    else exact.push(spell);
  }
  const { queries, time } = edgeQueries(
    view,
    edgesOf(exact, (pod) => workloadOf.get(podKey(pod))!),
  );
  await Promise.all(
    inRequests(queries).map(async (query) => {
      for (const { labels, values } of await view.rows('pods: changes', { kind: 'instant', query, time })) {
        const told = toldBy(view, labels);
        if (!told) continue;
        const pod = book.of(told.pod);
        pod.see(told.doing.kind === 'node' ? pod.nodes : pod.phases, told.doing.what, values[0]!);
      }
    }),
  );
  return book;
}

const alive = new Set(['Pending', 'Running']);

/** As few requests as hold these queries. */
function inRequests(queries: readonly ScopedQuery[]): ScopedQuery[] {
  const requests: ScopedQuery[][] = [];
  let length = Infinity;
  for (const query of queries) {
    if (length + query.length > longestQuery) {
      requests.push([]);
      length = 0;
    }
    requests.at(-1)!.push(query);
    length += query.length;
  }
  return requests.map(unionOf);
}
