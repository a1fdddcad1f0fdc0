import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import { dataPath, storeArguments } from './arguments.ts';
import { dataFolder } from './data-folder.ts';
import { engines } from './engines.ts';
import { EmbeddedStoreError } from './failure.ts';
import type { FoundEngine } from './find.ts';
import { freePort } from './free-port.ts';
import { runGuarded, type Guarded } from './guard.ts';
import type { ScrapeTarget } from './scrape-config.ts';
import type { Tsdb } from './tsdb.ts';

export interface Running {
  readonly url: string;
  readonly guarded: Guarded;
}

const readyWithinMs = 60_000;
const portAttempts = 5;

/** Where a family says that it is ready, and on which folder it runs. */
const pages = {
  prometheus: {
    ready: '/-/ready',
    flags: '/api/v1/status/flags',
    runsOn: (data: string, flags: string) =>
      (JSON.parse(flags) as { data?: Record<string, string> }).data?.['storage.tsdb.path'] === data,
  },
  'victoria-metrics': {
    ready: '/health',
    flags: '/flags',
    runsOn: (data: string, flags: string) => flags.includes(`-storageDataPath=${JSON.stringify(data)}\n`),
  },
} as const;

/**
 * Starts a store on a free port and waits until it is ready.
 *
 * @throws EmbeddedStoreError with the store's last words
 */
export async function startEngine(
  found: FoundEngine,
  scrape: readonly ScrapeTarget[],
  tsdb: Tsdb,
  dataDir?: string,
): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const folder = await dataFolder(scrape, tsdb, dataDir);
    const command = [found.binary, ...storeArguments(found.engine, folder, port, tsdb)];
    const guarded = runGuarded(command, join(folder, 'store.log'), dataDir === undefined ? folder : undefined);
    const url = `http://127.0.0.1:${port}`;
    const failure = await Promise.race([guarded.ended, becomesReady(found, url, dataPath(folder))]);
    if (failure === undefined) {
      guarded.unref();
      return { url, guarded };
    }
    await guarded.stop();
    const taken = /address already in use/i.test(failure);
    if (taken && attempt < portAttempts) continue;
    throw new EmbeddedStoreError(`${found.binary} ${found.version} does not start:\n${failure}`);
  }
}

/** Resolves with nothing when the store is ready, with its last words when it takes too long. */
async function becomesReady(found: FoundEngine, url: string, data: string): Promise<string | undefined> {
  const { ready, flags, runsOn } = pages[engines[found.engine].family];
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    if ((await page(url + ready)) !== undefined) {
      // The folder tells ours from a stranger who took the port and happens to be such a store too.
      const text = await page(url + flags);
      if (text !== undefined && runsOn(data, text)) return undefined;
    }
    await sleep(50);
  }
  return `it is not ready after ${readyWithinMs / 1000} s`;
}

async function page(url: string): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: 5_000, bodyTimeout: 5_000 });
    const text = await body.text();
    return statusCode === 200 ? text : undefined;
  } catch {
    return undefined; // not listening yet
  }
}
