import { LRUCache } from 'lru-cache';
import type { Upstream } from './upstream.ts';

/**
 * Answers that operations after the first can use for a while. Each operation that finds none asks for itself, so that
 * a client which goes away takes no other's answer along; the stores' clients see to it that what several ask at once is
 * sent once. Failed and partial answers are not kept.
 */
export class Shared<T> {
  readonly #kept: LRUCache<string, { readonly found: T }>;

  constructor(max: number, ttlMs: number) {
    this.#kept = new LRUCache({ max, ttl: ttlMs });
  }

  /** @param cluster  for which the user asks, and is warned */
  async get(key: string, user: Upstream, cluster: string, read: (upstream: Upstream) => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept) return kept.found;
    const upstream = user.apart();
    const found = await read(upstream);
    if (upstream.partial.size > 0) user.partial.add(cluster);
    else this.#kept.set(key, { found });
    return found;
  }
}
