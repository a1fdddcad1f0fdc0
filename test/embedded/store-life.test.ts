import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { EmbeddedStoreError } from '../../src/embedded/failure.ts';
import { startStore } from '../../src/embedded/store.ts';
import { now, query, ramp } from './ramp.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpuql-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const listens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

test('close frees the port and removes the temporary folder', async () => {
  vi.stubEnv('TMPDIR', folder);
  const store = await startStore();
  const answer = await fetch(`${store.url}/api/v1/status/flags`);
  const flags = (await answer.json()) as { data: Record<string, string> };
  const dataDir = dirname(flags.data['storage.tsdb.path']!);
  expect(dirname(dataDir)).toBe(folder);
  expect(existsSync(dataDir)).toBe(true);
  expect(await listens(store.url)).toBe(true);
  await store.close();
  expect(existsSync(dataDir)).toBe(false);
  expect(await listens(store.url)).toBe(false);
  await store.close(); // a second time is no error
});

test('a second start on the same folder has the data', async () => {
  const dataDir = join(folder, 'kept');
  for (const round of [1, 2]) {
    const store = await startStore({ dataDir });
    try {
      if (round === 1) await store.load([ramp({ set: 'kept' }, now - 60, 30, 3)]);
      expect((await query(store, 'ramp{set="kept"}', now))[0]?.value).toEqual([now, '0.25']);
    } finally {
      await store.close();
    }
  }
});

test('a store that does not start says why', async () => {
  const dataDir = join(folder, 'shared');
  const first = await startStore({ dataDir });
  try {
    await expect(startStore({ dataDir })).rejects.toThrow(/does not start:\n.*lock/s);
  } finally {
    await first.close();
  }
});

test('a temporary folder that cannot be written is said in a sentence', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
  const failure: unknown = await startStore().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(EmbeddedStoreError);
  expect((failure as Error).message).toMatch(/nowhere cannot be written \(ENOENT\); name another .* TMPDIR\.$/);
});

test('a named folder that cannot be is said in a sentence', async () => {
  const dataDir = join(folder, 'file');
  writeFileSync(dataDir, '');
  await expect(startStore({ dataDir })).rejects.toThrow(/file cannot be written \(EEXIST\)\.$/);
});

test('VictoriaMetrics is not asked to scrape', async () => {
  const scrape = [{ job: 'gpus', url: 'http://127.0.0.1:1/metrics', intervalS: 1 }];
  await expect(startStore({ engine: 'victoria-metrics', scrape })).rejects.toThrow(/does not scrape/);
});
