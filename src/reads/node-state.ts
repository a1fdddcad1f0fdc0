import type { NodeState } from '../domain/fleet.ts';
import { promql, select, since } from '../scope/scope.ts';
import type { ClusterView } from './view.ts';

const states: Readonly<Record<string, NodeState>> = { true: 'READY', false: 'NOT_READY', unknown: 'UNKNOWN' };

/**
 * Kubernetes' Ready condition of each node at the window's end; UNKNOWN where nothing recent tells.
 *
 * Upstream: one request.
 */
export async function readNodeStates(view: ClusterView): Promise<ReadonlyMap<string, NodeState>> {
  if (!(await view.names()).has('kube_node_status_condition')) return new Map();
  const ready = select(view.cluster, 'kube_node_status_condition', [{ label: 'condition', op: '=', value: 'Ready' }]);
  const recent = Math.max(300, 3 * view.scrapeS('kubeStateMetrics'));
  // The newest sample of each: of a state that was left, that is a 0.
  const query = promql`last_over_time(${ready}[${since(recent)}]) == 1`;
  const rows = await view.rows({ kind: 'instant', query, time: view.window.end });
  return new Map(
    rows.map(({ labels }) => [
      labels['exported_node'] ?? labels['node'] ?? '',
      states[labels['status'] ?? ''] ?? 'UNKNOWN',
    ]),
  );
}
