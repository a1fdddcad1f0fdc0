import { nameKey } from '../identity/kube-pods.ts';
import { naturally } from '../identity/node-names.ts';
import type { Placed, Placement } from '../reads/placement.ts';
import type { ClusterView } from '../reads/view.ts';
import { joined, type Span } from '../rules/span.ts';
import type { NodeTarget } from './refs.ts';
import type { WorkloadInWindow } from './refs.ts';
import { nodesOf } from './workload-nodes.ts';

/** The nodes of a workload, each with the time in which its pods were Running there. */
export async function workloadTargets(workload: WorkloadInWindow): Promise<NodeTarget[]> {
  const { view } = workload.of;
  const nodes = [...(await nodesOf(workload)).values()].sort((a, b) => naturally(a.entry.name, b.entry.name));
  const placement = await workload.placement();
  return nodes.map((node) => {
    const own = placement.placed.filter((placed) => placed.node === node.entry.name);
    const spans = own.flatMap((placed) => runningTime(view, placement, placed) ?? []);
    return { node, spans: joined(spans, gapS(view)), pods: new Set(own.map(({ pod }) => nameKey(pod))) };
  });
}

const gapS = (view: ClusterView): number => 3 * view.scrapeS('kubeStateMetrics');

/** What was Running at the first or last look of the window ran up to that edge. Of pods that exist now no more is known than that. */
function runningTime(view: ClusterView, { source }: Placement, { running, from, to }: Placed): Span | null {
  const { start } = view.window;
  const seen = running ?? (source === 'CURRENT_PODS' ? { first: from, last: to ?? view.until } : null);
  if (!seen) return null;
  return {
    from: seen.first - start <= gapS(view) ? start : seen.first,
    to: view.until - seen.last <= gapS(view) ? view.until : seen.last,
  };
}
