import { access, constants, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

import { howToInstall } from './advice.ts';
import { download } from './download.ts';
import { engines, type Engine } from './engines.ts';
import { EmbeddedStoreError } from './failure.ts';
import { run } from './run.ts';

export interface FoundEngine {
  readonly engine: Engine;
  readonly binary: string;
  readonly version: string;
}

type Progress = (line: string) => void;

/** The first Prometheus that takes old samples by remote write. */
const oldestUsable = [2, 39] as const;

/**
 * Finds the engine's program, and fetches it when it is nowhere.
 *
 * Without an engine any Prometheus will do, in this order: `GPUQL_PROMETHEUS`, our cache, `PATH`, a download. A named
 * engine is that engine: our cache or a download.
 *
 * @throws EmbeddedStoreError that says what to install
 */
export async function ensureEngine(engine?: Engine, onProgress: Progress = () => {}): Promise<FoundEngine> {
  if (engine !== undefined) return (await cached(engine)) ?? (await fetched(engine, onProgress));
  const named = process.env['GPUQL_PROMETHEUS'];
  if (named) return explicit(named);
  return (await cached('prometheus-3')) ?? (await onPath()) ?? (await fetched('prometheus-3', onProgress));
}

async function explicit(path: string): Promise<FoundEngine> {
  const usable = await anyPrometheus(path).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new EmbeddedStoreError(
      `GPUQL_PROMETHEUS is ${path}, which does not run as Prometheus (${why}).\n` +
        'Correct it, or unset it to let gpuql look for one itself.',
      { cause: error },
    );
  });
  if (usable !== undefined) return usable;
  throw new EmbeddedStoreError(
    `GPUQL_PROMETHEUS is ${path}, which is too old: version ${oldestUsable.join('.')} or newer is needed.`,
  );
}

async function onPath(): Promise<FoundEngine | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
    const found = await anyPrometheus(join(folder, 'prometheus')).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function cached(engine: Engine): Promise<FoundEngine | undefined> {
  const folder = join(cacheDir(), engine);
  // Written by the download, in one step with the program.
  const version = await readFile(join(folder, 'version'), 'utf8').catch(() => undefined);
  return version === undefined ? undefined : { engine, binary: join(folder, engines[engine].program), version };
}

async function fetched(engine: Engine, onProgress: Progress): Promise<FoundEngine> {
  try {
    await download(engines[engine], join(cacheDir(), engine), onProgress);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${engine} is not on this system and could not be fetched: ${why}\n${howToInstall()}`;
    throw new EmbeddedStoreError(message, { cause: error });
  }
  return (await cached(engine))!;
}

/** `undefined` when it runs but is too old. */
async function anyPrometheus(binary: string): Promise<FoundEngine | undefined> {
  await access(binary, constants.X_OK);
  const version = await versionOf(binary);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestUsable[0] || (major === oldestUsable[0] && minor < oldestUsable[1])) return undefined;
  return { engine: major === 2 ? 'prometheus-2' : 'prometheus-3', binary, version };
}

async function versionOf(binary: string): Promise<string> {
  const said = await run(binary, ['--version'], { timeoutMs: 20_000 });
  const version = /version (\d+\.\d+\.\d+)/.exec(said)?.[1];
  if (version === undefined) throw new EmbeddedStoreError(`${binary} --version does not name a version`);
  return version;
}

function cacheDir(): string {
  const { GPUQL_CACHE, XDG_CACHE_HOME } = process.env;
  return GPUQL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'gpuql');
}
