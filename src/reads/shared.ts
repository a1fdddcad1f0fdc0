import { LRUCache } from 'lru-cache';
import type { ClusterSite } from '../domain/site.ts';
import type { Upstream } from './upstream.ts';

/**
 * Answers that operations after the first can use for a while. Each operation that finds none asks for itself, so that
 * a client which goes away takes no other's answer along; the stores' clients see to it that what several ask at once is
 * sent once. Failed and partial answers are not kept, and what one organization was answered is kept for it alone.
 */
export class Shared<T> {
  readonly #what: string;
  readonly #kept: LRUCache<string, { readonly found: T }>;

  /** @param what  a short name for what is kept, which clients may see */
  constructor(what: string, max: number, ttlMs: number) {
    this.#what = what;
    this.#kept = new LRUCache({ max, ttl: ttlMs });
  }

  /**
   * @param key      tells the question from others of the organization
   * @param cluster  for which the user asks, and is warned
   */
  async get(
    key: string,
    user: Upstream,
    cluster: Pick<ClusterSite, 'name' | 'island'>,
    read: (upstream: Upstream) => Promise<T>,
  ): Promise<T> {
    // Here, and not in each caller's key: nobody can forget it.
    const own = JSON.stringify([user.organization, key]);
    const kept = this.#kept.get(own);
    if (kept) {
      user.kept({ island: cluster.island, cluster: cluster.name, what: this.#what });
      return kept.found;
    }
    const upstream = user.apart();
    const found = await read(upstream);
    if (upstream.partial.size > 0) user.partial.add(cluster.name);
    else this.#kept.set(own, { found });
    return found;
  }
}
