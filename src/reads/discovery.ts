import { LRUCache } from 'lru-cache';
import type { ClusterSite, Site, Source } from '../domain/site.ts';
import type { Window } from '../window/window.ts';
import { catalogueNames } from '../readings/catalogue.ts';
import { select, selectAny } from '../scope/scope.ts';
import type { Upstream } from './upstream.ts';

const dayS = 86400;
const lookBackS = 14 * dayS;
// A metric that is born later than this ago may be missed, so it is no longer than a scrape.
const freshMs = 30_000;

/**
 * The catalogue's metric names that a cluster's series have carried in the last 14 days (and since a day before the
 * window, where that is earlier). What is not there is never asked for. `ALERTS` is in it when the store holds any
 * alerting history at all. Shared by all operations; a failed or partial answer is not kept.
 */
export class Discovery {
  readonly #site: Site;
  readonly #known = new LRUCache<string, Promise<ReadonlySet<string>>>({ max: 1000, ttl: freshMs });

  constructor(site: Site) {
    this.#site = site;
  }

  names(upstream: Upstream, cluster: ClusterSite, window: Window, now: number): Promise<ReadonlySet<string>> {
    const since = Math.floor(Math.min(window.start - dayS, now - lookBackS) / dayS) * dayS;
    const key = JSON.stringify([cluster.island, cluster.name, cluster.matchers, since]);
    const known = this.#known.get(key);
    if (known) return known;
    const asked = this.#ask(upstream, cluster, since, Math.max(now, window.end));
    this.#known.set(key, asked);
    asked.then(
      () => upstream.partial.has(cluster.name) && this.#known.delete(key),
      () => this.#known.delete(key),
    );
    return asked;
  }

  async #ask(upstream: Upstream, cluster: ClusterSite, start: number, end: number): Promise<ReadonlySet<string>> {
    const own = selectAny(cluster, catalogueNames(this.#site, cluster.vendor));
    const alerts = select({ matchers: [] }, 'ALERTS');
    const rows = await upstream.rows(cluster, { kind: 'labelValues', label: '__name__', match: [own, alerts], start, end });
    return new Set(rows.map(({ labels }) => labels['__name__']!));
  }
}

/** The sources of a reading that are in use. */
export const inUse = <S extends Source>(sources: readonly S[], names: ReadonlySet<string>): S[] =>
  sources.filter(({ metric }) => names.has(metric));
