import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const readyWithinMs = 60_000;

export interface Child {
  readonly pid: number;
  /** Since the last time that this was asked. */
  longestBlockMs(): Promise<number>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly nodeFlags?: readonly string[];
}

/** Runs a Node program until it prints what matches `ready`. @returns it, and the match */
export async function startChild(
  args: readonly string[],
  ready: RegExp,
  { env = {}, cwd, nodeFlags = [] }: ChildOptions = {},
): Promise<{ child: Child; match: RegExpExecArray }> {
  const watch = new URL('./watch-process.ts', import.meta.url).href;
  const child = spawn(process.execPath, [...nodeFlags, '--import', watch, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(cwd !== undefined && { cwd }),
  });
  const match = await firstMatch(child, ready).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { child: { pid: child.pid!, longestBlockMs: () => longestBlockMs(child), stop: () => stop(child) }, match };
}

function firstMatch(child: ChildProcess, ready: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string): void =>
      reject(new Error(`${child.spawnargs.slice(3).join(' ')} ${why}:\n${said.slice(-2000)}`));
    const late = setTimeout(() => fail(`is not ready after ${readyWithinMs / 1000} s`), readyWithinMs);
    const look = (chunk: Buffer): void => {
      // Read to the end of its life: a full pipe would stop it.
      if (said.length < 100_000) said += chunk.toString();
      const match = ready.exec(said);
      if (match === null) return;
      clearTimeout(late);
      resolve(match);
    };
    child.stdout!.on('data', look);
    child.stderr!.on('data', look);
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(`ended with ${code}`);
    });
  });
}

async function longestBlockMs(child: ChildProcess): Promise<number> {
  const answered = once(child, 'message') as Promise<[{ longestBlockMs: number }]>;
  child.send({});
  return (await answered)[0].longestBlockMs;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}
