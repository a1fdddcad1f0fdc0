import { keyOf, type Series } from './series.ts';
import type { Sink } from './sink.ts';

/** Writes events as docs/run-events.md has them. */
export class Pen {
  readonly #sink: Sink;
  readonly #now: () => number;
  /** The time of the last event of each series. */
  readonly #last = new Map<string, number>();

  /** @param now  milliseconds since 1970 */
  constructor(sink: Sink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
  }

  /** Now, in milliseconds since 1970. */
  get moment(): number {
    return Math.floor(this.#now());
  }

  /**
   * @param at    what is reported together has one moment
   * @param step  null where there was none yet
   */
  metric(series: Series, at: number, step: number | null, value: number): void {
    // JSON has no word for what is no finite number, and would make null of it.
    const shown = Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
    this.#put('metric', series, at, step, `,"value":${shown}`);
  }

  annotation(series: Series, step: number | null): void {
    this.#put('annotation', series, this.moment, step, '');
  }

  #put(kind: string, series: Series, at: number, step: number | null, value: string): void {
    const { name, metadata } = series.tail;
    const head = `{"kind":"${kind}","ts_ms":${this.#free(kind + keyOf(series), at)}`;
    const index = step === null ? '' : `,"step":${step}`;
    this.#sink.put(`${head}${index},"name":${name}${value}${metadata && `,"metadata":${metadata}`}}`, series.values);
  }

  /** A store holds one value of a series for one millisecond: later ones of the same moment are put a millisecond later. */
  #free(key: string, at: number): number {
    const moment = Math.max(at, (this.#last.get(key) ?? 0) + 1);
    this.#last.set(key, moment);
    return moment;
  }
}
