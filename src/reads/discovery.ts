import type { ClusterSite, Site, Source } from '../domain/site.ts';
import { catalogueNames, heartbeatSources, quietNames } from '../readings/catalogue.ts';
import { anyAlerting, select, selectAny, type ScopedQuery } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import { Shared } from './shared.ts';
import type { Upstream } from './upstream.ts';

const dayS = 86400;
const lookBackS = 14 * dayS;
// A metric that is born later than this ago may be missed, so it is no longer than a scrape.
export const freshMs = 30_000;
const gpusPerTarget = 8;

/** What a cluster's series look like, as far as it decides what is worth asking. */
export interface Discovered {
  /** The catalogue's metric names that the cluster's series carry. What is not here is never asked for. */
  readonly names: ReadonlySet<string>;
  /** About how many series one reading has. */
  readonly size: number;
  /** Whether the store holds any alerting history at all, of this cluster or another. */
  readonly alerting: boolean;
}

/**
 * Which of the catalogue's metrics a cluster has had in the last 14 days (and since a day before the window, where that
 * is earlier). Shared by all operations for half a minute.
 */
export class Discovery {
  readonly #site: Site;
  readonly #known: Shared<Discovered>;

  constructor(site: Site) {
    this.#site = site;
    this.#known = new Shared('metrics', 1000, freshMs);
  }

  of(user: Upstream, cluster: ClusterSite, window: Window, now: number): Promise<Discovered> {
    const since = Math.floor(Math.min(window.start - dayS, now - lookBackS) / dayS) * dayS;
    const key = JSON.stringify([cluster.island, cluster.vendor, cluster.matchers, since]);
    return this.#known.get(key, user, cluster, (upstream) =>
      this.#ask(upstream, cluster, since, now, Math.max(now, window.end)),
    );
  }

  async #ask(upstream: Upstream, cluster: ClusterSite, start: number, now: number, end: number): Promise<Discovered> {
    const match = [selectAny(cluster, catalogueNames(this.#site, cluster.vendor))];
    const question = { kind: 'labelValues', label: '__name__', match, start, end } as const;
    const rows = await upstream.rows(cluster, 'metrics', question);
    const names = new Set(rows.map(({ labels }) => labels['__name__']!));
    // Names come from the index of whole blocks. Of what is silent while all is well, a closer look tells the age.
    const quiet = quietNames(this.#site, cluster.vendor).filter((name) => names.has(name));
    // It also answers with the alerts of everyone in the store.
    const recently = (match: ScopedQuery[]) =>
      upstream.beyond().rows(cluster, 'metrics: seen lately', { kind: 'series', match, start: now - lookBackS, end });
    const [recent, size] = await Promise.all([
      recently([...quiet.map((name) => select(cluster, name)), anyAlerting]),
      this.#size(upstream, cluster, names, start, end),
    ]);
    const confirmed = new Set(recent.map(({ labels }) => labels['__name__']));
    for (const name of quiet) if (!confirmed.has(name)) names.delete(name);
    return { names, size, alerting: confirmed.has('ALERTS') };
  }

  /** Every target that is scraped has an `instance`; a node's exporter shows eight GPUs, give or take. */
  async #size(
    upstream: Upstream,
    cluster: ClusterSite,
    names: ReadonlySet<string>,
    start: number,
    end: number,
  ): Promise<number> {
    const used = inUse(heartbeatSources(this.#site, cluster.vendor), names);
    if (used.length === 0) return 0;
    const match = used.map((source) => select(cluster, source.metric, source.match));
    const question = { kind: 'labelValues', label: 'instance', match, start, end } as const;
    const targets = await upstream.rows(cluster, 'metrics: targets', question);
    return targets.length * gpusPerTarget;
  }
}

/** Beyond this many series a reading, looking at everything costs more than what it could find in addition. */
export const isLarge = (size: number): boolean => size > 1000;

/** The sources of a reading that are in use. */
export const inUse = <S extends Source>(sources: readonly S[], names: ReadonlySet<string>): S[] =>
  sources.filter(({ metric }) => names.has(metric));
