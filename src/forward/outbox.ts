import { once } from 'node:events';
import { Batch, valuesIn } from '../report/batch.ts';
import { type Line, type Position, start } from '../runs/lines.ts';

/** What is sent together, and how far its stream was read with it. */
export class Parcel<Source> {
  readonly source: Source;
  readonly batch = new Batch();
  /** The number of the line of each event. */
  readonly lines: number[] = [];
  readonly begun = performance.now();
  readonly from: number;
  upTo: Position;

  constructor(source: Source, from: Position) {
    this.source = source;
    this.from = from.offset;
    this.upTo = from;
  }

  /** Bytes of the stream that it keeps in memory at most: text of a line keeps what was read with it. */
  get weight(): number {
    return this.upTo.offset - this.from;
  }
}

/** A pause after which what came is sent, though there would be room for more. */
const restMs = 1_000;
/** A parcel ends after so many bytes of the stream, however few events they hold. */
const heaviest = 1_048_576;

/** The events that were read and are not taken yet, in order, in a bounded part of memory. */
export class Outbox<Source> {
  readonly #most: number;
  readonly #closed: Parcel<Source>[] = [];
  #open: Parcel<Source> | null = null;
  #source: Source | undefined;
  #at = start;
  #weight = 0;
  #isEnded = false;
  readonly #changes = new EventTarget();

  /** @param most  bytes of the stream */
  constructor(most: number) {
    this.#most = most;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get hasRoom(): boolean {
    return this.#weight < this.#most;
  }

  /** Until enough was taken, or it has ended. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.#isEnded) await once(this.#changes, 'taken');
  }

  /** What is added from now on comes from there. */
  begin(source: Source, from: Position): void {
    this.#close();
    this.#source = source;
    this.#at = from;
  }

  add({ reading, number, end }: Line): void {
    if ('event' in reading) {
      const values = valuesIn(reading.event.metadata);
      if (!this.#parcel().batch.add(reading.text, values)) {
        this.#close();
        this.#parcel().batch.add(reading.text, values);
      }
      this.#parcel().lines.push(number);
    }
    this.readTo({ offset: end, line: number });
  }

  /** All up to there was added, or is no event. */
  readTo(position: Position): void {
    const parcel = this.#parcel();
    this.#weight += position.offset - this.#at.offset;
    this.#at = position;
    parcel.upTo = position;
    if (parcel.weight >= heaviest) this.#close();
  }

  end(): void {
    this.#isEnded = true;
    this.#tell('added');
    this.#tell('taken');
  }

  /** The next to send: once it is full, a second old, or the last; null at the end. */
  async take(): Promise<Parcel<Source> | null> {
    for (;;) {
      const age = this.#open ? performance.now() - this.#open.begun : 0;
      if (this.#closed.length === 0 && this.#open && (this.#isEnded || age >= restMs)) this.#close();
      const parcel = this.#closed.shift();
      if (parcel) {
        this.#weight -= parcel.weight;
        this.#tell('taken');
        return parcel;
      }
      if (this.#isEnded) return null;
      await this.#added(this.#open ? restMs - age : undefined);
    }
  }

  #parcel(): Parcel<Source> {
    if (this.#open === null) {
      this.#open = new Parcel(this.#source!, this.#at);
      this.#tell('added');
    }
    return this.#open;
  }

  #close(): void {
    if (this.#open === null) return;
    this.#closed.push(this.#open);
    this.#open = null;
    this.#tell('added');
  }

  #tell(change: 'added' | 'taken'): void {
    this.#changes.dispatchEvent(new Event(change));
  }

  async #added(withinMs: number | undefined): Promise<void> {
    const late = withinMs === undefined ? undefined : setTimeout(() => this.#tell('added'), withinMs);
    await once(this.#changes, 'added');
    clearTimeout(late);
  }
}
