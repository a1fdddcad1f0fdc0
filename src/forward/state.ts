import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Destination, endpointOf } from '../report/destination.ts';
import { CannotForward } from './failure.ts';
import { mostHeadBytes } from './open-file.ts';

/** It is shown to people. */
const text = z.string().regex(/^\P{C}*$/u);

const shape = z.object({
  destination: z.object({
    /** Without name, password and query. */
    url: text,
    island: text.nullable(),
    cluster: text,
    run: text,
  }),
  file: z.object({
    device: z.string(),
    inode: z.string(),
    headBytes: z.int().min(1).max(mostHeadBytes),
    headSha256: z.string(),
  }),
  offset: z.int().min(1),
  line: z.int().min(0),
});

/** How far which file was forwarded where. */
export type State = z.infer<typeof shape>;

export function placeOf({ url, token, island, cluster, run }: Destination): State['destination'] {
  const { origin, pathname } = new URL(endpointOf({ url, ...(token && { token }) }).address);
  return { url: `${origin}${pathname}`, island: island ?? null, cluster, run };
}

/**
 * @returns null where nothing was forwarded yet
 * @throws  CannotForward: it is no state, or that of another destination
 */
export function readState(path: string, destination: State['destination']): State | null {
  const text = textOf(path);
  if (text === null) return null;
  const begin = `delete it to send the file from its beginning (what is there already is not doubled)`;
  const read = shape.safeParse(jsonOf(text));
  if (!read.success) throw new CannotForward(`${path} does not hold how far a file was forwarded: ${begin}.`);
  const { url, island, cluster, run } = read.data.destination;
  if (isDeepStrictEqual(read.data.destination, destination)) return read.data;
  const where = `run "${run}" of cluster "${cluster}"${island === null ? '' : ` on island "${island}"`} at ${url}`;
  throw new CannotForward(`${path} belongs to ${where}: give another file as --state, or ${begin}.`);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CannotForward(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** States that come faster than this are passed over for the newest: the ones before it would only make a restart send more again. */
const restMs = 50;

/** Writes states to one file, each whole or not at all, one after the other. */
export class StateFile {
  readonly #path: string;
  readonly #say: (line: string) => void;
  #next: State | null = null;
  #writing: Promise<void> | null = null;

  constructor(path: string, say: (line: string) => void) {
    this.#path = path;
    this.#say = say;
  }

  save(state: State): void {
    this.#next = state;
    this.#writing ??= this.#writeAll();
  }

  /** Once the newest one is there. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const unfinished = `${this.#path}.part`;
    for (let state = this.#next; state !== null; state = this.#next) {
      this.#next = null;
      try {
        await writeFile(unfinished, `${JSON.stringify(state)}\n`);
        await rename(unfinished, this.#path);
      } catch (error) {
        this.#say(`How far it came cannot be kept, and a restart will send more again: ${(error as Error).message}`);
      }
      await wait(restMs);
    }
    // In the same turn in which there was no next one, so that none comes in between.
    this.#writing = null;
  }
}
