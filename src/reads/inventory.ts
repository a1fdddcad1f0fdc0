import type { Labels } from '../domain/series.ts';
import type { ClusterSite, Exporter, Site, Source } from '../domain/site.ts';
import { deviceLabels, gpuIdOf, gpuSeriesOf } from '../identity/gpu-series.ts';
import { naturally, NodeNames } from '../identity/node-names.ts';
import { tellingNames } from '../readings/catalogue.ts';
import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { select, selectAny } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import { type Allocatable, readAllocatable } from './kubernetes.ts';
import type { Upstream } from './upstream.ts';
import { blankGpu, type GpuEntry, learn, unseen } from './gpu-entry.ts';
import { type Discovered, inUse, isLarge } from './discovery.ts';

const kubeNodeInfo: Source = { metric: 'kube_node_info', scale: 1, rank: 0 };

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
  /** The reading whose samples tell that a GPU lives, and its sources in use; null where the cluster has none. */
  readonly heartbeat: { readonly name: GpuGauge; readonly sources: readonly Source[] } | null;
  /** The label that names the device in every series of a metric; null where some lack it, or the metric was not listed. */
  deviceLabel(metric: string): string | null;
  /** Node and index of the GPU that a series of a GPU exporter belongs to; null where it belongs to none of these. */
  gpuOf(labels: Labels): { readonly node: string; readonly index: number } | null;
}

/** Where to ask: a cluster under a window. */
interface Asking {
  readonly site: Site;
  readonly cluster: ClusterSite;
  readonly window: Window;
  readonly gpuExporter: Exporter;
  readonly upstream: Upstream;
}

/** Readings that every GPU has, the likeliest first. */
const heartbeats: readonly GpuGauge[] = ['tempC', 'powerW', 'utilPct', 'hbmUsedGib', 'smClockMhz'];

/**
 * The nodes and GPUs seen in the window or `beforeS` before it, and those that Kubernetes knew in the window.
 *
 * One request for label sets, and one for what Kubernetes knew where its series are.
 */
export async function readInventory(view: Asking, { names, size }: Discovered, beforeS: number): Promise<Inventory> {
  const { site, cluster, window, gpuExporter, upstream } = view;
  const telling = tellingNames(site, cluster.vendor, isLarge(size));
  const [gpuSources, hostSources] = [inUse(telling.gpu, names), inUse(telling.host, names)];
  const listed = [...gpuSources, ...hostSources, ...inUse([kubeNodeInfo], names)];
  const plain = listed.filter(({ match }) => match === undefined).map(({ metric }) => metric);
  const match = [
    ...(plain.length > 0 ? [selectAny(cluster, plain)] : []),
    ...listed.flatMap(({ metric, match: own }) => (own ? [select(cluster, metric, own)] : [])),
  ];
  const question = { kind: 'series', match, start: window.start - beforeS, end: window.end } as const;
  const seen =
    match.length > 0 ? (await upstream.rows(cluster, 'list of nodes', question)).map(({ labels }) => labels) : [];

  const hostMetrics = new Set(hostSources.map(({ metric }) => metric));
  const kindOf = ({ __name__: metric }: Labels) =>
    metric === kubeNodeInfo.metric ? 'kube' : hostMetrics.has(metric!) ? 'host' : 'gpu';
  const { kube = [], host = [], gpu = [] } = Object.groupBy(seen, kindOf);
  const nodeNames = new NodeNames(site, kube, [
    [gpuExporter, gpu],
    ['nodeExporter', host],
  ]);

  const isAmd = cluster.vendor === 'AMD';
  const serials = isAmd ? lowestIds(gpu, (labels) => nodeNames.nodeOf(labels, gpuExporter)) : new Map<string, number>();
  const gpuOf = (labels: Labels) => {
    const node = nodeNames.nodeOf(labels, gpuExporter);
    const id = gpuIdOf(labels, cluster.vendor);
    if (node === null || id === null) return null;
    const device = isAmd ? gpuSeriesOf(labels, cluster.vendor)?.device : null;
    return { node, index: device ? (serials.get(`${node} ${device}`) ?? id) : id };
  };

  const byNode = new Map<string, Map<number, GpuEntry>>();
  for (const labels of gpu) {
    const at = gpuOf(labels);
    if (!at) continue;
    const gpus = byNode.get(at.node) ?? new Map<number, GpuEntry>();
    byNode.set(at.node, gpus);
    const entry = gpus.get(at.index) ?? blankGpu(at.index);
    gpus.set(at.index, entry);
    learn(entry, labels, cluster.vendor);
  }
  const hosts = new Set(host.flatMap((labels) => nodeNames.nodeOf(labels, 'nodeExporter') ?? []));
  for (const [node, count] of await allocatableOf(view, { names, size })) {
    const gpus = byNode.get(node) ?? new Map<number, GpuEntry>();
    byNode.set(node, gpus);
    for (const index of unseen([...gpus.values()], count)) gpus.set(index, blankGpu(index));
  }

  const nodes = [...new Set([...byNode.keys(), ...hosts])].sort(naturally).map((name): NodeEntry => {
    const gpus = [...(byNode.get(name) ?? [])].sort(([a], [b]) => a - b);
    return { name, gpus: new Map(gpus), hasHost: hosts.has(name) };
  });
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const known = (labels: Labels) => {
    const at = gpuOf(labels);
    return at && byName.get(at.node)?.gpus.has(at.index) ? at : null;
  };
  const byMetric = Map.groupBy(gpu, ({ __name__: metric }) => metric);
  const deviceLabel = (metric: string) =>
    deviceLabels.find((label) => byMetric.get(metric)?.every((labels) => labels[label])) ?? null;
  const heartbeat = heartbeatOf(site, cluster, names);
  return { nodes, byName, names: nodeNames, heartbeat, deviceLabel, gpuOf: known };
}

/** What Kubernetes knew; nothing is asked where it shows no series. */
async function allocatableOf(
  { upstream, site, cluster, window }: Asking,
  { names, size }: Pick<Discovered, 'names' | 'size'>,
): Promise<Allocatable> {
  const isKnown = names.has('kube_node_info') || names.has('kube_node_status_allocatable');
  return isKnown ? readAllocatable(upstream, site, cluster, window, isLarge(size)) : new Map();
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
