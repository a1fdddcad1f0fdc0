import type { Labels, Row } from '../domain/series.ts';
import { endOfObject, endOfString, ValueSkipper } from './json-bytes.ts';
import { SampleBuffer } from './sample-buffer.ts';
import { scanSamples } from './sample-scanner.ts';
import { StoreFault, tooMuch } from './store-fault.ts';
import { labelSetOf } from './label-sets.ts';
import { Sample } from './wire.ts';

const byte = { space: 0x20, quote: 0x22, comma: 0x2c, colon: 0x3a, open: 0x5b, close: 0x5d, begin: 0x7b, end: 0x7d };

/** The longest token: beyond it a label set is none, and to begin it again with every chunk would take for ever. */
const longestToken = 1024 * 1024;

/** Where the scanner is: between rows, between a row's keys, in its list of samples, in something we do not use. */
type State = 'rows' | 'keys' | 'samples' | 'skip' | 'done';

/**
 * Reads the rows of an answer while its bytes arrive: neither the whole body nor its text is ever held, and no chunk
 * keeps the event loop for long.
 *
 * It reads JSON token by token. Order of keys, white space and unknown keys are free, and no label value can be taken
 * for structure. What it cannot finish in one chunk it begins again with the next: a label set, a key, one sample.
 */
export class RowScanner {
  readonly rows: Row[] = [];
  samples = 0;
  /** Some row held native histograms. */
  histograms = false;
  readonly #rowIsLabels: boolean;
  readonly #mostSamples: number;
  readonly #buffer = new SampleBuffer();
  readonly #skipper = new ValueSkipper();
  #state: State = 'rows';
  #labels: Labels | undefined;
  #unread: Buffer = Buffer.alloc(0);

  /** @param rowIsLabels  a row is a label set itself (`/series`), not an object of `metric` and `value` or `values` */
  constructor(rowIsLabels: boolean, mostSamples = Infinity) {
    this.#rowIsLabels = rowIsLabels;
    this.#mostSamples = mostSamples;
  }

  /** Takes the next bytes; the first ones follow the `[` of the list of rows. Once `done`, `rest` is what follows the rows. */
  push(chunk: Buffer): void {
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    let at = 0;
    while (at < bytes.length && this.#state !== 'done') {
      const next = this.#step(bytes, at);
      if (next < 0) break;
      at = next;
    }
    this.#unread = bytes.subarray(at);
    if (!this.done && this.#unread.length > longestToken) throw malformed('a label set or a sample', bytes, at);
  }

  get done(): boolean {
    return this.#state === 'done';
  }

  /** What follows the rows, from their closing bracket on. */
  get rest(): Buffer {
    return this.#unread;
  }

  /** Reads one token at `at`. The position after it, or -1 where the token is not complete yet. */
  #step(bytes: Buffer, at: number): number {
    if (this.#state === 'skip') return this.#skip(bytes, at);
    const first = bytes[at]!;
    if (first <= byte.space || first === byte.comma) {
      // A comma between samples is part of the run, which is where nearly all bytes are.
      return this.#state === 'samples' && first === byte.comma ? this.#run(bytes, at) : at + 1;
    }
    if (this.#state === 'samples') return this.#run(bytes, at);
    if (this.#state === 'keys') return first === byte.end ? this.#endRow(at) : this.#key(bytes, at);
    if (first === byte.close) {
      this.#state = 'done';
      return at;
    }
    if (this.#rowIsLabels) {
      const end = this.#labelSet(bytes, at);
      if (end >= 0) this.#endRow(at);
      return end;
    }
    if (first !== byte.begin) throw malformed('a row', bytes, at);
    this.#state = 'keys';
    return at + 1;
  }

  #key(bytes: Buffer, at: number): number {
    if (bytes[at] !== byte.quote) throw malformed('a key', bytes, at);
    const end = endOfString(bytes, at);
    if (end < 0) return -1;
    let value = end;
    while (bytes[value]! <= byte.space || bytes[value] === byte.colon) value += 1;
    if (value >= bytes.length) return -1;
    switch (bytes.toString('latin1', at + 1, end - 1)) {
      case 'metric':
        return this.#labelSet(bytes, value);
      case 'value':
        return this.#sample(bytes, value);
      case 'values':
        if (bytes[value] !== byte.open) throw malformed('a list of samples', bytes, value);
        this.#state = 'samples';
        return value + 1;
      case 'histogram':
      case 'histograms':
        this.histograms = true;
        this.#state = 'skip';
        return value;
      default:
        // What engines add of their own.
        this.#state = 'skip';
        return value;
    }
  }

  #run(bytes: Buffer, at: number): number {
    const stopped = scanSamples(bytes, at, this.#buffer);
    if (stopped > at) return stopped;
    if (bytes[at] === byte.comma) return at + 1;
    if (bytes[at] !== byte.close) return this.#sample(bytes, at);
    this.#state = 'keys';
    return at + 1;
  }

  /** One sample in any spelling that JSON allows. It holds no bracket but its own. */
  #sample(bytes: Buffer, at: number): number {
    const close = bytes.indexOf(byte.close, at);
    if (close < 0) return -1;
    const [time, value] = Sample.parse(JSON.parse(bytes.toString('utf8', at, close + 1)));
    this.#buffer.add(time, value);
    return close + 1;
  }

  #labelSet(bytes: Buffer, at: number): number {
    if (bytes[at] !== byte.begin) throw malformed('a label set', bytes, at);
    const end = endOfObject(bytes, at);
    if (end < 0) return -1;
    const labels = labelSetOf(bytes.toString('utf8', at, end));
    if (labels === null) throw malformed('a label set', bytes, at);
    this.#labels = labels;
    return end;
  }

  #skip(bytes: Buffer, at: number): number {
    const end = this.#skipper.skip(bytes, at);
    if (this.#skipper.finished) this.#state = 'keys';
    return end;
  }

  #endRow(at: number): number {
    if (this.#labels === undefined) throw new StoreFault('a row without a metric');
    this.samples += this.#buffer.length;
    if (this.samples > this.#mostSamples) throw tooMuch();
    this.rows.push({ labels: this.#labels, ...this.#buffer.take() });
    this.#labels = undefined;
    this.#state = 'rows';
    return at + 1;
  }
}

const malformed = (expected: string, bytes: Buffer, at: number): StoreFault =>
  new StoreFault(`not ${expected}: ${bytes.toString('utf8', at, at + 40)}`);
