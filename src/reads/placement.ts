import type { PlacementSource, PodPhase } from '../domain/workload.ts';
import type { Pod } from '../identity/kube-pods.ts';
import { naturally } from '../identity/node-names.ts';
import type { NodeNames } from '../identity/node-names.ts';
import type { PodTold, Sighting } from './pod-book.ts';
import type { ClusterView } from './view.ts';

/** One pod on one node. */
export interface Placed {
  readonly pod: Pod;
  readonly node: string;
  /** Whole epoch seconds of the first and the last sample that shows the pod waiting or running there. */
  readonly from: number;
  /** Null while it is still there at the window's end. */
  readonly to: number | null;
  readonly phase: PodPhase;
  /** When it was seen Running there, as sampled; null where it never was. */
  readonly running: Sighting | null;
  readonly askedForGpus: boolean;
}

/** Where a workload's pods were. */
export interface Placement {
  readonly source: PlacementSource;
  readonly placed: readonly Placed[];
  /** Pods that waited or ran in the window and never got a node there. */
  readonly waiting: readonly Pod[];
}

/** Where a pod was, from what is told of it: it left a node when it finished, whatever kube-state-metrics shows since. */
export function placedOf(view: ClusterView, names: NodeNames, pod: Pod, told: PodTold): Placed[] {
  const alive = joined([...told.phases.values()]);
  return [...told.nodes].flatMap(([host, there]): Placed[] => {
    const stay = alive && common(alive, there);
    if (host === '' || !stay) return [];
    const running = told.phases.get('Running');
    const stays =
      !hasEnded(told, 'Succeeded') &&
      !hasEnded(told, 'Failed') &&
      stay.last >= view.until - 3 * view.scrapeS('kubeStateMetrics');
    return [
      {
        pod,
        node: names.hostNamed(host),
        from: Math.floor(stay.first),
        to: stays ? null : Math.floor(stay.last),
        phase: lastPhase(told, stays),
        running: (running && common(running, there)) ?? null,
        askedForGpus: told.askedForGpus,
      },
    ];
  });
}

/** By pod in the order people count, then by time. */
export const byPod = (a: Placed, b: Placed): number =>
  naturally(a.pod.name, b.pod.name) || a.from - b.from || naturally(a.node, b.node);

function lastPhase(told: PodTold, stays: boolean): PodPhase {
  if (hasEnded(told, 'Succeeded')) return 'SUCCEEDED';
  if (hasEnded(told, 'Failed')) return 'FAILED';
  if (!stays && hasEnded(told, 'Unknown')) return 'UNKNOWN';
  const at = (phase: string) => told.phases.get(phase)?.last ?? -Infinity;
  return at('Running') >= at('Pending') ? 'RUNNING' : 'PENDING';
}

/** A stretch of the window ended in this phase, and the pod was not seen alive in any later one. */
const hasEnded = ({ phases, endings }: PodTold, phase: string): boolean =>
  (endings.get(phase) ?? -Infinity) >= Math.max(...[...phases.values()].map(({ last }) => last));

const joined = (all: readonly Sighting[]): Sighting | null =>
  all.length === 0
    ? null
    : { first: Math.min(...all.map(({ first }) => first)), last: Math.max(...all.map(({ last }) => last)) };

function common(a: Sighting, b: Sighting): Sighting | null {
  const [first, last] = [Math.max(a.first, b.first), Math.min(a.last, b.last)];
  return first <= last ? { first, last } : null;
}
