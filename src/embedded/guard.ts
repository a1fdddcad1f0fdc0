import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

import { lastLines } from './run.ts';

/**
 * A shell that outlives us for a moment. It runs the store as its child and a second process reads our pipe, which
 * closes when we close it and also when we are killed in any way; then the store is ended. When the store has ended,
 * for whatever reason, the temporary folder goes.
 *
 * $1: a folder to remove at the end, or nothing. The rest: the store's command line.
 */
const script = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & store=$!
{
  read -r _ <&3
  kill -TERM $store
  left=50
  while [ $left -gt 0 ] && kill -0 $store; do sleep 0.1; left=$((left - 1)); done
  kill -KILL $store
} 2>/dev/null >/dev/null & reader=$!
exec 3<&-
wait $store; code=$?
kill $reader 2>/dev/null
[ -z "$folder" ] || rm -rf -- "$folder"
exit $code
`;

export interface Guarded {
  /** Resolves with the end of the log once the store has ended and its temporary folder is gone. */
  readonly ended: Promise<string>;
  /** Lets our process end although the store runs: the store then ends as well. */
  unref(): void;
  /** SIGTERM, SIGKILL after five seconds. */
  stop(): Promise<void>;
}

/** Runs a program that ends no later than this process does, however this process ends. */
export function runGuarded(command: readonly string[], logPath: string, removeAtEnd?: string): Guarded {
  const log = openSync(logPath, 'w');
  // Opened now, because the log can be in the folder that is removed.
  const reading = openSync(logPath, 'r');
  // Of a process group of its own, so that a Ctrl-C in the terminal reaches us alone and we end in order.
  const guard = spawn('/bin/sh', ['-c', script, 'gpuql-guard', removeAtEnd ?? '', ...command], {
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const pipe = guard.stdin as Socket;
  pipe.on('error', () => {}); // the guard ended first
  const ended = once(guard, 'exit').then(() => {
    const words = lastLines(readFileSync(reading, 'utf8'));
    closeSync(reading);
    return words;
  });
  return {
    ended,
    unref: () => {
      guard.unref();
      pipe.unref();
    },
    stop: async () => {
      guard.ref();
      pipe.end();
      await ended;
    },
  };
}
