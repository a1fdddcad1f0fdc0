import { execFile } from 'node:child_process';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/**
 * Runs a program to its end and returns what it printed.
 *
 * @throws Error with the program's own last words, or `ENOENT` in `code` when there is no such program
 */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { timeoutMs: timeout = 600_000, ...rest } = options;
    execFile(program, args, { ...rest, timeout, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout + stderr);
      error.message = [lastLines(stderr) || error.message].join('');
      reject(error);
    });
  });
}

/** The end of a log: enough to see why, short enough to read. */
export function lastLines(text: string, count = 5): string {
  return text.trim().split('\n').slice(-count).join('\n');
}
