import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

/** A process that starts a store in `TMPDIR`, says so, and then does as it was told. */
const parent = (then: string): string => `
  import { startStore } from ${JSON.stringify(new URL('../../src/embedded/store.ts', import.meta.url).href)};
  const store = await startStore();
  console.log(store.url);
  ${then}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpuql-parent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(then: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', parent(then)], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The command lines that work in our folder: the store and its guard. */
const processes = (): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(join(folder, 'gpuql-store-')));

/** What still is there after five seconds, or nothing as soon as there is nothing. */
async function leftovers(): Promise<string[]> {
  const now = (): string[] => [...processes(), ...readdirSync(folder)];
  for (let i = 0; i < 50 && now().length > 0; i++) await sleep(100);
  return now();
}

test('a parent killed outright leaves no process and no folder', async () => {
  const child = start('setInterval(() => {}, 1000);');
  await once(createInterface(child.stdout!), 'line');
  expect(processes().length).toBeGreaterThan(0);
  expect(readdirSync(folder)).toHaveLength(1);
  child.kill('SIGKILL');
  expect(await leftovers()).toEqual([]);
});

test('a parent killed while the store starts leaves no process', async () => {
  const child = start('setInterval(() => {}, 1000);');
  while (processes().length === 0) await sleep(5);
  child.kill('SIGKILL');
  expect(await leftovers()).toEqual([]);
});

test.each([
  ['that exits', 'process.exit(3);'],
  ['that throws', "throw new Error('mistake');"],
  ['that has nothing more to do', ''],
  ['that closes the store', 'await store.close();'],
])('a parent %s ends by itself, and so does the store', async (_, then) => {
  const child = start(then);
  await once(child, 'exit');
  expect(await leftovers()).toEqual([]);
});
