import type { NodeState } from '../domain/fleet.ts';
import type { Row } from '../domain/series.ts';
import { kubeNodeOf } from '../identity/node-names.ts';
import { promql, select, since } from '../scope/scope.ts';
import type { ClusterView } from './view.ts';

const states = new Map<string, NodeState>([
  ['true', 'READY'],
  ['false', 'NOT_READY'],
  ['unknown', 'UNKNOWN'],
]);

/**
 * Kubernetes' Ready condition of each node at the window's end; UNKNOWN where nothing recent tells.
 *
 * Upstream: one request.
 */
export async function readNodeStates(view: ClusterView): Promise<ReadonlyMap<string, NodeState>> {
  if (!(await view.names()).has('kube_node_status_condition')) return new Map();
  const ready = select(view.cluster, 'kube_node_status_condition', [{ label: 'condition', op: '=', value: 'Ready' }]);
  const recent = Math.max(300, 3 * view.scrapeS('kubeStateMetrics'));
  const query = promql`${ready}[${since(recent)}]`;
  const rows = await view.rows('node states', { kind: 'instant', query, time: view.until });
  // The status that was last true, whichever kube-state-metrics saw it.
  const lastTrue = ({ times, values }: Row) => times[values.lastIndexOf(1)] ?? -Infinity;
  const oldestFirst = rows.filter((row) => row.values.includes(1)).sort((a, b) => lastTrue(a) - lastTrue(b));
  return new Map(
    oldestFirst.map(({ labels }) => [kubeNodeOf(view.site, labels), states.get(labels['status'] ?? '') ?? 'UNKNOWN']),
  );
}
