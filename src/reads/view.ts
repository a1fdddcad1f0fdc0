import type { Row } from '../domain/series.ts';
import type { ClusterSite, Exporter, Site } from '../domain/site.ts';
import type { Pace } from '../samples/cover.ts';
import { silentAfterS } from '../samples/silence.ts';
import type { Window } from '../window/window.ts';
import type { Question } from './ask.ts';
import type { Discovered, Discovery } from './discovery.ts';
import { type Inventory, readInventory } from './inventory.ts';
import type { Shared } from './shared.ts';
import type { Upstream } from './upstream.ts';

const dayS = 86400;

/** What all views of one operation share. */
export interface ViewParts {
  readonly site: Site;
  readonly upstream: Upstream;
  readonly discovery: Discovery;
  readonly inventories: Shared<Inventory>;
  /** Told of every inventory that is read. */
  readonly learn?: (cluster: ClusterSite, inventory: Inventory, window: Window) => void;
  /** Epoch seconds. */
  readonly now: number;
  readonly ingestLagS: number;
}

/** One cluster under one window, within one operation: what every read of it needs. */
export class ClusterView {
  readonly site: Site;
  readonly cluster: ClusterSite;
  readonly window: Window;
  /** The operation's clock, epoch seconds. */
  readonly now: number;
  readonly upstream: Upstream;
  /** Samples of the window that are no readings, by GPU and reading, as far as this operation met them. */
  readonly discarded = new Map<string, { readonly node: string; readonly what: string; readonly count: number }>();
  /** How far the store's samples can reach: now, less what it lags behind. */
  readonly newest: number;
  readonly #discovery: Discovery;
  readonly #inventories: Shared<Inventory>;
  #discovered: Promise<Discovered> | undefined;
  #inventory: Promise<Inventory> | undefined;

  readonly #shared: ViewParts;

  constructor(shared: ViewParts, cluster: ClusterSite, window: Window) {
    this.#shared = shared;
    this.site = shared.site;
    this.upstream = shared.upstream;
    this.now = shared.now;
    this.newest = shared.now - shared.ingestLagS;
    this.#discovery = shared.discovery;
    this.#inventories = shared.inventories;
    this.cluster = cluster;
    this.window = window;
  }

  /**
   * The same cluster, nodes and GPUs under a window that reaches further, never beyond the newest samples. What it discards
   * is not told: it is not of the window.
   */
  reaching(beforeS: number, afterS: number): ClusterView {
    const { start, end } = this.window;
    const until = Math.max(end, Math.min(end + afterS, this.newest));
    const wider = new ClusterView(this.#shared, this.cluster, { ...this.window, start: start - beforeS, end: until });
    wider.#discovered = this.discovered();
    wider.#inventory = this.inventory();
    return wider;
  }

  /** The same, that has so many questions with the store at most. */
  inTurns(most: number): ClusterView {
    const gentle = new ClusterView(
      { ...this.#shared, upstream: this.upstream.inTurns(most) },
      this.cluster,
      this.window,
    );
    gentle.#discovered = this.discovered();
    gentle.#inventory = this.inventory();
    return gentle;
  }

  /** Where silence begins to mean something: the window's end, unless that lies in the future. */
  get until(): number {
    return Math.min(this.window.end, this.newest);
  }

  /** The exporter that this cluster's GPU readings come from. */
  get gpuExporter(): Exporter {
    return this.cluster.vendor === 'AMD' ? 'amd' : 'dcgm';
  }

  scrapeS(exporter: Exporter = this.gpuExporter): number {
    return this.site.exporters[exporter].scrapeIntervalS;
  }

  /** The catalogue's metric names that the cluster's series carry. */
  async names(): Promise<ReadonlySet<string>> {
    return (await this.discovered()).names;
  }

  discovered(): Promise<Discovered> {
    this.#discovered ??= this.#discovery.of(this.upstream, this.cluster, this.window, this.now);
    return this.#discovered;
  }

  /** Nodes and GPUs, shared between operations on the same window for half a minute. */
  inventory(): Promise<Inventory> {
    this.#inventory ??= this.#list(dayS);
    return this.#inventory;
  }

  /** The same with everything seen in 14 days, for a node that is asked for by name. */
  longInventory(): Promise<Inventory> {
    return this.#list(14 * dayS);
  }

  async #list(beforeS: number): Promise<Inventory> {
    const { cluster, window, site, gpuExporter } = this;
    const discovered = await this.discovered();
    const key = JSON.stringify([cluster.island, cluster.vendor, cluster.matchers, window.start, window.end, beforeS]);
    return this.#inventories.get(key, this.upstream, cluster, async (upstream) => {
      const inventory = await readInventory({ site, cluster, window, gpuExporter, upstream }, discovered, beforeS);
      if (upstream.partial.size === 0) this.#shared.learn?.(cluster, inventory, window);
      return inventory;
    });
  }

  /** How samples of an exporter follow each other. */
  pace(exporter: Exporter = this.gpuExporter): Pace {
    const scrapeS = this.scrapeS(exporter);
    return { scrapeS, silentS: silentAfterS(scrapeS) };
  }

  /** @param key  a `gpuKey` */
  discardOf(key: string, reading: string, count: number): void {
    const at = key.lastIndexOf(' ');
    this.discard(key.slice(0, at), `${reading} of GPU ${key.slice(at + 1)}`, count);
  }

  discard(node: string, what: string, count: number): void {
    if (count > 0) this.discarded.set(`${node} ${what}`, { node, what, count });
  }

  /** @param what  a short name for what is read, which clients may see */
  rows(what: string, question: Question): Promise<readonly Row[]> {
    return this.upstream.rows(this.cluster, what, question);
  }
}
