import type { Row } from '../domain/series.ts';
import { holdsHistograms, rowsOf } from './answer-rows.ts';
import { RowScanner } from './row-scanner.ts';
import { StoreFault, tooMuch } from './store-fault.ts';
import { envelopeOf, type Envelope, type Expected } from './wire.ts';

export interface ReadAnswer {
  readonly rows: readonly Row[];
  /** What the store said that it left out; empty where it left out nothing. */
  readonly omissions: readonly string[];
  /** What it remarked on a client's query; nothing is left out for that. */
  readonly remarks?: readonly string[];
  readonly samples: number;
  readonly resultType?: 'matrix' | 'vector' | 'scalar';
  readonly histograms?: true;
}

/** Up to here JSON.parse is as good as the scanner, and every shape of answer can be seen from it. */
const headLength = 65_536;

/** A body that is read whole, or what stands around rows that are not: no store has more to say, a broken one has no end. */
const heldLimit = 64 * 1024 * 1024;

/** Where the rows begin. A quote inside a string is escaped, so no label value or warning can hold these bytes. */
const rowsBegin = {
  samples: /"result"\s*:\s*\[\s*(?=\{)/,
  labels: /"data"\s*:\s*\[\s*(?=\{)/,
};

/**
 * The body of an answer with status 200, read as it arrives. Small ones are parsed whole. Of large ones only the
 * envelope is: the rows go through the scanner, and what is left around them must still be an answer without rows.
 */
export class AnswerBody {
  readonly #expected: Expected;
  #head: Buffer[] = [];
  #scan: { readonly before: string; readonly rows: RowScanner; readonly after: Buffer[] } | undefined;
  #whole = false;
  #held = 0;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /** The text so far of a body that is not going through the scanner. */
  get beginning(): string {
    return Buffer.concat(this.#head).toString('utf8', 0, headLength);
  }

  push(chunk: Buffer): void {
    if (this.#scan !== undefined) return this.#pushRows(chunk);
    this.#hold(chunk);
    this.#head.push(chunk);
    if (!this.#whole && this.#held >= headLength) this.#chooseReader();
  }

  /** @throws where the body is not the answer to this question, or not all of it */
  end(): ReadAnswer {
    if (this.#scan === undefined) return this.#parseWhole();
    const { before, rows, after } = this.#scan;
    if (!rows.done) throw new StoreFault('the answer ends inside its rows');
    const envelope = envelopeOf(this.#expected.kind, JSON.parse(before + Buffer.concat(after).toString('utf8')));
    return {
      rows: rows.rows,
      ...saidIn(envelope, this.#expected),
      samples: rows.samples,
      ...typeIn(envelope),
      ...(rows.histograms && { histograms: true }),
    };
  }

  #chooseReader(): void {
    const head = Buffer.concat(this.#head);
    const { kind } = this.#expected;
    const found = rowsBegin[kind === 'series' ? 'labels' : 'samples'].exec(head.toString('latin1'));
    if (kind === 'labelValues' || found === null) {
      this.#whole = true;
      return;
    }
    const first = found.index + found[0].length;
    this.#head = [];
    this.#held = first;
    this.#scan = {
      before: head.toString('utf8', 0, first),
      rows: new RowScanner(kind === 'series', mostOf(this.#expected)),
      after: [],
    };
    this.#pushRows(head.subarray(first));
  }

  #pushRows(chunk: Buffer): void {
    const { rows, after } = this.#scan!;
    if (!rows.done) {
      rows.push(chunk);
      if (!rows.done) return;
      chunk = rows.rest;
    }
    this.#hold(chunk);
    after.push(chunk);
  }

  #hold(chunk: Buffer): void {
    this.#held += chunk.length;
    if (this.#held > heldLimit) throw new StoreFault(`more than ${heldLimit} bytes to be read whole`);
  }

  #parseWhole(): ReadAnswer {
    const envelope = envelopeOf(this.#expected.kind, JSON.parse(Buffer.concat(this.#head).toString('utf8')));
    const rows = rowsOf(this.#expected, envelope);
    const samples = rows.reduce((sum, row) => sum + row.values.length, 0);
    if (samples > mostOf(this.#expected)) throw tooMuch();
    return {
      rows,
      ...saidIn(envelope, this.#expected),
      samples,
      ...typeIn(envelope),
      ...(holdsHistograms(envelope) && { histograms: true }),
    };
  }
}

const isOfClient = (expected: Expected): boolean => 'ofClient' in expected && expected.ofClient !== undefined;

const mostOf = (expected: Expected): number => {
  const { ofClient, most = Infinity } = 'most' in expected || 'ofClient' in expected ? expected : {};
  return ofClient?.mostSamples ?? most;
};

const typeIn = ({ data }: Envelope): Pick<ReadAnswer, 'resultType'> =>
  Array.isArray(data) ? {} : { resultType: data.resultType };

/** A query of ours is never wrong, so whatever is said of it is told as something left out. */
function saidIn({ warnings, isPartial }: Envelope, expected: Expected): Pick<ReadAnswer, 'omissions' | 'remarks'> {
  const isRemark = (words: string): boolean => isOfClient(expected) && words.startsWith('PromQL warning: ');
  const remarks = (warnings ?? []).filter(isRemark);
  const omissions = (warnings ?? []).filter((words) => !isRemark(words));
  return {
    omissions: [...omissions, ...(isPartial === true ? ['isPartial'] : [])],
    ...(remarks.length > 0 && { remarks }),
  };
}
