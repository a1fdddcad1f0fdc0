import type { Matcher } from '../domain/matcher.ts';
import type { Labels, Row } from '../domain/series.ts';
import { type Pod, podLabels, podNodeOf, podOf } from '../identity/kube-pods.ts';
import { gpuResources, podMetrics } from '../readings/pods.ts';
import { groupedBy, tagged, unionOf } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, select, selectAny, since, span } from '../scope/scope.ts';
import { PodBook } from './pod-book.ts';
import { podMatchers } from './pod-names.ts';
import type { ClusterView } from './view.ts';

// A day of a thousand pods is what a store works out at once without a stop.
const sliceS = 86400;
const instantsPerRequest = 10_000_000;
const seriesPerPod = 4;

/**
 * When pods were seen in the window, by phase and by node, and how they ended.
 *
 * The store works out the first and last sample of each, at its own time: a subquery half as fine as the scrapes meets
 * every sample, and what it meets twice does no harm. Of very many pods it is coarser, so that a stretch may be short by
 * its step at either end. What it can not meet is behind its last instant: the newest sample is looked at apart.
 *
 * Upstream: one request a day of the window, two where pods are named in two ways; whatever their number.
 *
 * @param workloads  the pods of each workload; what is told of others besides is harmless
 */
export async function readPodTimes(view: ClusterView, workloads: readonly (readonly Pod[])[]): Promise<PodBook> {
  const book = new PodBook();
  const count = workloads.reduce((sum, pods) => sum + pods.length, 0);
  const slices = count > 0 ? slicesOf(view.window.start, view.until) : [];
  const matchers = podMatchers(workloads);
  await Promise.all(
    slices.flatMap(([from, to]) => {
      const scrapesS = view.scrapeS('kubeStateMetrics') / 2;
      const stepS = Math.max(scrapesS, Math.ceil((count * seriesPerPod * (to - from)) / instantsPerRequest));
      return matchers.map(async (own) => {
        const query = timesQuery(view, own, from, to, stepS);
        for (const row of await view.rows({ kind: 'instant', query, time: to })) take(view, book, row, to);
      });
    }),
  );
  return book;
}

function slicesOf(start: number, end: number): (readonly [from: number, to: number])[] {
  const count = Math.max(0, Math.ceil((end - start) / sliceS));
  return Array.from(
    { length: count },
    (_, i) => [start + i * sliceS, Math.min(end, start + (i + 1) * sliceS)] as const,
  );
}

/** What is above zero tells where a pod is, that it waits or runs, or that it asked for GPUs. */
export const tellingSeries = (view: ClusterView, matchers: readonly Matcher[]): ScopedQuery =>
  selectAny(
    view.cluster,
    [podMetrics.info, podMetrics.phase, podMetrics.requests],
    [
      // Each metric lacks the other's label, which matches the empty value.
      { label: 'phase', op: '=~', value: '|Pending|Running' },
      { label: 'resource', op: '=~', value: `|${gpuResources}` },
      ...matchers,
    ],
  );

/** What tells the rows of `tellingSeries` apart, once grouped: replicas of kube-state-metrics become one. */
export const tellingLabels = ({ site }: ClusterView): string[] => [
  ...podLabels,
  ...site.exporters.kubeStateMetrics.nodeLabels,
  'phase',
  'resource',
];

function timesQuery(view: ClusterView, own: readonly Matcher[], from: number, to: number, stepS: number): ScopedQuery {
  const labels = tellingLabels(view);
  const series = tellingSeries(view, own);
  const seen = promql`(timestamp(${series}) and ${series} > 0) > ${from}`;
  const each = promql`(${seen})[${since(to - from)}:${span(stepS)}]`;
  const endings = select(view.cluster, podMetrics.phase, [
    { label: 'phase', op: '=~', value: 'Succeeded|Failed|Unknown' },
    ...own,
  ]);
  return unionOf([
    tagged('edge', 'first', groupedBy('min', labels, promql`min_over_time(${each})`)),
    tagged('edge', 'last', groupedBy('max', labels, promql`max_over_time(${each})`)),
    tagged('edge', 'newest', groupedBy('max', labels, seen)),
    tagged('edge', 'ending', groupedBy('max', labels, promql`last_over_time(${endings}[${since(to - from)}]) > 0`)),
  ]);
}

function take(view: ClusterView, book: PodBook, { labels, values }: Row, to: number): void {
  const pod = podOf(labels);
  const value = values[0];
  if (!pod || value === undefined) return;
  const told = book.of(pod);
  const { phase = '', resource = '' } = labels;
  if (labels['edge'] === 'ending') told.endings.set(phase, Math.max(to, told.endings.get(phase) ?? -Infinity));
  else if (resource) told.askedForGpus = true;
  else if (phase) told.see(told.phases, phase, value);
  else told.see(told.nodes, nodeOf(view, labels), value);
}

const nodeOf = (view: ClusterView, labels: Labels): string => podNodeOf(view.site, labels);
