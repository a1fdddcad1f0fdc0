import { access, mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/embedded/run.ts';

/** Pinned together: a wrapper's parts must fit each other. */
const packages = [
  'graphql@16.15.0',
  '@graphql-hive/gateway@2.15.1',
  '@graphql-mesh/compose-cli@1.8.2',
  '@graphql-mesh/transport-rest@0.12.2',
  '@omnigraph/json-schema@0.112.4',
];
const installWithinMs = 180_000;

/**
 * Hive Gateway in a folder of its own, outside the project; installed there once.
 *
 * @returns the folder
 * @throws Error with npm's words
 */
export async function hiveFolder(): Promise<string> {
  const { GPUQL_CACHE, XDG_CACHE_HOME } = process.env;
  const folder = join(GPUQL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'gpuql'), 'bench-hive');
  const programs = ['hive-gateway', 'mesh-compose'].map((name) => join(folder, 'node_modules/.bin', name));
  if ((await Promise.allSettled(programs.map((path) => access(path)))).some(({ status }) => status === 'rejected')) {
    console.log('  installing Hive Gateway, once');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
    await run('npm', ['install', ...flags, ...packages], { cwd: folder, timeoutMs: installWithinMs });
  }
  return folder;
}
