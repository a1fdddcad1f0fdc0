import type { Sink } from './sink.ts';
import type { WriteState } from './status-file.ts';

/** A state that only counts steps is written no more often. */
const everyMs = 1_000;

/** The single state of a run as it is now: what the reporter knows, beside what the author says. */
export class State {
  readonly #sink: Sink;
  readonly #write: WriteState | null;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  #author: Readonly<Record<string, unknown>> = {};
  #shownAt = -Infinity;

  constructor(sink: Sink, clock: { now: () => number; elapsed: () => number }, write: WriteState | null) {
    this.#sink = sink;
    this.#write = write;
    this.#now = clock.now;
    this.#elapsed = clock.elapsed;
  }

  /** @throws TypeError: JSON cannot hold it */
  say(state: Readonly<Record<string, unknown>>): void {
    // A copy: it is sent later, and the caller may go on with the object.
    this.#author = { ...this.#author, ...(JSON.parse(JSON.stringify(state)) as Record<string, unknown>) };
  }

  /** @param isNews  false where only a step was added */
  show(own: Readonly<Record<string, unknown>>, isNews: boolean): void {
    if (!isNews && this.#elapsed() - this.#shownAt < everyMs) return;
    this.#shownAt = this.#elapsed();
    const at = Math.floor(this.#now());
    const state = { ...this.#author, metrics: this.#sink.place, ...own, ts_ms: at };
    this.#write?.(state);
    this.#sink.show({ at, state }, isNews);
  }

  /** Into the file alone: what became of the events is known when all has been sent. */
  close(own: Readonly<Record<string, unknown>>): void {
    this.#write?.({ ...this.#author, ...own, ts_ms: Math.floor(this.#now()) });
  }
}
