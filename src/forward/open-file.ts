import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { CannotForward } from './failure.ts';

/** What tells one file from another that has its name. */
export interface FileMark {
  readonly device: string;
  readonly inode: string;
  /** So many of its first bytes. */
  readonly headBytes: number;
  readonly headSha256: string;
}

const readInto = promisify(read);
const pieceBytes = 262_144;
/** Events have times: files that begin with the same so many bytes hold the same. */
export const mostHeadBytes = 1_024;

/** A file that others append to, rename and truncate while it is read. It stays the one that was opened. */
export class OpenFile {
  readonly device: string;
  readonly inode: string;
  readonly #fd: number;
  readonly #piece = Buffer.alloc(pieceBytes);
  /** Of what was read. */
  #head: Buffer = Buffer.alloc(0);

  /** @throws CannotForward: it is a folder, a pipe or a device */
  constructor(path: string) {
    // To open a pipe would wait for whoever writes it.
    this.#fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(this.#fd, { bigint: true });
    if (!stat.isFile()) {
      closeSync(this.#fd);
      throw new CannotForward(
        `${path} is no file that can be read again; what comes through a pipe goes to standard input.`,
      );
    }
    const { dev, ino } = stat;
    this.device = String(dev);
    this.inode = String(ino);
  }

  close(): void {
    closeSync(this.#fd);
  }

  /**
   * What stands at a place, as much as is read at once; nothing at the end. It is there until the next call.
   *
   * @returns null where the file is no longer what was read of it: it was truncated, and may have grown again
   */
  async read(offset: number): Promise<Buffer | null> {
    const { bytesRead } = await readInto(this.#fd, this.#piece, 0, pieceBytes, offset);
    // Looked at after reading: before, it could change in between.
    if (fstatSync(this.#fd).size < offset || !this.#firstBytes(this.#head.length).equals(this.#head)) return null;
    const bytes = this.#piece.subarray(0, bytesRead);
    if (offset === this.#head.length && offset < mostHeadBytes)
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, mostHeadBytes - offset)]);
    return bytes;
  }

  /** @param offset  up to where it counts */
  markAt(offset: number): FileMark {
    const head = this.#head.subarray(0, offset);
    return { device: this.device, inode: this.inode, headBytes: head.length, headSha256: sha256(head) };
  }

  /** Whether this is the file that was read up to there, or a copy of it; from then on its beginning is held to that. */
  goesOnFrom({ headBytes, headSha256 }: FileMark, offset: number): boolean {
    const head = this.#firstBytes(headBytes);
    if (fstatSync(this.#fd).size < offset || head.length < headBytes || sha256(head) !== headSha256) return false;
    this.#head = head;
    return true;
  }

  #firstBytes(length: number): Buffer {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(this.#fd, head, 0, length, 0));
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
