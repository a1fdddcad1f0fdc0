import type { ClusterSite, Site } from '../domain/site.ts';
import { kubeNodeOf } from '../identity/node-names.ts';
import { promql, selectAny, since, span } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import type { Upstream } from './upstream.ts';

/** Node → how many GPUs Kubernetes could allocate there in the window; 0 for a node that it knew without any. */
export type Allocatable = ReadonlyMap<string, number>;

// More than any machine has: such a number is a mistake, and would be listed GPU by GPU.
const isGpuCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 1024;

/**
 * Upstream: one request. Of a large fleet it looks at both edges of the window rather than at every sample.
 */
export async function readAllocatable(
  upstream: Upstream,
  site: Site,
  cluster: ClusterSite,
  window: Window,
  isLarge: boolean,
): Promise<Allocatable> {
  const length = window.end - window.start;
  const metrics = selectAny(
    cluster,
    ['kube_node_info', 'kube_node_status_allocatable'],
    // kube_node_info has no such label, which matches the empty value.
    [{ label: 'resource', op: '=~', value: '|nvidia_com_gpu|amd_com_gpu' }],
  );
  const query = isLarge
    ? promql`(${metrics}) or (${metrics} offset ${span(length)})`
    : promql`last_over_time(${metrics}[${since(length)}])`;
  const counts = new Map<string, number>();
  const rows = await upstream.rows(cluster, 'list of nodes: Kubernetes', { kind: 'instant', query, time: window.end });
  for (const { labels, values } of rows) {
    const node = kubeNodeOf(site, labels);
    const count = labels['resource'] && isGpuCount(values[0]!) ? values[0]! : 0;
    if (node) counts.set(node, Math.max(counts.get(node) ?? 0, count));
  }
  return counts;
}
