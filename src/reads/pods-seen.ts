import { type WorkloadId, workloadKey } from '../domain/workload.ts';
import { type Owner, type Pod, podKey } from '../identity/kube-pods.ts';
import { between, podMetrics } from '../readings/pods.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { promql, select, since } from '../scope/scope.ts';
import { inUse } from './discovery.ts';
import { Owners, workloadOf } from './owners.ts';
import { tellingLabels, tellingSeries, toldBy } from './pod-spells.ts';
import type { ClusterView } from './view.ts';
import { pointers } from './workload-pods.ts';
import { tellsOfPods } from './workloads.ts';

/** A pod that waited or ran in the window. */
export interface SeenPod {
  readonly pod: Pod;
  /** What it is of, in the end. */
  readonly workload: WorkloadId;
  /** What made it, what made that, and so on. */
  readonly chain: readonly Owner[];
  /** The nodes on which it was, by the inventory's names. */
  readonly nodes: ReadonlySet<string>;
  readonly askedForGpus: boolean;
}

/**
 * Every pod of the cluster that waited or ran in the window.
 *
 * Upstream: one request for what made them, one for what they did; whatever their number.
 */
export async function readSeenPods(view: ClusterView): Promise<readonly SeenPod[]> {
  const length = view.until - view.window.start;
  if (length <= 0 || !(await tellsOfPods(view))) return [];
  const series = tellingSeries(view, [], ['Pending', 'Running']);
  const labels = tellingLabels(view);
  const query = groupedBy('max', labels, promql`max_over_time(${series}[${since(length)}]) > 0`);
  const [owners, rows, { names }] = await Promise.all([
    readOwners(view),
    view.rows('pods: seen', { kind: 'instant', query, time: view.until }),
    view.inventory(),
  ]);
  const seen = new Map<string, { pod: Pod; alive: boolean; asked: boolean; nodes: Set<string> }>();
  for (const { labels: own } of rows) {
    const told = toldBy(view, own);
    if (!told) continue;
    const { pod, doing } = told;
    const known = seen.get(podKey(pod)) ?? { pod, alive: false, asked: false, nodes: new Set() };
    seen.set(podKey(pod), known);
    if (doing.kind === 'requests') known.asked = true;
    else if (doing.kind === 'phase') known.alive = true;
    else if (doing.what) known.nodes.add(names.hostNamed(doing.what));
  }
  return [...seen.values()]
    .filter(({ alive }) => alive)
    .map(({ pod, asked, nodes }) => {
      const chain = owners.chainOf(pod);
      return { pod, workload: workloadOf(pod, chain), chain, nodes, askedForGpus: asked };
    });
}

/** The pods of each workload, by `workloadKey`. */
export const byWorkload = (pods: readonly SeenPod[]): Map<string, SeenPod[]> =>
  Map.groupBy(pods, ({ workload }) => workloadKey(workload));

/**
 * Whether a pod counts as one that uses GPUs: it asked for some. Where the store holds no requests of any pod, it is any
 * that no DaemonSet made.
 */
export async function usesGpus(view: ClusterView): Promise<(pod: SeenPod) => boolean> {
  const told = await tellsOfRequests(view);
  return ({ askedForGpus, chain }) => (told ? askedForGpus : !isFromDaemonSet(chain));
}

/** Whether the cluster shows what its pods ask for. */
export const tellsOfRequests = async (view: ClusterView): Promise<boolean> =>
  (await view.names()).has(podMetrics.requests);

export const isFromDaemonSet = (chain: readonly Owner[]): boolean => chain.some(({ kind }) => kind === 'DaemonSet');

async function readOwners(view: ClusterView): Promise<Owners> {
  const { metric } = await pointers(view);
  const sources = [metric, ...Object.values(between).map((each) => each.metric)].map((each) => ({
    metric: each,
    scale: 1,
    rank: 0,
  }));
  const match = inUse(sources, await view.names()).map((source) => select(view.cluster, source.metric));
  const question = { kind: 'series', match, start: view.window.start, end: view.until } as const;
  return new Owners((await view.rows('pods: owners', question)).map(({ labels }) => labels));
}
