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
import type { Tsdb } from '../../../src/embedded/tsdb.ts';
import { freePort } from '../../../src/embedded/free-port.ts';

export type Family = 'prometheus' | 'victoria-metrics';

/** A real store, as it comes out of its box, that can die and come back: at the same address, over the same files. */
export interface MortalStore {
  readonly url: string;
  readonly writeUrl: string;
  readonly family: Family;
  /** SIGKILL: what it has not written is gone. */
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Until what it was given can be read. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
const ready = { prometheus: '/-/ready', 'victoria-metrics': '/health' } as const;

export async function mortalStore(): Promise<MortalStore> {
  const found = await ensureEngine(engine);
  const { family } = engines[found.engine];
  const folder = await dataFolder([], stock, await mkdtemp(join(tmpdir(), 'gpuql-mortal-')));
  const port = await freePort();
  const words = storeArguments(found.engine, folder, port, stock);
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const start = async (): Promise<void> => {
    child = spawn(found.binary, words, { stdio: 'ignore' });
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
    flush: () => flush(url),
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** VictoriaMetrics shows what it was given only seconds later, unless it is told to; a Prometheus has no such page. */
export const flush = async (url: string): Promise<void> => void (await fetch(`${url}/internal/force_flush`));

/** A Prometheus as it comes, but for the receiver: it takes no sample behind its series' newest. */
const stock: Tsdb = { block: '2h', outOfOrderWindow: '0s', receiver: true };
