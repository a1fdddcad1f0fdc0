import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EmbeddedStoreError } from './failure.ts';
import { prometheusConfig, type ScrapeTarget } from './scrape-config.ts';
import type { Tsdb } from './tsdb.ts';

/**
 * The folder that a store runs in, with its configuration: the one that is named, or a fresh temporary one.
 *
 * @throws EmbeddedStoreError: it cannot be written
 */
export async function dataFolder(scrape: readonly ScrapeTarget[], tsdb: Tsdb, dataDir?: string): Promise<string> {
  try {
    const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'gpuql-store-')));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'prometheus.yml'), prometheusConfig(scrape, tsdb));
    return folder;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const advice = dataDir === undefined ? '; name another folder in the environment variable TMPDIR' : '';
    throw new EmbeddedStoreError(
      `The store keeps its data in a folder, and ${dataDir ?? tmpdir()} cannot be written (${code ?? message})${advice}.`,
      { cause },
    );
  }
}
