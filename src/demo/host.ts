import type { Labels } from '../domain/series.ts';
import { clusters, daemonPod, ipOf } from './fleet.ts';
import type { DemoCluster } from './fleet.ts';
import { hostReadings } from './host-readings.ts';
import { always, each } from './stream.ts';
import type { Stream } from './stream.ts';

/** One cluster's scrape keeps the address, the other's names its targets by node. */
const targetOf = (cluster: DemoCluster, node: string): Labels => ({
  cluster: cluster.name,
  container: 'node-exporter',
  endpoint: 'http-metrics',
  instance: cluster.vendor === 'nvidia' ? `${ipOf(cluster, node)}:9100` : node,
  job: 'node-exporter',
  namespace: 'monitoring',
  pod: daemonPod('node-exporter', node),
  service: 'node-exporter',
});

/** The hosts of every cluster with tenants, as node_exporter shows them. */
export const hostStreams = (): Stream[] =>
  clusters
    .filter(({ tenants }) => tenants)
    .flatMap((cluster) => cluster.nodes.map((node) => ({ node, target: targetOf(cluster, node) })))
    .flatMap(({ node, target }) =>
      hostReadings(node).map(({ name, labels, read }) => ({
        name,
        type: name.endsWith('_total') ? ('counter' as const) : ('gauge' as const),
        labels: { ...labels, ...target },
        place: { node, gpu: null },
        alive: always,
        at: each(read),
      })),
    );
