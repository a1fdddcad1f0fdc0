import { LRUCache } from 'lru-cache';
import type { Ask } from './ask.ts';
import { Upstream } from './upstream.ts';

/** What a shared read found, and whether a store left something out of it. */
interface Held<T> {
  readonly found: T;
  readonly partial: boolean;
}

/**
 * Answers that several operations use. They are asked for on nobody's behalf, so that a client which goes away takes no
 * other's answer along; whoever uses one learns what was left out of it. Failed and partial answers are not kept.
 */
export class Shared<T extends object | number | null> {
  readonly #askOf: (island: string) => Ask;
  readonly #held: LRUCache<string, Promise<Held<T>>>;

  constructor(askOf: (island: string) => Ask, max: number, ttlMs: number) {
    this.#askOf = askOf;
    this.#held = new LRUCache({ max, ttl: ttlMs });
  }

  /** @param cluster  for which the user asks, and is warned */
  async get(key: string, user: Upstream, cluster: string, read: (upstream: Upstream) => Promise<T>): Promise<T> {
    const asked = this.#held.get(key) ?? this.#ask(key, read);
    const { found, partial } = await asked;
    if (partial) user.partial.add(cluster);
    return found;
  }

  #ask(key: string, read: (upstream: Upstream) => Promise<T>): Promise<Held<T>> {
    const upstream = new Upstream(this.#askOf);
    const asked = read(upstream).then((found) => ({ found, partial: upstream.partial.size > 0 }));
    this.#held.set(key, asked);
    const forget = () => this.#held.get(key) === asked && this.#held.delete(key);
    asked.then(({ partial }) => partial && forget(), forget);
    return asked;
  }
}
