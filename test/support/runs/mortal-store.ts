import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeArguments } from '../../../src/embedded/arguments.ts';
import { dataFolder } from '../../../src/embedded/data-folder.ts';
import { type Engine, engines } from '../../../src/embedded/engines.ts';
import { ensureEngine } from '../../../src/embedded/find.ts';
import { freePort } from '../../../src/embedded/free-port.ts';

export type Family = 'prometheus' | 'victoria-metrics';

/** A real store that can die and come back: at the same address, over the same files. */
export interface MortalStore {
  readonly url: string;
  readonly writeUrl: string;
  readonly family: Family;
  /** SIGKILL: what it has not written is gone. */
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
const ready = { prometheus: '/-/ready', 'victoria-metrics': '/health' } as const;

export async function mortalStore(): Promise<MortalStore> {
  const found = await ensureEngine(engine);
  const { family } = engines[found.engine];
  const folder = await dataFolder([], await mkdtemp(join(tmpdir(), 'gpuql-mortal-')));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const start = async (): Promise<void> => {
    child = spawn(found.binary, storeArguments(found.engine, folder, port), { stdio: 'ignore' });
    while (
      !(await fetch(url + ready[family]).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error(`the store ended with ${child.exitCode}`);
      await sleep(50);
    }
  };
  await start();
  return {
    url,
    writeUrl: `${url}/api/v1/write`,
    family,
    kill,
    start,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
