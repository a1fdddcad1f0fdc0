import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { findFile, openIfThere } from './find-file.ts';
import type { OpenFile } from './open-file.ts';

/** A part of a file. Those of one `file` follow one upon the other from `offset` 0, or from where it was left before. */
export interface Piece {
  /** The same for all parts of one stream of lines. */
  readonly stream: Stream;
  readonly bytes: Buffer;
  /** Nothing more of it comes. */
  readonly isOver: boolean;
}

/** The lines of one file, also where its rest stands in a copy. */
export interface Stream {
  file: OpenFile;
}

export interface FollowSettings {
  readonly follows: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly pollMs?: number;
}

/** Network folders and containers lose the events of fs.watch, so the file is looked at. */
const usualPollMs = 250;
/** A rotated file is looked at so often before it is left: who writes it may still have it open. */
const lastLooks = 4;

/**
 * The parts of a file in order, and of those that take its place. Ends at the end of the file, or where it follows, when
 * the signal says so.
 *
 * @param opened  from findFile or waitForFile
 * @param offset  where to begin in it
 */
export async function* follow(
  path: string,
  opened: OpenFile,
  offset: number,
  settings: FollowSettings,
): AsyncGenerator<Piece> {
  const { follows, signal, say, pollMs = usualPollMs } = settings;
  let stream: Stream = { file: opened };
  let looks = 0;
  let at = offset;
  while (!signal.aborted) {
    const bytes = await stream.file.read(at);
    if (bytes !== null && bytes.length > 0) {
      looks = 0;
      at += bytes.length;
      yield { stream, bytes, isOver: false };
      continue;
    }
    if (bytes === null) {
      const copy = findFile(path, { file: stream.file.markAt(at), offset: at });
      stream.file.close();
      if (copy) {
        say(`${path} was truncated; the rest of what it was is read from a copy beside it.`);
        stream.file = copy;
        continue;
      }
      say(`${path} was truncated, and is read from its beginning; what was in it after byte ${at} is gone.`);
    } else {
      const isReplaced = hasOtherFile(path, stream.file);
      if (!follows && !isReplaced) break;
      looks = isReplaced ? looks + 1 : 0;
      if (!isReplaced || (follows && looks < lastLooks)) {
        await wait(pollMs, undefined, { signal }).catch(() => {});
        continue;
      }
      stream.file.close();
    }
    yield { stream, bytes: nothing, isOver: true };
    const next = await waitForFile(path, settings);
    if (next === null) return;
    stream = { file: next };
    looks = 0;
    at = 0;
  }
  if (!signal.aborted) yield { stream, bytes: nothing, isOver: true };
}

/** @returns null where the signal ended the wait */
export async function waitForFile(path: string, settings: FollowSettings): Promise<OpenFile | null> {
  const { signal, pollMs = usualPollMs } = settings;
  while (!signal.aborted) {
    const file = openIfThere(path);
    if (file) return file;
    await wait(pollMs, undefined, { signal }).catch(() => {});
  }
  return null;
}

const nothing = Buffer.alloc(0);

/** False also where there is none now: who renamed it has not made the next one yet. */
function hasOtherFile(path: string, { device, inode }: OpenFile): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  return now !== undefined && (String(now.dev) !== device || String(now.ino) !== inode);
}
