import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileMark, OpenFile } from './open-file.ts';

/** How far which file was read. */
export interface Reached {
  readonly file: FileMark;
  readonly offset: number;
}

/**
 * The file that was read up to a place: under its own name, or under another one in its folder, where a rotation moved or
 * copied it.
 *
 * @returns null where there is none, or only a compressed one
 */
export function findFile(path: string, { file: mark, offset }: Reached): OpenFile | null {
  const found = [path, ...neighbours(path)].flatMap((name) => {
    const file = openIfThere(name);
    if (file?.goesOnFrom(mark, offset)) return [file];
    file?.close();
    return [];
  });
  // A copy has the same beginning; the file itself is the one with its inode.
  const best = found.find(({ device, inode }) => device === mark.device && inode === mark.inode) ?? found[0] ?? null;
  for (const other of found) if (other !== best) other.close();
  return best;
}

/** @returns null where there is no such file (yet) */
export function openIfThere(path: string): OpenFile | null {
  try {
    return new OpenFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Rotation names a file after what it was: `x.jsonl.1`, `x.jsonl-20261201`, `x.1.jsonl`. */
function neighbours(path: string): string[] {
  const name = basename(path);
  const stem = name.split('.')[0]!;
  return readdirSync(dirname(path))
    .filter((other) => other !== name && other.startsWith(stem))
    .map((other) => join(dirname(path), other))
    .filter(isFile);
}

/** A link that leads nowhere, or round, is none. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
