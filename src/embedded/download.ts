import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sourceFor } from './archive.ts';
import type { EngineFacts } from './engines.ts';
import { EmbeddedStoreError } from './failure.ts';
import { run } from './run.ts';

/** Older than any download takes: what a killed one left behind. */
const abandonedMs = 6 * 3_600_000;

/**
 * Fetches an engine's program from the machine's own Debian archive into `target`.
 *
 * apt works on lists, caches and settings inside a temporary folder: no root, no trace on the system, and none of the
 * system's own lists, pins or hooks matter. The folder `target` appears whole or not at all.
 */
export async function download(facts: EngineFacts, target: string, onProgress: (line: string) => void): Promise<void> {
  const cache = join(target, '..');
  await mkdir(cache, { recursive: true });
  await sweep(cache);
  const work = await mkdtemp(join(cache, '.fetch-'));
  try {
    const env = { ...process.env, LC_ALL: 'C', APT_CONFIG: await writeSettings(work, await sourceFor(facts.suite)) };
    onProgress(`reading the package list of Debian's suite ${facts.suite}`);
    await run('apt-get', ['update', '-qq', '--error-on=any'], { env, cwd: work });
    onProgress(`fetching the package ${facts.package}`);
    await run('apt-get', ['download', '-qq', facts.package], { env, cwd: work });
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb')) ?? `${facts.package}.deb`;
    await run('dpkg-deb', ['-x', archive, 'root'], { cwd: work });
    await keep(facts, versionIn(archive), work, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function writeSettings(work: string, source: string): Promise<string> {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'sources', 'ready']) {
    await mkdir(join(work, folder), { recursive: true });
  }
  await writeFile(join(work, 'sources/archive.sources'), source);
  // Proxies, timeouts and the like are the machine's; its hooks and index choices are not for us.
  const machine = (await run('apt-config', ['dump'])).split('\n');
  const network = machine.filter((line) => /^Acquire::(?!IndexTargets|Changelogs|Languages)/.test(line));
  const settings: Record<string, string> = {
    'Dir::State': work,
    'Dir::State::lists': join(work, 'lists'),
    // With the real one apt insists on the versions that the system prefers.
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': join(work, 'sources'),
    'Dir::Etc::main': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    // As root apt would hand the download to a user who cannot enter our folder, and say so.
    'APT::Sandbox::User': 'root',
  };
  const path = join(work, 'apt.conf');
  await writeFile(
    path,
    [...network, ...Object.entries(settings).map(([key, value]) => `${key} "${value}";`), ''].join('\n'),
  );
  return path;
}

/** `name_1%3a2.42.0+ds-5_amd64.deb` → `2.42.0`. Not every program knows its own version. */
function versionIn(archive: string): string {
  return /_(?:\d+%3a)?(\d+(?:\.\d+)*)/.exec(archive)?.[1] ?? 'unknown';
}

async function keep(facts: EngineFacts, version: string, work: string, target: string): Promise<void> {
  if (!version.startsWith(facts.line)) {
    throw new EmbeddedStoreError(`the suite ${facts.suite} has ${facts.package} ${version} now, not ${facts.line}x`);
  }
  const ready = join(work, 'ready');
  await rename(join(work, 'root/usr/bin', facts.program), join(ready, facts.program));
  await writeFile(join(ready, 'version'), version);
  await rename(ready, target).catch((error: NodeJS.ErrnoException) => {
    // Another process was first; its copy is as good.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('.fetch-')) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}
