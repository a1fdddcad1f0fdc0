import { familySources } from '../readings/catalogue.ts';
import type { ClusterView } from './view.ts';

/** Whether the cluster's exporter is known to report XIDs: it has within 14 days, or the configuration says so. */
export async function reportsXid(view: ClusterView): Promise<boolean> {
  const sources = familySources(view.site, view.cluster.vendor).filter(({ family }) => family === 'XID');
  if (view.cluster.exported.includes('XID')) return sources.length > 0;
  const names = await view.names();
  return sources.some(({ metric }) => names.has(metric));
}
