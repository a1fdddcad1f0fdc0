import type { Labels } from '../domain/series.ts';
import { type WorkloadId } from '../domain/workload.ts';
import { type Pod, podLabels, podNodeOf, podOf } from '../identity/kube-pods.ts';
import { podMetrics } from '../readings/pods.ts';
import { groupedBy, labelled, unionOf } from '../scope/aggregate.ts';
import { promql, selectAny, since } from '../scope/scope.ts';
import { byPod, type Placed, type Placement } from './placement.ts';
import { PodBook } from './pod-book.ts';
import { podMatchers } from './pod-names.ts';
import type { ClusterView } from './view.ts';
import { readPodsOf } from './workload-pods.ts';

const lookBackS = 300;

/**
 * Where the pods that exist now have been in a window that holds nothing of them: since they started, as far as anybody
 * knows. A pod that started after the window is not of it.
 *
 * Upstream: two requests for the pods and one for what they are doing; none for workloads that are no more.
 */
export async function readCurrentPods(
  view: ClusterView,
  ids: readonly WorkloadId[],
): Promise<Map<string, Placement | null>> {
  const podsOf = await readPodsOf(view, ids, view.newest - lookBackS, view.newest);
  const matchers = podMatchers([...podsOf.values()]);
  const telling = [podMetrics.phase, podMetrics.info, podMetrics.started, podMetrics.created];
  const labels = ['__name__', ...podLabels, ...view.site.exporters.kubeStateMetrics.nodeLabels, 'phase'];
  const recent = since(3 * view.scrapeS('kubeStateMetrics'));
  const queries = matchers.map((own) => {
    const series = selectAny(view.cluster, telling, [{ label: 'phase', op: '=~', value: '|Pending|Running' }, ...own]);
    return labelled('metric', groupedBy('max', labels, promql`last_over_time(${series}[${recent}]) > 0`));
  });
  const question = () => ({ kind: 'instant', query: unionOf(queries), time: view.newest }) as const;
  const rows = queries.length > 0 ? await view.rows('pods: now', question()) : [];
  const [book, began] = [new PodBook(), new Map<unknown, number>()];
  for (const { labels: own, values } of rows) note(view, book, began, own, values[0]!);

  const { names } = await view.inventory();
  return new Map(
    [...podsOf].map(([key, pods]) => {
      const [placed, waiting]: [Placed[], Pod[]] = [[], []];
      for (const pod of pods) {
        const told = book.find(pod);
        const start = began.get(book.of(pod)) ?? view.window.start;
        if (told.phases.size === 0 || start > view.until) continue;
        const hosts = [...told.nodes.keys()].filter((host) => host !== '');
        if (hosts.length === 0) waiting.push(pod);
        const from = Math.floor(Math.max(start, view.window.start));
        const phase = told.phases.has('Running') ? 'RUNNING' : 'PENDING';
        const running = phase === 'RUNNING' ? { first: from, last: view.until } : null;
        const rest = { from, to: null, phase, running, askedForGpus: false } as const;
        placed.push(...hosts.map((host) => ({ pod, node: names.hostNamed(host), ...rest })));
      }
      const isKnown = placed.length + waiting.length > 0;
      return [key, isKnown ? { source: 'CURRENT_PODS', placed: placed.sort(byPod), waiting } : null];
    }),
  );
}

/** A pod's start counts from when it got its node; one that tells none, from when it was made. */
function note(view: ClusterView, book: PodBook, began: Map<unknown, number>, labels: Labels, value: number): void {
  const pod = podOf(labels);
  if (!pod) return;
  const told = book.of(pod);
  if (labels['metric'] === podMetrics.phase) told.see(told.phases, labels['phase'] ?? '', view.newest);
  else if (labels['metric'] === podMetrics.info) told.see(told.nodes, podNodeOf(view.site, labels), view.newest);
  else if (labels['metric'] === podMetrics.started || !began.has(told)) began.set(told, value);
}
