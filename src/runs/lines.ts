import { isAscii, isUtf8 } from 'node:buffer';
import { isWholeJson, type Reading, readLine } from './line.ts';

/** Longest line in bytes, without its end. A longer one is bad, and is not held. */
export const longestLine = 65_536;

export interface Line {
  /** From 1; blank lines count. */
  readonly number: number;
  /** The byte after it and its end, from the beginning of the stream. */
  readonly end: number;
  readonly reading: Reading;
}

/** Up to where lines were read. */
export interface Position {
  /** Byte after the end of the last whole line. */
  readonly offset: number;
  /** Number of that line, from 1; 0 before the first. */
  readonly line: number;
}

export const start: Position = { offset: 0, line: 0 };

/** Takes the bytes of a JSONL stream as they come, and holds no more of it than one cut line. */
export class LineReader {
  #offset: number;
  #line: number;
  /** The beginning of a line whose end has not come yet. */
  #cut: Buffer[] = [];
  /** How long that line is by now. */
  #cutBytes = 0;

  /** @param from  where a reader before this one stopped */
  constructor(from: Position = start) {
    this.#offset = from.offset;
    this.#line = from.line;
  }

  get position(): Position {
    return { offset: this.#offset, line: this.#line };
  }

  /** Whether a line has begun and not ended. */
  get isCut(): boolean {
    return this.#cutBytes > longestLine || this.#cut.some((bytes) => bytes.toString('latin1').trim() !== '');
  }

  /** The lines that end in these bytes, blank ones left out. What is kept of the bytes is copied. */
  read(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    let first = 0;
    if (this.#cutBytes > 0) {
      const end = bytes.indexOf(newline);
      if (end < 0) return (this.#hold(bytes), lines);
      this.#hold(bytes.subarray(0, end));
      this.#take(lines, Buffer.concat(this.#cut), this.#cutBytes);
      this.#forget();
      first = end + 1;
    }
    const last = bytes.lastIndexOf(newline) + 1;
    if (last > first) this.#takeAll(lines, bytes.subarray(first, last));
    if (last < bytes.length) this.#hold(bytes.subarray(Math.max(first, last)));
    return lines;
  }

  /** At the end of the stream: a last line without its end, if it is a whole one. Otherwise it stays cut. */
  end(): Line | null {
    if (this.#cutBytes === 0 || !isWhole(Buffer.concat(this.#cut), this.#cutBytes)) return null;
    const lines: Line[] = [];
    this.#take(lines, Buffer.concat(this.#cut), this.#cutBytes, 0);
    this.#forget();
    return lines[0] ?? null;
  }

  /** Whole lines, each with its end. */
  #takeAll(lines: Line[], bytes: Buffer): void {
    // Of ASCII a byte is a character: all of it becomes text at once, of which lines are pieces.
    const text = isAscii(bytes) ? bytes.toString('latin1') : null;
    for (let first = 0; first < bytes.length;) {
      const end = text === null ? bytes.indexOf(newline, first) : text.indexOf('\n', first);
      if (text === null || end - first > longestLine) this.#take(lines, bytes.subarray(first, end), end - first);
      else this.#add(lines, text.slice(first, end), end - first + 1);
      first = end + 1;
    }
  }

  #take(lines: Line[], bytes: Buffer, length: number, endBytes = 1): void {
    const isFirst = this.#offset === 0;
    if (length > longestLine)
      this.#pass(lines, { reason: `it is longer than ${longestLine} bytes` }, length + endBytes);
    else if (!isUtf8(bytes)) this.#pass(lines, { reason: 'it is no UTF-8' }, length + endBytes);
    else
      this.#add(
        lines,
        bytes.toString('utf8', isFirst && bytes.indexOf(byteOrderMark) === 0 ? 3 : 0),
        length + endBytes,
      );
  }

  #add(lines: Line[], text: string, length: number): void {
    this.#pass(lines, readLine(text), length);
  }

  #pass(lines: Line[], reading: Reading | null, length: number): void {
    this.#offset += length;
    this.#line += 1;
    if (reading !== null) lines.push({ number: this.#line, end: this.#offset, reading });
  }

  #hold(bytes: Buffer): void {
    this.#cutBytes += bytes.length;
    if (this.#cutBytes <= longestLine) this.#cut.push(Buffer.from(bytes));
    else this.#cut = [];
  }

  #forget(): void {
    this.#cut = [];
    this.#cutBytes = 0;
  }
}

const newline = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const isWhole = (bytes: Buffer, length: number): boolean =>
  length <= longestLine && isUtf8(bytes) && isWholeJson(bytes.toString());
