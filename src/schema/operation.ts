import { Refusal } from '../errors.ts';
import { type Limits, type Standing, untouched, usualLimits } from '../domain/limits.ts';
import type { Caller } from '../domain/caller.ts';
import type { ClusterSite, Island, Organization, Site } from '../domain/site.ts';
import { Polls } from '../live/polls.ts';
import type { Ask } from '../reads/ask.ts';
import type { Write } from '../reads/write.ts';
import { Discovery, freshMs } from '../reads/discovery.ts';
import { FleetSizes } from '../reads/fleet-sizes.ts';
import type { Inventory } from '../reads/inventory.ts';
import { RecentWrites } from '../reads/recent-writes.ts';
import { References } from '../reads/reference.ts';
import { Shared } from '../reads/shared.ts';
import { Upstream } from '../reads/upstream.ts';
import { ClusterView } from '../reads/view.ts';
import { resolveWindow, type Window, type WindowRequest } from '../window/window.ts';
import { allStill } from './activities.ts';
import { Activity } from './activity.ts';
import { Loaders } from './loaders.ts';
import { notFound } from './names.ts';

/** What all operations share: the site, its stores, and what may be remembered between them. */
export class Gateway {
  readonly site: Site;
  readonly islands: ReadonlyMap<string, Island>;
  /** An organization's way to the store of an island. */
  readonly askFor: (organization: string) => (island: string) => Ask;
  /** Its way to write runs there; undefined where the island takes none. */
  readonly writeFor: (organization: string) => (island: string) => Write | undefined;
  readonly now: () => number;
  readonly recentWrites = new RecentWrites();
  readonly discovery: Discovery;
  readonly references: References;
  readonly inventories: Shared<Inventory>;
  readonly sizes = new FleetSizes();
  /** What subscribers listen to. */
  readonly polls: Polls;
  readonly limits: Limits;
  /** What is left of them to an organization; all, where nobody counts. */
  readonly standingOf: (organization: string) => Promise<Standing>;

  /** @param now  epoch seconds */
  constructor(parts: {
    site: Site;
    islands: readonly Island[];
    askFor: (organization: string) => (island: string) => Ask;
    writeFor?: (organization: string) => (island: string) => Write | undefined;
    now?: () => number;
    limits?: Limits;
    standingOf?: (organization: string) => Promise<Standing>;
    polls?: Polls;
  }) {
    this.polls = parts.polls ?? new Polls();
    this.limits = parts.limits ?? usualLimits;
    this.standingOf = parts.standingOf ?? (() => Promise.resolve(untouched(this.limits)));
    this.site = parts.site;
    this.islands = new Map(parts.islands.map((island) => [island.name, island]));
    this.askFor = parts.askFor;
    this.writeFor = parts.writeFor ?? (() => () => undefined);
    this.now = parts.now ?? (() => Date.now() / 1000);
    this.discovery = new Discovery(this.site);
    this.inventories = new Shared('list of nodes', 200, freshMs);
    this.references = new References(this.site, this.discovery);
  }
}

/** A cluster under a window, with everything that is loaded for it. */
export interface ClusterInWindow {
  readonly view: ClusterView;
  readonly load: Loaders;
  /** What a client named that is not there, by node, '' for the cluster itself. */
  readonly unknown: Map<string, Set<string>>;
}

/** One GraphQL operation: its clock, the organization that asks, and its loaders. The context of every resolver. */
export class Operation {
  /** The organization's clusters; looked for in the store, where the configuration lists none. */
  readonly clusters: () => Promise<readonly ClusterSite[]>;
  /** Read once: every window that ends now ends at the same moment. Epoch seconds. */
  readonly now: number;
  readonly organization: Organization;
  /** May see what is of the gateway's inside. */
  readonly isOperator: boolean;
  readonly gateway: Gateway;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
  readonly upstream: Upstream;
  readonly structure = new Activity();
  /** Flags from which a document walks on to readings: they tell of which GPUs, so readings wait for them. */
  readonly walks = new Activity();
  readonly readings = new Activity();
  readonly #views = new Map<string, ClusterInWindow>();

  constructor(
    gateway: Gateway,
    { organization, isOperator }: Caller,
    signal?: AbortSignal,
    clusters: (user: Upstream) => Promise<readonly ClusterSite[]> = async () => organization.clusters,
  ) {
    let found: Promise<readonly ClusterSite[]> | undefined;
    this.clusters = () => (found ??= clusters(this.upstream));
    this.gateway = gateway;
    this.signal = signal;
    this.organization = organization;
    this.isOperator = isOperator;
    this.now = gateway.now();
    this.upstream = new Upstream(
      organization.name,
      { askOf: gateway.askFor(organization.name), writeOf: gateway.writeFor(organization.name) },
      signal,
    );
  }

  /** Another operation of the same caller, with the time of now and nothing read yet. */
  anew(signal: AbortSignal): Operation {
    return new Operation(this.gateway, this, signal, this.clusters);
  }

  /** One view for one cluster and window, however often a document names them. */
  cluster(cluster: ClusterSite, request: WindowRequest | null | undefined): ClusterInWindow {
    const island = this.gateway.islands.get(cluster.island);
    const ingestLagS = island?.ingestLagS ?? 0;
    const window = resolveWindow(request ?? {}, this.now, ingestLagS);
    const key = JSON.stringify([cluster.island, cluster.name, window]);
    const known = this.#views.get(key);
    if (known) return known;
    const { site, discovery, inventories } = this.gateway;
    const view = new ClusterView(
      { site, discovery, inventories, learn: this.#learn, upstream: this.upstream, now: this.now, ingestLagS },
      cluster,
      window,
    );
    const made = { view, load: new Loaders(view, this, allStill(this.structure, this.walks)), unknown: new Map() };
    this.#views.set(key, made);
    return made;
  }

  readonly #learn = (cluster: ClusterSite, { nodes }: Inventory, { end }: Window): void => {
    const gpus = nodes.reduce((sum, node) => sum + node.gpus.size, 0);
    const lagS = this.gateway.islands.get(cluster.island)?.ingestLagS ?? 0;
    const isNow = end >= this.now - lagS - nowS;
    this.gateway.sizes.learn(this.organization.name, cluster, { nodes: nodes.length, gpus }, { at: this.now, isNow });
  };

  /**
   * Refuses a window that cannot be, before anything is asked. Where the store is asked for its clusters there is one
   * island; where they are listed, nothing is asked before their windows are looked at.
   *
   * @throws Refusal BAD_REQUEST
   */
  checkWindow(request: WindowRequest | null | undefined): void {
    const [island, ...others] = this.gateway.islands.values();
    if (island && others.length === 0) resolveWindow(request ?? {}, this.now, island.ingestLagS);
  }

  /** All clusters of the organization under one window. */
  async all(request: WindowRequest | null | undefined): Promise<ClusterInWindow[]> {
    this.checkWindow(request);
    return (await this.clusters()).map((cluster) => this.cluster(cluster, request));
  }

  /** The organization's cluster of that name. @throws Refusal NOT_FOUND, AMBIGUOUS_CLUSTER */
  async find(name: string, island: string | null | undefined): Promise<ClusterSite> {
    const named = (await this.clusters()).filter((cluster) => cluster.name === name);
    const found = island == null ? named : named.filter((cluster) => cluster.island === island);
    if (found.length === 1) return found[0]!;
    if (found.length === 0) throw notFound('cluster', name);
    throw new Refusal(
      'AMBIGUOUS_CLUSTER',
      `Several islands have a cluster ${JSON.stringify(name)}; name one with the argument island.`,
      {
        details: { candidates: found.map((cluster) => ({ name: cluster.name, island: cluster.island })) },
      },
    );
  }
}

/** A window that ended no longer ago shows what is there now. */
const nowS = 300;
