import type { Matcher } from '../domain/matcher.ts';
import { nameKey, type Owner } from '../identity/kube-pods.ts';
import { podMetrics } from '../readings/pods.ts';
import { groupedBy, unionOf } from '../scope/aggregate.ts';
import { promql, select, since } from '../scope/scope.ts';
import { type Placed, placedOf } from './placement.ts';
import { readPodTimes } from './pod-times.ts';
import { byWorkload, isFromDaemonSet, readSeenPods } from './pods-seen.ts';
import type { ClusterView } from './view.ts';

/** A stretch in which a pod was Running on a node, from its first to its last sample there, epoch seconds as sampled. */
export interface Running {
  /** `namespace/name` */
  readonly pod: string;
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  /** Its topmost owner that the store tells of; null for a pod that a user made. */
  readonly owner: Owner | null;
  readonly fromDaemonSet: boolean;
  readonly askedForGpus: boolean;
}

/**
 * The Running stretches of pods on these nodes, by node; a node of which nothing is known is left out.
 *
 * Upstream: two requests for the pods of the cluster, one a day of the window for their times; whatever the number of
 * nodes and pods. None where kube-state-metrics is not scraped.
 */
export async function readRunning(
  view: ClusterView,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Running[]>> {
  const pods = (await readSeenPods(view)).filter((pod) => [...pod.nodes].some((node) => nodes.has(node)));
  const groups = [...byWorkload(pods).values()].map((seen) => seen.map(({ pod }) => pod));
  const book = await readPodTimes(view, groups);
  const { names } = await view.inventory();
  const found = pods.flatMap(({ pod, chain, askedForGpus }) =>
    placedOf(view, names, pod, book.find(pod)).flatMap((placed) => {
      const owner = chain.at(-1) ?? null;
      const stretch = stretchOf(placed, { owner, fromDaemonSet: isFromDaemonSet(chain), askedForGpus });
      return stretch && nodes.has(placed.node) ? [{ node: placed.node, stretch }] : [];
    }),
  );
  return inOrder(found);
}

/**
 * The nodes, by the inventory's names, on which the window holds any pod: of the others it is not known what ran there.
 *
 * Upstream: one request, answered by one row a node.
 */
export async function readNodesWithPods(view: ClusterView): Promise<ReadonlySet<string>> {
  const length = view.until - view.window.start;
  if (length <= 0 || !(await view.names()).has(podMetrics.info)) return new Set();
  const labels = view.site.exporters.kubeStateMetrics.nodeLabels;
  const isNot = (label: string): Matcher => ({ label, op: '=', value: '' });
  const queries = labels.map((label, i) => {
    // Beside labels that were moved aside, the plain one names kube-state-metrics' own node.
    const others = [...labels.slice(0, i), ...(label === 'node' ? ['exported_pod', 'exported_namespace'] : [])];
    const matchers = [{ label, op: '!=', value: '' } as const, ...others.map(isNot)];
    const info = select(view.cluster, podMetrics.info, matchers);
    return groupedBy('group', [label], promql`last_over_time(${info}[${since(length)}])`);
  });
  const rows = await view.rows('nodes with pods', { kind: 'instant', query: unionOf(queries), time: view.until });
  const { names } = await view.inventory();
  return new Set(
    rows.flatMap(({ labels: own }) => labels.flatMap((label) => (own[label] ? [names.hostNamed(own[label])] : []))),
  );
}

function stretchOf(
  { pod, running }: Placed,
  of: Pick<Running, 'owner' | 'fromDaemonSet' | 'askedForGpus'>,
): Running | null {
  return running && { pod: nameKey(pod), uid: pod.uid, from: running.first, to: running.last, ...of };
}

function inOrder(found: readonly { node: string; stretch: Running }[]): ReadonlyMap<string, readonly Running[]> {
  const byNode = Map.groupBy(found, ({ node }) => node);
  return new Map(
    [...byNode].map(([node, all]) => [node, all.map(({ stretch }) => stretch).sort((a, b) => a.from - b.from)]),
  );
}
