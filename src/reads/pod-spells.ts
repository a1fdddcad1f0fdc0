import type { Matcher } from '../domain/matcher.ts';
import type { Labels, Row } from '../domain/series.ts';
import { type Pod, podKey, podLabels, podNodeOf, podOf } from '../identity/kube-pods.ts';
import { gpuResources, podMetrics } from '../readings/pods.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, selectAny, since } from '../scope/scope.ts';
import type { ClusterView } from './view.ts';

/** A piece of the window, `(after, until]`, epoch seconds. */
export interface Piece {
  readonly after: number;
  readonly until: number;
}

/** What a pod was seen doing: being in a phase, being on a node ('' for none), or asking for GPUs. */
export interface Doing {
  readonly kind: 'phase' | 'node' | 'requests';
  readonly what: string;
}

/** From the first piece of the window in which a pod was seen doing something to the last. */
export interface Spell {
  readonly pod: Pod;
  readonly doing: Doing;
  first: Piece;
  last: Piece;
}

const dayS = 86400;

/**
 * In which pieces of the window pods were first and last seen doing what: every sample counts, however short the sight.
 *
 * Upstream: one request a day of the window for each way in which pods are named.
 */
export async function readSpells(view: ClusterView, matchers: readonly (readonly Matcher[])[]): Promise<Spell[]> {
  const found = new Map<string, Spell>();
  const [start, end] = [view.window.start, Math.floor(view.until)];
  const days = Math.max(0, Math.ceil((end - start) / dayS));
  const slices = Array.from(
    { length: days },
    (_, i) => [start + i * dayS, Math.min(end, start + (i + 1) * dayS)] as const,
  );
  // They divide a thousand, so that a piece of whole seconds is one of whole milliseconds.
  const pieces = days > 2 ? 10 : days > 1 ? 20 : 40;
  const asked = slices.flatMap(([from, to]) =>
    matchers.map(async (own) => {
      const step = (to - from) / pieces;
      const seen = promql`max_over_time(${tellingSeries(view, own, everyPhase)}[${since(step)}])`;
      const query = promql`${groupedBy('max', tellingLabels(view), seen)} > 0`;
      const rows = await view.rows('pods: spells', { kind: 'range', query, start: from + step, end: to, step });
      for (const row of rows) take(view, found, row, from, step);
    }),
  );
  await Promise.all(asked);
  return [...found.values()];
}

const everyPhase = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];

/** What is above zero tells where a pod is, that it is in one of these phases, or that it asked for GPUs. */
export const tellingSeries = (
  view: ClusterView,
  matchers: readonly Matcher[],
  phases: readonly string[],
  metrics: readonly string[] = [podMetrics.info, podMetrics.phase, podMetrics.requests],
): ScopedQuery =>
  selectAny(view.cluster, metrics, [
    // Each metric lacks the other's label, which matches the empty value.
    { label: 'phase', op: '=~', value: ['', ...phases].join('|') },
    { label: 'resource', op: '=~', value: `|${gpuResources}` },
    ...matchers,
  ]);

/** What tells the rows of `tellingSeries` apart, once grouped: replicas of kube-state-metrics become one. */
export const tellingLabels = ({ site }: ClusterView): string[] => [
  ...podLabels,
  ...site.exporters.kubeStateMetrics.nodeLabels,
  'phase',
  'resource',
];

/** What a row of `tellingSeries` is about; null where it names no pod. */
export function toldBy(view: ClusterView, labels: Labels): { pod: Pod; doing: Doing } | null {
  const pod = podOf(labels);
  if (!pod) return null;
  if (labels['resource']) return { pod, doing: { kind: 'requests', what: '' } };
  if (labels['phase']) return { pod, doing: { kind: 'phase', what: labels['phase'] } };
  return { pod, doing: { kind: 'node', what: podNodeOf(view.site, labels) } };
}

function take(view: ClusterView, found: Map<string, Spell>, { labels, times }: Row, from: number, step: number): void {
  const told = toldBy(view, labels);
  if (!told) return;
  const key = `${podKey(told.pod)} ${told.doing.kind} ${told.doing.what}`;
  for (const time of times) {
    const slot = Math.round((time - from) / step);
    const piece = { after: from + (slot - 1) * step, until: from + slot * step };
    const spell = found.get(key);
    if (!spell) found.set(key, { ...told, first: piece, last: piece });
    else {
      if (piece.until < spell.first.until) spell.first = piece;
      if (piece.until > spell.last.until) spell.last = piece;
    }
  }
}
