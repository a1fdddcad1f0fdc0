import type { Delivered } from '../report/delivered.ts';
import type { Line } from '../runs/lines.ts';

/** How many bad lines are named. */
const named = 3;
/** Kinds that are told apart; a stream of something else has any number of them. */
const mostKinds = 20;

/** What became of what was read, counted once. */
export class Tally {
  readonly #isKept: boolean;
  #events = 0;
  #written = 0;
  #repeated = 0;
  #conflicting = 0;
  #refused = 0;
  /** Events that the gateway found to be none. */
  #none = 0;
  #bad = 0;
  readonly #firstBad: string[] = [];
  readonly #skipped = new Map<string, number>();

  /** @param isKept  whether what was not taken can be read again */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Whether all that was an event was taken. */
  get isWhole(): boolean {
    return this.#left === 0 && this.#refused === 0;
  }

  /** Events of which the gateway did not say what became of them. */
  get #left(): number {
    return this.#events - this.#written - this.#repeated - this.#conflicting - this.#refused - this.#none;
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
      this.#none += count;
    }
    this.#none += rejected.length;
    for (const { index, reason } of rejected) this.bad(lines[index] ?? 0, reason);
  }

  bad(line: number, reason: string): void {
    this.#bad += 1;
    if (this.#firstBad.length < named) this.#firstBad.push(`line ${line}: ${reason}`);
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
      [Math.max(0, this.#left), this.#isKept ? 'not taken, with which the next start goes on' : 'lost'],
    ];
    const parts = [
      `${this.#events} ${this.#events === 1 ? 'event' : 'events'}: ${this.#written} new`,
      ...counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`),
    ];
    const skipped = [...this.#skipped].map(([kind, count]) => `${count} of kind ${JSON.stringify(kind)}`).join(', ');
    const more = this.#bad > named ? '; ...' : '';
    const bad = `${this.#bad} bad ${this.#bad === 1 ? 'line' : 'lines'} (${this.#firstBad.join('; ')}${more})`;
    return [
      parts.join(', '),
      ...(skipped === '' ? [] : [`skipped ${skipped}`]),
      ...(this.#bad === 0 ? [] : [bad]),
    ].join('; ');
  }
}
