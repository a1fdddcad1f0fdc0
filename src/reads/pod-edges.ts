import { type Pod, podKey } from '../identity/kube-pods.ts';
import { podMetrics } from '../readings/pods.ts';
import { groupedBy, tagged, unionOf } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, since, span } from '../scope/scope.ts';
import { podMatchers } from './pod-names.ts';
import { type Piece, type Spell, tellingLabels, tellingSeries } from './pod-spells.ts';
import type { ClusterView } from './view.ts';

// What a store works out in a few seconds.
const instantsAtMost = 4_000_000;
// Waiting, running and on a node, each looked at for its value and its time, for its first and its last.
const looksPerPod = 12;
// No store takes an offset of nothing.
const aheadS = 1;

/** A piece of the window in which something began or ended: which pods of each workload, and in which phases. */
export interface Edges extends Piece {
  readonly pods: ReadonlyMap<number, ReadonlyMap<string, Pod>>;
  readonly phases: ReadonlySet<string>;
}

export function edgesOf(spells: readonly Spell[], workloadOf: (pod: Pod) => number): Edges[] {
  const found = new Map<number, Piece & { pods: Map<number, Map<string, Pod>>; phases: Set<string> }>();
  for (const { pod, doing, first, last } of spells) {
    for (const piece of [first, last]) {
      const edges = found.get(piece.until) ?? { ...piece, pods: new Map(), phases: new Set() };
      found.set(piece.until, edges);
      if (doing.kind === 'phase') edges.phases.add(doing.what);
      const own = edges.pods.get(workloadOf(pod)) ?? new Map<string, Pod>();
      edges.pods.set(workloadOf(pod), own.set(podKey(pod), pod));
    }
  }
  return [...found.values()].sort((a, b) => a.until - b.until);
}

/**
 * Queries, all for one time, that are answered by the first and the last sample of each pod in each piece, at its own time.
 *
 * A subquery half as fine as the scrapes meets every sample, and what it meets twice does no harm. Of very many pods it is
 * coarser: then what began is seen late by as much as a step, and what ended early.
 */
export function edgeQueries(view: ClusterView, all: readonly Edges[]): { queries: ScopedQuery[]; time: number } {
  const looks = all.reduce((sum, { pods, after, until }) => {
    const count = [...pods.values()].reduce((own, { size }) => own + size, 0);
    return sum + count * looksPerPod * (until - after);
  }, 0);
  const stepS = Math.max(view.scrapeS('kubeStateMetrics') / 2, Math.ceil(looks / instantsAtMost));
  const time = Math.floor(view.until) + stepS + aheadS;
  const queries = all.flatMap((edges, i) =>
    podMatchers([...edges.pods.values()].map((own) => [...own.values()])).map((own, way) => {
      const series = tellingSeries(view, own, [...edges.phases].sort(), [podMetrics.info, podMetrics.phase]);
      return edgeQuery(view, series, edges, stepS, time, `${i}.${way}`);
    }),
  );
  return { queries, time };
}

/** A sample shows at the instant after it, which may lie behind the piece: the subquery reaches one step further. */
function edgeQuery(
  view: ClusterView,
  series: ScopedQuery,
  { after, until }: Piece,
  stepS: number,
  time: number,
  name: string,
): ScopedQuery {
  const seen = promql`(timestamp(${series}) and ${series} > 0) > ${after} <= ${until}`;
  const back = span(time - stepS - until);
  const each = promql`(${seen})[${since(until - after + stepS)}:${span(stepS)}] offset ${back}`;
  const labels = tellingLabels(view);
  return unionOf([
    tagged('edge', `first ${name}`, groupedBy('min', labels, promql`min_over_time(${each})`)),
    tagged('edge', `last ${name}`, groupedBy('max', labels, promql`max_over_time(${each})`)),
  ]);
}
