import type { Labels } from '../domain/series.ts';
import type { ClusterSite, Site, Source } from '../domain/site.ts';
import { gpuSeriesOf, isPartitioned } from '../identity/gpu-series.ts';
import { naturally, NodeNames } from '../identity/node-names.ts';
import { hostSources } from '../readings/catalogue.ts';
import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { oneOf, promql, select, selectAny, since } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import { inUse } from './discovery.ts';
import type { Upstream } from './upstream.ts';

const dayS = 86400;

/** One GPU of a node. Everything but `index` is what the labels of its series said somewhere in the last day. */
export interface GpuEntry {
  readonly index: number;
  readonly devices: Set<string>;
  readonly models: Set<string>;
  readonly pods: Set<string>;
  partitioned: boolean;
  /** Virtual GPU ids, where an exporter prints one copy a pod. */
  readonly copies: Set<string>;
}

export interface NodeEntry {
  readonly name: string;
  readonly gpus: ReadonlyMap<number, GpuEntry>;
  /** Some host exporter of the node was seen. */
  readonly hasHost: boolean;
}

/** The nodes and GPUs of a cluster for one window, and whose a series is. */
export interface Inventory {
  readonly nodes: readonly NodeEntry[];
  readonly byName: ReadonlyMap<string, NodeEntry>;
  readonly names: NodeNames;
  readonly gpuCount: number;
  /** The reading whose samples tell that a GPU lives, and its sources in use; null where the cluster has none. */
  readonly heartbeat: { readonly name: GpuGauge; readonly sources: readonly Source[] } | null;
  /** Node and index of the GPU that a series of a GPU exporter belongs to; null where it belongs to none of these. */
  gpuOf(labels: Labels): { readonly node: string; readonly index: number } | null;
}

/** Readings that every GPU has, the likeliest first. */
const heartbeats: readonly GpuGauge[] = ['tempC', 'powerW', 'utilPct', 'hbmUsedGib', 'smClockMhz'];

/**
 * The nodes and GPUs seen in the window or in the day before it, and those that Kubernetes knew in the window.
 *
 * One request for label sets; one more for nodes on which no GPU was seen, to learn whether Kubernetes knew them.
 */
export async function readInventory(
  upstream: Upstream,
  site: Site,
  cluster: ClusterSite,
  window: Window,
  names: ReadonlySet<string>,
): Promise<Inventory> {
  const heartbeat = heartbeatOf(site, cluster, names);
  const gpuExporter = cluster.vendor === 'AMD' ? 'amd' : 'dcgm';
  const hostMetrics = inUse(hostSources(site, 'loadPerCore'), names).map(({ metric }) => metric);
  const kubeMetrics = names.has('kube_node_info') ? ['kube_node_info'] : [];
  const plain = [...hostMetrics, ...kubeMetrics];
  const match = [
    ...(heartbeat?.sources ?? []).map(({ metric, match: own }) => select(cluster, metric, own)),
    ...(plain.length > 0 ? [selectAny(cluster, plain)] : []),
  ];
  const question = { kind: 'series', match, start: window.start - dayS, end: window.end } as const;
  const seen = match.length > 0 ? (await upstream.rows(cluster, question)).map(({ labels }) => labels) : [];

  const kube = seen.filter(({ __name__: metric }) => metric === 'kube_node_info');
  const host = seen.filter(({ __name__: metric }) => hostMetrics.includes(metric!));
  const gpu = seen.filter(({ __name__: metric }) => metric !== 'kube_node_info' && !hostMetrics.includes(metric!));
  const nodeNames = new NodeNames(site, kube, [
    [gpuExporter, gpu],
    ['nodeExporter', host],
  ]);

  const serials = lowestIds(gpu, (labels) => nodeNames.nodeOf(labels, gpuExporter));
  const gpuOf = (labels: Labels) => {
    const node = nodeNames.nodeOf(labels, gpuExporter);
    const series = gpuSeriesOf(labels, cluster.vendor);
    if (node === null || !series) return null;
    const index = cluster.vendor === 'AMD' && series.device ? (serials.get(`${node} ${series.device}`) ?? series.id) : series.id;
    return { node, index };
  };

  const byNode = new Map<string, Map<number, GpuEntry>>();
  for (const labels of gpu) {
    const at = gpuOf(labels);
    if (at) learn(byNode, at, labels, cluster);
  }
  const hosts = new Set(host.flatMap((labels) => nodeNames.nodeOf(labels, 'nodeExporter') ?? []));
  const kubeOnly = new Set(kube.map(({ node }) => node!).filter((node) => !byNode.has(node)));
  const allocated = kubeOnly.size > 0 ? await knownToKubernetes(upstream, cluster, window, kubeOnly) : new Map<string, number>();
  for (const [node, count] of allocated) byNode.set(node, new Map(indexes(count).map((i) => [i, blankGpu(i)])));

  const nodes = [...new Set([...byNode.keys(), ...hosts])].sort(naturally).map((name): NodeEntry => {
    const gpus = [...(byNode.get(name) ?? [])].sort(([a], [b]) => a - b);
    return { name, gpus: new Map(gpus), hasHost: hosts.has(name) };
  });
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const gpuCount = nodes.reduce((sum, { gpus }) => sum + gpus.size, 0);
  const known = (labels: Labels) => {
    const at = gpuOf(labels);
    return at && byName.get(at.node)?.gpus.has(at.index) ? at : null;
  };
  return { nodes, byName, names: nodeNames, gpuCount, heartbeat, gpuOf: known };
}

function heartbeatOf(site: Site, cluster: ClusterSite, names: ReadonlySet<string>): Inventory['heartbeat'] {
  for (const name of heartbeats) {
    const sources = inUse(sourcesOf<Source>(site, name, gpuGauges[name], cluster.vendor).sources, names);
    if (sources.length > 0) return { name, sources };
  }
  return null;
}

/** node and serial → the lowest logical id that the device has there */
function lowestIds(series: readonly Labels[], nodeOf: (labels: Labels) => string | null): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const labels of series) {
    const id = gpuSeriesOf(labels, 'AMD');
    if (!id?.device) continue;
    const key = `${nodeOf(labels)} ${id.device}`;
    lowest.set(key, Math.min(lowest.get(key) ?? Infinity, id.id));
  }
  return lowest;
}

function learn(byNode: Map<string, Map<number, GpuEntry>>, at: { node: string; index: number }, labels: Labels, cluster: ClusterSite) {
  const gpus = byNode.get(at.node) ?? new Map<number, GpuEntry>();
  byNode.set(at.node, gpus);
  const entry = gpus.get(at.index) ?? blankGpu(at.index);
  gpus.set(at.index, entry);
  const { device, pod } = gpuSeriesOf(labels, cluster.vendor)!;
  const model = labels['modelName'] ?? labels['card_model'] ?? labels['card_series'];
  if (device) entry.devices.add(device);
  if (model) entry.models.add(model);
  if (pod) entry.pods.add(pod);
  if (labels['vgpu']) entry.copies.add(labels['vgpu']);
  entry.partitioned ||= isPartitioned(labels);
}

const blankGpu = (index: number): GpuEntry => ({
  index,
  devices: new Set(),
  models: new Set(),
  pods: new Set(),
  partitioned: false,
  copies: new Set(),
});

const indexes = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Those of the nodes that Kubernetes knew in the window, with the number of GPUs it could allocate there. */
async function knownToKubernetes(
  upstream: Upstream,
  cluster: ClusterSite,
  window: Window,
  nodes: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const metrics = selectAny(cluster, ['kube_node_info', 'kube_node_status_allocatable'], [
    oneOf('node', nodes),
    // kube_node_info has no such label, which matches the empty value.
    { label: 'resource', op: '=~', value: '|nvidia_com_gpu|amd_com_gpu' },
  ]);
  const query = promql`last_over_time(${metrics}[${since(window.end - window.start)}])`;
  const rows = await upstream.rows(cluster, { kind: 'instant', query, time: window.end });
  const counts = new Map<string, number>();
  for (const { labels, values } of rows) {
    const count = labels['resource'] ? values[0]! : 0;
    counts.set(labels['node']!, Math.max(counts.get(labels['node']!) ?? 0, count));
  }
  return counts;
}
