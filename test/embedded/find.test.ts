import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { EmbeddedStoreError } from '../../src/embedded/failure.ts';
import { ensureEngine } from '../../src/embedded/find.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpuql-find-'));
  vi.stubEnv('GPUQL_CACHE', join(folder, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that answers `--version` like the Prometheus it pretends to be. */
function pretend(name: string, version: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho 'prometheus, version ${version} (branch: HEAD)'\n`);
  chmodSync(path, 0o755);
  return path;
}

const failure = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => expect.fail('it was found'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(EmbeddedStoreError);
  return (error as Error).message;
};

test('GPUQL_PROMETHEUS wins', async () => {
  const path = pretend('mine', '2.55.1');
  vi.stubEnv('GPUQL_PROMETHEUS', path);
  expect(await ensureEngine()).toEqual({ engine: 'prometheus-2', binary: path, version: '2.55.1' });
});

test('GPUQL_PROMETHEUS that points to nothing is named, with what to do', async () => {
  const path = join(folder, 'nothing');
  vi.stubEnv('GPUQL_PROMETHEUS', path);
  const message = await failure(ensureEngine());
  expect(message).toContain(`GPUQL_PROMETHEUS is ${path}`);
  expect(message).toContain('unset it');
  expect(message).not.toMatch(/^\s+at /m);
});

test('GPUQL_PROMETHEUS that is too old is refused', async () => {
  vi.stubEnv('GPUQL_PROMETHEUS', pretend('old', '2.9.2'));
  expect(await failure(ensureEngine())).toContain('too old');
});

test('a program on PATH will do when nothing is named, if it is new enough', async () => {
  vi.stubEnv('GPUQL_PROMETHEUS', '');
  vi.stubEnv('PATH', folder);
  const binary = pretend('prometheus', '3.1.0');
  expect(await ensureEngine()).toEqual({ engine: 'prometheus-3', binary, version: '3.1.0' });
  pretend('prometheus', '2.38.0');
  expect(await failure(ensureEngine())).toContain('could not be fetched');
});

test('a named engine is never taken from GPUQL_PROMETHEUS or PATH', async () => {
  vi.stubEnv('GPUQL_PROMETHEUS', pretend('prometheus', '3.1.0'));
  vi.stubEnv('PATH', folder);
  const message = await failure(ensureEngine('prometheus-3'));
  expect(message).toContain('Install');
  expect(message).not.toMatch(/^\s+at /m);
  expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test.skipIf(!existsSync('/usr/bin/apt-get'))('two at once fetch without harm, the third finds it', async () => {
  const both = await Promise.all([ensureEngine('prometheus-2'), ensureEngine('prometheus-2')]);
  const binary = join(folder, 'cache/prometheus-2/prometheus');
  expect(both[0]).toMatchObject({ binary, version: expect.stringMatching(/^2\./) as string });
  expect(both[1]).toEqual(both[0]);
  expect(readdirSync(join(folder, 'cache'))).toEqual(['prometheus-2']);
  vi.stubEnv('PATH', folder); // without apt now
  const said: string[] = [];
  expect(await ensureEngine('prometheus-2', (line) => said.push(line))).toEqual(both[0]);
  expect(said).toEqual([]);
});
