import type { Matcher } from '../domain/matcher.ts';
import type { Exporter } from '../domain/site.ts';
import type { Labels } from '../domain/series.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import type { Inventory } from '../reads/inventory.ts';
import { nodeMatchers, type Targets } from '../reads/targets.ts';
import type { ClusterView } from '../reads/view.ts';

// More names in one selector cost the store more than the series that they leave out.
const namesAtMost = 500;

/** What a question to the store is about: the GPUs or the hosts of some nodes, and how a grouped answer names them. */
export interface Subject {
  readonly of: 'gpu' | 'host';
  readonly exporter: Exporter;
  readonly inventory: Inventory;
  readonly keys: readonly string[];
  /** Labels of a metric that name the node. */
  nodeLabels(metric: string): readonly string[];
  /** Labels of a metric that tell one GPU or host from another. */
  labels(metric: string): readonly string[];
  /** Matchers of the requests that together reach them; one request, unless their names are spelled in several labels. */
  matchers(metric: string): Matcher[][];
  /** The key of what a row is about, null where it is none of these. */
  keyOf(labels: Labels): string | null;
  /** Some of these alone. */
  only(keys: Iterable<string>): Subject;
}

/** How the rows of one kind of exporter name what they are about. */
type Naming = (labels: Labels, inventory: Inventory, targets: Targets) => string | null;

const host = new Set([0]);

/** The hosts of nodes. A key is the node's name. */
export async function hostsOf(view: ClusterView, nodes: ReadonlySet<string>): Promise<Subject> {
  const targets = new Map([...nodes].map((name) => [name, host]));
  return subjectOf('host', 'nodeExporter', await view.inventory(), targets, [], (labels, { names }, wanted) => {
    const node = names.nodeOf(labels, 'nodeExporter');
    return node !== null && wanted.has(node) ? node : null;
  });
}

/** GPUs. A key is a `gpuKey`. */
export async function gpusOf(view: ClusterView, targets: Targets): Promise<Subject> {
  const identity = view.cluster.vendor === 'AMD' ? ['gpu_id', 'gpu', 'serial_number'] : ['gpu', 'gpu_id'];
  const inventory = await view.inventory();
  return subjectOf('gpu', view.gpuExporter, inventory, targets, identity, (labels, { gpuOf }, wanted) => {
    const at = gpuOf(labels);
    return at && wanted.get(at.node)?.has(at.index) ? gpuKey(at.node, at.index) : null;
  });
}

function subjectOf(
  of: Subject['of'],
  exporter: Exporter,
  inventory: Inventory,
  targets: Targets,
  identity: readonly string[],
  naming: Naming,
): Subject {
  const spelled = new Map<string, readonly string[]>();
  const nodeLabels = (metric: string) => {
    const known = spelled.get(metric) ?? [...inventory.names.spellings(exporter, targets.keys(), metric).keys()];
    spelled.set(metric, known);
    return known;
  };
  const keysOfNode = ([node, indexes]: [string, ReadonlySet<number>]) =>
    of === 'host' ? [node] : [...indexes].map((index) => gpuKey(node, index));
  return {
    of,
    exporter,
    inventory,
    keys: [...targets].flatMap(keysOfNode),
    nodeLabels,
    labels: (metric) => [...nodeLabels(metric), ...identity],
    matchers: (metric) =>
      targets.size > namesAtMost ? [[]] : nodeMatchers(inventory, exporter, new Set(targets.keys()), metric),
    keyOf: (labels) => naming(labels, inventory, targets),
    only(keys) {
      const kept = of === 'host' ? new Map([...keys].map((node) => [node, host])) : targetsOf(keys);
      return subjectOf(of, exporter, inventory, kept, identity, naming);
    },
  };
}

/** The node in a `gpuKey`. */
export const nodeIn = (key: string): string => key.slice(0, key.lastIndexOf(' '));
export const indexIn = (key: string): number => Number(key.slice(key.lastIndexOf(' ') + 1));

/** GPUs by key as targets again. */
export function targetsOf(keys: Iterable<string>): Targets {
  const found = new Map<string, Set<number>>();
  for (const key of keys) found.set(nodeIn(key), (found.get(nodeIn(key)) ?? new Set()).add(indexIn(key)));
  return found;
}
