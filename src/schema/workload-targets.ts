import { nameKey, podKey } from '../identity/kube-pods.ts';
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
    const ran = own.flatMap((placed) => {
      const span = runningTime(view, placement, placed);
      return span ? [{ ...span, stay: podKey(placed.pod) }] : [];
    });
    const stays = joined(ran, gapS(view)).map((span) => ({
      ...span,
      stay: ran.find(({ from }) => from === span.from)?.stay,
    }));
    return {
      node,
      spans: stays,
      pods: new Set(own.map(({ pod }) => nameKey(pod))),
      expectsGpus: own.some(({ askedForGpus }) => askedForGpus) || (!node.entry.hasHost && node.entry.gpus.size === 0),
    };
  });
}

const gapS = (view: ClusterView): number => 3 * view.scrapeS('kubeStateMetrics');

/**
 * What ran at the first or last look of the window ran up to that edge, unless it was seen to wait before or to end. Of pods
 * that exist now no more is known than that they run.
 */
function runningTime(view: ClusterView, { source }: Placement, { running, from, to, phase }: Placed): Span | null {
  const { start } = view.window;
  const now = source === 'CURRENT_PODS' && phase === 'RUNNING' ? { first: from, last: to ?? view.until } : null;
  const seen = running ?? now;
  if (!seen) return null;
  const ranBefore = Math.floor(seen.first) === from && seen.first - start <= gapS(view);
  const runsOn = to === null && view.until - seen.last <= gapS(view);
  return { from: ranBefore ? start : seen.first, to: runsOn ? view.until : seen.last };
}
