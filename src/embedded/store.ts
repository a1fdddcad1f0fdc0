import { request } from 'undici';

import { engines, type Engine } from './engines.ts';
import { EmbeddedStoreError } from './failure.ts';
import { ensureEngine } from './find.ts';
import { loadSeries } from './load.ts';
import type { LoadedSeries } from './remote-write.ts';
import type { ScrapeTarget } from './scrape-config.ts';
import { startEngine } from './start.ts';
import { type Tsdb, wide } from './tsdb.ts';

export type { Engine, LoadedSeries, ScrapeTarget };

export interface StoreOptions {
  /** Default: any Prometheus, the 3.5 line preferred. */
  readonly engine?: Engine;
  /** Default: a fresh temporary folder, removed at the end. */
  readonly dataDir?: string;
  readonly scrape?: readonly ScrapeTarget[];
  /** Of a Prometheus, what it takes that is not so by default. */
  readonly tsdb?: Partial<Tsdb>;
  readonly onProgress?: (line: string) => void;
}

/** A real store as a child process. It ends with this process, however this process ends. */
export interface EmbeddedStore {
  readonly url: string;
  readonly engine: Engine;
  readonly version: string;
  /** Writes history; resolves when every sample can be queried. */
  load(series: Iterable<LoadedSeries>): Promise<void>;
  close(): Promise<void>;
}

/** @throws EmbeddedStoreError when no engine can be had, or it does not start: with its last words */
export async function startStore(options: StoreOptions = {}): Promise<EmbeddedStore> {
  const found = await ensureEngine(options.engine, options.onProgress);
  const { engine, version } = found;
  if (options.scrape?.length && engines[engine].family !== 'prometheus') {
    throw new EmbeddedStoreError(`${engine} does not scrape here; use a Prometheus`);
  }
  const { url, guarded } = await startEngine(
    found,
    options.scrape ?? [],
    { ...wide, ...options.tsdb },
    options.dataDir,
  );
  return {
    url,
    engine,
    version,
    load: async (series) => {
      await loadSeries(url, series);
      // Otherwise it shows new samples only a second or more after it took them.
      if (engines[engine].family === 'victoria-metrics')
        await (await request(`${url}/internal/force_flush`)).body.dump();
    },
    close: guarded.stop,
  };
}
