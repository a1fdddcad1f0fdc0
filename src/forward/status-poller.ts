import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, Status } from '../report/deliver.ts';
import { NotTaken, Undelivered } from '../report/undelivered.ts';
import { spelledOut } from '../runs/line.ts';

/** Largest status file in bytes. */
const largest = 65_536;
const usualPollMs = 5_000;

export interface PollSettings {
  readonly path: string;
  readonly delivery: Delivery;
  readonly say: (line: string) => void;
  /** Ends the polling; the state is looked at once more then. */
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}

/** Keeps the last state of a run with it, for as long as events come. It never fails: a state is news, and events are the record. */
export async function pollStatus(settings: PollSettings): Promise<void> {
  const { path, delivery, signal, pollMs = usualPollMs } = settings;
  let sent = '';
  let said = '';
  const say = (line: string): void => {
    if (line !== said) settings.say(line);
    said = line;
  };
  for (let isLast = false; !isLast;) {
    isLast = signal.aborted;
    try {
      const read = await readStatus(path);
      // What may pass with the next look is told only when there is none.
      if ('fault' in read) {
        if (isLast || !read.passes)
          say(`${path} ${read.fault}: ${sent === '' ? 'no status is' : 'an older status stays'} kept with the run.`);
      } else if (read.text !== sent) {
        // One that is not taken is not sent again either, until it changes.
        sent = read.text;
        await delivery.send([], read.status);
      }
    } catch (error) {
      if (error instanceof NotTaken) say(`The status in ${path} is not taken: ${error.message}`);
      else if (error instanceof Undelivered) return say(`The last status in ${path} was not taken in time.`);
      else throw error;
    }
    if (!isLast) await wait(pollMs, undefined, { signal }).catch(() => {});
  }
}

type Look =
  | { readonly text: string; readonly status: Status }
  /** Why there is no status; one that passes may be over with the next look, as of a file that is being written. */
  | { readonly fault: string; readonly passes: boolean };

async function readStatus(path: string): Promise<Look> {
  try {
    // To open a pipe would wait for whoever writes it.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { fault: 'is no file', passes: false };
    const bytes = Buffer.alloc(largest + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > largest)
      return { fault: `has ${stat.size} bytes, and a status has ${largest} at most`, passes: false };
    const text = bytes.toString('utf8', 0, bytesRead);
    const state: unknown = objectIn(text);
    if (!isObject(state)) return { fault: 'holds no whole JSON object', passes: true };
    if (!isSendable(state)) return { fault: 'holds lists or objects too deep in each other', passes: false };
    return { text, status: { at: Math.floor(stat.mtimeMs), state } };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { fault: 'is not there', passes: true };
    return { fault: `cannot be read (${code})`, passes: false };
  }
}

/** Nothing of a file that is being written: its end is missing. */
function objectIn(text: string): unknown {
  for (const json of [text, spelledOut(text)]) {
    try {
      return JSON.parse(json);
    } catch {}
  }
  return undefined;
}

/** What can be read can be too deep to be written. */
function isSendable(state: object): boolean {
  try {
    return JSON.stringify(state) !== undefined;
  } catch {
    return false;
  }
}

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
