import { LRUCache } from 'lru-cache';
import type { Sample, SeriesKey } from '../runs/sample.ts';

/** Some stores show a sample only seconds after they have taken it. */
const shownAfterMs = 60_000;
/** Characters of what is remembered. */
const mostCharacters = 32_000_000;

/** Runs that are written to: one report of a run after the other, each knowing what those just before it have written. */
export class RecentWrites {
  readonly #values = new LRUCache<string, number>({
    maxSize: mostCharacters,
    ttl: shownAfterMs,
    sizeCalculation: (_, key) => key.length,
  });
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param run  tells it from those of every other cluster and organization */
  async inOrder<T>(run: string, report: () => Promise<T>): Promise<T> {
    const before = this.#last.get(run) ?? Promise.resolve();
    const own = before.then(report, report);
    this.#last.set(run, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(run) === own) this.#last.delete(run);
    }
  }

  remember(run: string, samples: Iterable<Pick<Sample, 'key' | 'tsMs' | 'value'>>): void {
    for (const { key, tsMs, value } of samples) this.#values.set(at(run, key, tsMs), value);
  }

  valueAt(run: string, key: SeriesKey, tsMs: number): number | undefined {
    return this.#values.get(at(run, key, tsMs));
  }
}

const at = (run: string, key: SeriesKey, tsMs: number): string => `${tsMs} ${run} ${key}`;
