import { isIP } from 'node:net';
import type { Labels } from '../domain/series.ts';
import type { Exporter, Site } from '../domain/site.ts';

/** A host label without its port. */
export const withoutPort = (host: string): string => host.replace(/^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/, '$1$2');

export const isAddress = (host: string): boolean => isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/** The node that a series of kube-state-metrics is about. */
export const kubeNodeOf = (site: Site, labels: Labels): string =>
  site.exporters.kubeStateMetrics.nodeLabels.map((label) => labels[label]).find(Boolean) ?? '';

/** The label that names the node in a series of this exporter, and its raw value; null where no label does. */
export function nodeLabelOf(labels: Labels, nodeLabels: readonly string[]): { label: string; raw: string } | null {
  for (const label of nodeLabels) {
    const raw = labels[label];
    // Old exporters print their own pod's name, remote ones the address they were asked at: neither is a node.
    if (raw && raw !== 'localhost' && raw !== labels['pod'] && withoutPort(raw) !== '127.0.0.1') return { label, raw };
  }
  return null;
}

/**
 * One name for one machine, however its exporters spell it. Kubernetes' name wins, then the GPU exporter's, then the
 * host exporter's; an address is looked up in kube_node_info; `n1` and `n1.example.org` are one machine where no
 * exporter uses both.
 */
export class NodeNames {
  readonly #site: Site;
  readonly #byAddress = new Map<string, string>();
  readonly #plainOf = new Map<string, string>();
  readonly #nameOf = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #kube = new Set<string>();
  /** exporter → name → metric → label → raw values */
  readonly #raw = new Map<Exporter, Map<string, Map<string, Map<string, Set<string>>>>>();

  /** @param seen  series of each exporter, those whose spelling wins first */
  constructor(site: Site, kubeNodes: readonly Labels[], seen: readonly (readonly [Exporter, readonly Labels[]])[]) {
    this.#site = site;
    for (const labels of kubeNodes) {
      const node = kubeNodeOf(site, labels);
      const address = labels['internal_ip'];
      if (!node) continue;
      this.#names.add(node);
      this.#kube.add(node);
      if (address) this.#byAddress.set(address, node);
    }
    for (const [exporter, series] of seen) this.#learn(exporter, series);
  }

  /** The node that a series belongs to, null where its labels name none. */
  nodeOf(labels: Labels, exporter: Exporter): string | null {
    const { nodeLabels } = this.#site.exporters[exporter];
    // An answer that was grouped by the node labels no longer shows which of them is an exporter's own pod.
    for (const label of nodeLabels) {
      const name = labels[label] && this.#nameOf.get(`${exporter} ${this.#plain(labels[label])}`);
      if (name) return name;
    }
    const found = nodeLabelOf(labels, nodeLabels);
    return found && (this.#nameOf.get(this.#plain(found.raw)) ?? this.#plain(found.raw));
  }

  /** The machine that another source calls so: a node of these where it is one of them, else the host as it is given. */
  hostNamed(host: string): string {
    const plain = this.#plain(host);
    if (this.#names.has(plain)) return plain;
    return this.#nameOf.get(plain) ?? this.#known(plain, [...this.#names], new Set()) ?? plain;
  }

  /**
   * Every spelling of these nodes in one metric of an exporter, or where that metric was not seen, in any of its metrics:
   * label → raw values. One exporter may spell the host differently in different metrics.
   */
  spellings(exporter: Exporter, names: Iterable<string>, metric: string): Map<string, Set<string>> {
    const all = new Map<string, Set<string>>();
    for (const name of names) {
      const byMetric = this.#raw.get(exporter)?.get(name);
      const own = byMetric?.get(metric);
      for (const labels of own ? [own] : (byMetric?.values() ?? [])) {
        for (const [label, raws] of labels) {
          // An exporter that prints `Hostname` prints its link counters with `hostname`: of a metric not seen, either.
          for (const spelled of own ? [label] : [label, ...(otherCase[label] ?? [])]) {
            const held = getOrMake(all, spelled, () => new Set<string>());
            for (const raw of raws) held.add(raw);
          }
        }
      }
    }
    return all;
  }

  #plain(raw: string): string {
    // A node has many series, all with the same raw labels.
    const known = this.#plainOf.get(raw);
    if (known !== undefined) return known;
    const host = withoutPort(raw);
    const plain = isAddress(host) ? (this.#byAddress.get(host) ?? host) : host;
    this.#plainOf.set(raw, plain);
    return plain;
  }

  #learn(exporter: Exporter, series: readonly Labels[]): void {
    const found = series.map((labels) => nodeLabelOf(labels, this.#site.exporters[exporter].nodeLabels));
    const own = new Set(found.flatMap((at) => (at ? [this.#plain(at.raw)] : [])));
    const before = [...this.#names];
    for (const plain of own) {
      const name = this.#known(plain, before, own) ?? plain;
      this.#names.add(name);
      this.#nameOf.set(`${exporter} ${plain}`, name);
      if (!this.#nameOf.has(plain)) this.#nameOf.set(plain, name);
    }
    const byName = getOrMake(this.#raw, exporter, () => new Map<string, Map<string, Map<string, Set<string>>>>());
    found.forEach((at, i) => {
      if (!at) return;
      const name = this.#nameOf.get(`${exporter} ${this.#plain(at.raw)}`)!;
      const byMetric = getOrMake(byName, name, () => new Map<string, Map<string, Set<string>>>());
      const byLabel = getOrMake(byMetric, series[i]!['__name__'] ?? '', () => new Map<string, Set<string>>());
      getOrMake(byLabel, at.label, () => new Set<string>()).add(at.raw);
    });
  }

  #known(plain: string, before: readonly string[], own: ReadonlySet<string>): string | null {
    if (this.#names.has(plain)) return plain;
    const sameHost = before.filter((name) => {
      const [a, b] = [name.toLowerCase(), plain.toLowerCase()];
      return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
    });
    if (sameHost.length !== 1) return null;
    // An exporter that spells two ways knows two machines, unless Kubernetes knows just the one.
    return this.#kube.has(sameHost[0]!) || !own.has(sameHost[0]!) ? sameHost[0]! : null;
  }
}

const otherCase: Readonly<Record<string, readonly string[]>> = { Hostname: ['hostname'], hostname: ['Hostname'] };

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const held = map.get(key) ?? make();
  map.set(key, held);
  return held;
}

/** Names in the order people count: n2 before n10. */
export const naturally = (a: string, b: string): number =>
  // Names that count alike (n1 and n01) are two nodes all the same.
  counting(a, b) || (a < b ? -1 : a > b ? 1 : 0);

const counting = new Intl.Collator('en', { numeric: true }).compare;
