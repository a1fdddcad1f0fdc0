import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/gpuql.ts', import.meta.url));

/** One event as a line, without its end. */
export const line = (step: number, name = 'train/loss'): string =>
  JSON.stringify({ kind: 'metric', ts_ms: 1_764_573_000_000 + step, step, name, value: step / 10 });

/** Lines of the steps from one to before another, each with its end. */
export const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `${line(from + i)}\n`).join('');

export const steps = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** `gpuql forward` as a process of its own. */
export function startForward(url: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, 'forward', '--run', 'r', '--cluster', 'c', ...args], {
    env: { ...process.env, GPUQL_URL: url, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  let out = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  // A forwarder that is killed breaks the pipe.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    stdin: child.stdin,
    said: () => said,
    out: () => out,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    ended: async () => (await ended)[0],
  };
}

export async function until(fact: () => boolean, what: () => string, withinMs = 30_000): Promise<void> {
  const late = Date.now() + withinMs;
  while (!fact()) {
    if (Date.now() > late) throw new Error(`it never came true: ${what()}`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

export async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'gpuql-forward-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
