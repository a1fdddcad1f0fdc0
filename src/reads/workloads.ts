import { type WorkloadId, workloadKey } from '../domain/workload.ts';
import type { Pod } from '../identity/kube-pods.ts';
import { podMetrics } from '../readings/pods.ts';
import { readCurrentPods } from './current-pods.ts';
import type { PodBook } from './pod-book.ts';
import { readPodTimes } from './pod-times.ts';
import { byPod, type Placed, placedOf, type Placement } from './placement.ts';
import type { ClusterView } from './view.ts';
import { readPodsOf } from './workload-pods.ts';

/** Kubernetes' pods are told of at all: without it nothing is asked. */
export const tellsOfPods = async (view: ClusterView): Promise<boolean> => {
  const names = await view.names();
  return names.has(podMetrics.info) && names.has(podMetrics.phase);
};

/**
 * The placement of workloads that a client names, by `workloadKey`; null for one of which neither the window nor this
 * moment tells.
 *
 * Upstream, for all of them: two requests for the pods, one a day of the window for their times; where the window holds
 * nothing of some, three more for what is there now.
 */
export async function readWorkloads(
  view: ClusterView,
  ids: readonly WorkloadId[],
): Promise<ReadonlyMap<string, Placement | null>> {
  if (!(await tellsOfPods(view))) return new Map();
  const pods = await readPodsOf(view, ids, view.window.start, view.until);
  const found = await placementsOf(view, pods);
  const without = ids.filter((id) => !found.get(workloadKey(id)));
  const current = without.length > 0 ? await readCurrentPods(view, without) : new Map<string, Placement>();
  return new Map([...found, ...current]);
}

/** The same of workloads whose pods are known; null for one of whose pods the window holds no sample. */
export async function placementsOf(
  view: ClusterView,
  podsOf: ReadonlyMap<string, readonly Pod[]>,
): Promise<Map<string, Placement | null>> {
  const book = await readPodTimes(view, [...podsOf.values()]);
  const { names } = await view.inventory();
  return new Map(
    [...podsOf].map(([key, pods]) => {
      const isKnown = pods.some((pod) => book.find(pod).isKnown);
      const placed = pods.flatMap((pod) => placedOf(view, names, pod, book.find(pod))).sort(byPod);
      return [key, isKnown ? { source: 'HISTORY', placed, waiting: waitingOf(pods, placed, book) } : null];
    }),
  );
}

function waitingOf(pods: readonly Pod[], placed: readonly Placed[], book: PodBook): Pod[] {
  const somewhere = new Set(placed.map(({ pod }) => pod));
  return pods.filter((pod) => !somewhere.has(pod) && book.find(pod).phases.size > 0);
}
