import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const gpuql = fileURLToPath(new URL('../../../src/gpuql.ts', import.meta.url));

/** The command as a process of its own, with all that it says. */
export interface Running {
  readonly process: ChildProcess;
  readonly said: () => string;
  /** Resolves with the exit code, or with the signal that ended it, once all that it said is known. */
  readonly ended: Promise<number | string>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and how it ended then. */
  stop(): Promise<number | string>;
}

export function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [gpuql, ...words], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  // Whoever writes into it when it is dead is told by how it ended.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const tell = async (signal: NodeJS.Signals): Promise<number | string> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  return {
    process: child,
    said: () => said,
    ended,
    kill: async () => void (await tell('SIGKILL')),
    stop: () => tell('SIGTERM'),
  };
}

/** A gateway that can die and come back at the same address. */
export interface MortalGateway {
  /** Of the graph. */
  readonly url: string;
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  said(): string;
  query(document: string, variables?: object): Promise<Answer>;
}
/** What a document answers is as the document asks; each test says what it expects. */
export interface Answer {
  readonly data: ReturnType<typeof JSON.parse>;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

export async function mortalGateway(folder: string, port: number, config: object): Promise<MortalGateway> {
  const path = `${folder}/gpuql-${port}.yaml`;
  // JSON is YAML too.
  await writeFile(path, JSON.stringify({ listen: { host: '127.0.0.1', port }, ...config }));
  const url = `http://127.0.0.1:${port}/graphql`;
  let running: Running | undefined;
  let before = '';
  const start = async (): Promise<void> => {
    before += running?.said() ?? '';
    const begun = run(['serve', '--config', path]);
    running = begun;
    while (!begun.said().includes('gpuql answers at')) {
      if (begun.process.exitCode !== null) throw new Error(`the gateway ended: ${begun.said()}`);
      await sleep(20);
    }
  };
  await start();
  return {
    url,
    start,
    kill: async () => running?.kill(),
    said: () => before + (running?.said() ?? ''),
    query: async (query, variables = {}) => {
      const body = JSON.stringify({ query, variables });
      return (
        await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      ).json() as Promise<Answer>;
    },
  };
}

/** One organization with clusters in one store that takes runs. */
export const configOf = (
  store: { url: string; writeUrl: string },
  clusters: readonly string[] = ['aurora-prod'],
): object => ({
  islands: [{ name: 'north', prometheus: { url: store.url, writeUrl: store.writeUrl } }],
  organizations: [
    { name: 'acme', clusters: clusters.map((name) => ({ name, island: 'north', vendor: 'nvidia', model: 'H100' })) },
  ],
  labels: { cluster: 'cluster' },
});
