import type { Matcher } from '../domain/matcher.ts';
import type { Exporter } from '../domain/site.ts';
import { oneOf } from '../scope/scope.ts';
import type { Inventory } from './inventory.ts';
import type { ClusterView } from './view.ts';

/** The GPUs that a read is for: node → indexes. */
export type Targets = ReadonlyMap<string, ReadonlySet<number>>;

// Above this a name list costs the store more than the series that it leaves out.
const namesPerRequest = 500;
const seriesPerRequest = 2000;

/** Node matchers that together cover these nodes; one without a matcher where all of the cluster's are wanted. */
export function nodeMatchers(
  inventory: Inventory,
  exporter: Exporter,
  nodes: ReadonlySet<string>,
  metric: string,
): Matcher[][] {
  if (nodes.size >= inventory.nodes.length) return [[]];
  return [...inventory.names.spellings(exporter, nodes, metric)].flatMap(([label, raws]) =>
    chunks([...raws].sort(), namesPerRequest).map((names) => [oneOf(label, names)]),
  );
}

/**
 * The matchers of the requests that one source needs to reach these GPUs. A large answer is asked for in parts of about
 * 2,000 series, by GPU index: the store answers several faster than one.
 */
export function gpuMatchers(view: ClusterView, inventory: Inventory, targets: Targets, metric: string): Matcher[][] {
  const devices = deviceMatchers(inventory, targets, metric);
  if (devices) return devices;
  const nodes = nodeMatchers(inventory, view.gpuExporter, new Set(targets.keys()), metric);
  return nodes.flatMap((matchers) => indexMatchers(view, inventory, targets).map((index) => [...matchers, ...index]));
}

/** Matchers by device, where node names and indexes apart would reach more GPUs than are wanted. */
function deviceMatchers(inventory: Inventory, targets: Targets, metric: string): Matcher[][] | null {
  const indexes = new Set([...targets.values()].flatMap((own) => [...own]));
  const wanted = [...targets].flatMap(([node, own]) =>
    [...own].map((index) => inventory.byName.get(node)?.gpus.get(index)),
  );
  const label = inventory.deviceLabel(metric);
  if (label === null || wanted.length >= targets.size * indexes.size) return null;
  if (!wanted.every((gpu) => gpu && gpu.devices.size > 0)) return null;
  const devices = wanted.flatMap((gpu) => [...gpu!.devices]);
  return chunks(devices.sort(), namesPerRequest).map((some) => [oneOf(label, some)]);
}

function indexMatchers(view: ClusterView, inventory: Inventory, targets: Targets): Matcher[][] {
  // A partitioned AMD device has several ids, only one of which is its index.
  const byIndex = view.cluster.vendor === 'NVIDIA';
  if (!byIndex) return [[]];
  const wanted = new Set([...targets.values()].flatMap((indexes) => [...indexes]));
  const all = new Set([...targets.keys()].flatMap((node) => [...(inventory.byName.get(node)?.gpus.keys() ?? [])]));
  const series = [...targets.values()].reduce((sum, indexes) => sum + indexes.size, 0);
  const parts = Math.min(wanted.size, Math.ceil(series / seriesPerRequest));
  if (parts <= 1 && wanted.size === all.size) return [[]];
  const sorted = [...wanted].sort((a, b) => a - b).map(String);
  return chunks(sorted, Math.ceil(sorted.length / Math.max(1, parts))).map((part) => [oneOf('gpu', part)]);
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
