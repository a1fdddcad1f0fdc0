import type { Delivered } from '../report/delivered.ts';
import type { Line } from '../runs/lines.ts';

/** How many bad lines are named. */
const named = 3;
/** Kinds that are told apart; a stream of something else has any number of them. */
const mostKinds = 20;

/** Lines with something wrong: how many, and what of the first few. */
class Faults {
  count = 0;
  readonly #first: string[] = [];

  add(line: number, reason: string): void {
    this.count += 1;
    if (this.#first.length < named) this.#first.push(`line ${line}: ${reason}`);
  }

  toString(): string {
    return `${this.#first.join('; ')}${this.count > named ? '; ...' : ''}`;
  }
}

/** What became of what was read, counted once. */
export class Tally {
  readonly #isKept: boolean;
  #events = 0;
  #written = 0;
  #repeated = 0;
  #conflicting = 0;
  #refused = 0;
  /** Events of kinds that the gateway does not know. */
  #unknown = 0;
  readonly #rejected = new Faults();
  readonly #bad = new Faults();
  readonly #skipped = new Map<string, number>();

  /** @param isKept  whether what was not taken can be read again */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Whether all that was an event was taken. */
  get isWhole(): boolean {
    return this.#left === 0 && this.#refused === 0 && this.#rejected.count === 0;
  }

  /** Events of which the gateway did not say what became of them. */
  get #left(): number {
    const told = this.#written + this.#repeated + this.#conflicting + this.#refused;
    return this.#events - told - this.#rejected.count - this.#unknown;
  }

  read({ number, reading }: Line): void {
    if ('event' in reading) this.#events += 1;
    else if ('skipped' in reading) this.#skip(reading.skipped, 1);
    else this.bad(number, reading.reason);
  }

  /** @param lines  the line of each event that was sent */
  delivered({ written, repeated, conflicting, refused, skipped, rejected }: Delivered, lines: readonly number[]): void {
    this.#written += written;
    this.#repeated += repeated;
    this.#conflicting += conflicting;
    this.#refused += refused;
    for (const { kind, count } of skipped) {
      this.#skip(kind, count);
      this.#unknown += count;
    }
    for (const { index, reason } of rejected) this.#rejected.add(lines[index] ?? 0, reason);
  }

  bad(line: number, reason: string): void {
    this.#bad.add(line, reason);
  }

  #skip(kind: string, count: number): void {
    const name = this.#skipped.has(kind) || this.#skipped.size < mostKinds ? kind : 'other kinds';
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + count);
  }

  /** One line for a person. */
  toString(): string {
    const counted: readonly (readonly [number, string])[] = [
      [this.#repeated, 'already there'],
      [this.#conflicting, 'conflicting with what is there, which stands'],
      [this.#refused, 'refused by the store as too old or too far ahead'],
      [this.#rejected.count, `rejected by the gateway (${this.#rejected})`],
      [Math.max(0, this.#left), this.#isKept ? 'not taken, with which the next start goes on' : 'lost'],
    ];
    const parts = [
      `${this.#events} ${this.#events === 1 ? 'event' : 'events'}: ${this.#written} new`,
      ...counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`),
    ];
    const skipped = [...this.#skipped].map(([kind, count]) => `${count} of kind ${JSON.stringify(kind)}`).join(', ');
    const { count } = this.#bad;
    return [
      parts.join(', '),
      ...(skipped === '' ? [] : [`skipped ${skipped}`]),
      ...(count === 0 ? [] : [`${count} bad ${count === 1 ? 'line' : 'lines'} (${this.#bad})`]),
    ].join('; ');
  }
}
