import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CannotReport } from './cannot-report.ts';

/** Writes one line; throws where it cannot. */
export type WriteLine = (line: string) => void;

/**
 * Lines into a file or a pipe, each in one write and at once: a process that is killed leaves whole ones.
 *
 * @param endsCut  what is there ends within a line, which must not become the beginning of the first one
 */
export function wholeLines(fd: number, endsCut = false): WriteLine {
  let isCut = endsCut;
  return (line) => {
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${line}\n`);
    let written = 0;
    try {
      // A pipe may take a part only.
      while (written < bytes.length) written += writtenNow(fd, bytes, written);
      isCut = false;
    } catch (error) {
      if (written > 0) isCut = true;
      throw error;
    }
  };
}

const room = new Int32Array(new SharedArrayBuffer(4));

/** 0 where a pipe is full, after a moment in which its reader can go on. */
function writtenNow(fd: number, bytes: Buffer, from: number): number {
  try {
    return writeSync(fd, bytes, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(room, 0, 0, 2);
    return 0;
  }
}

/**
 * A file to append to, and the folders that it needs.
 *
 * @throws CannotReport
 */
export function openLines(path: string): { write: WriteLine; close: () => void } {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const fd = openSync(path, 'a+');
    return { write: wholeLines(fd, endsCut(fd)), close: () => closeSync(fd) };
  } catch (error) {
    throw new CannotReport(`jsonl:${path} cannot be written to: ${(error as Error).message}`, { cause: error });
  }
}

function endsCut(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
