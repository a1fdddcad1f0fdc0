import { firstAfter, type Stream } from '../samples/stream.ts';
import { joined, type Span, within } from './span.ts';

/** What of a step or a pause must lie in the other for the pause to have fallen in the step: clocks differ by a little. */
const shareAtLeast = 0.1;

/** Evaluation passes and checkpoints of a run, each moment of them once, looked up by time. */
export class Pauses {
  readonly #spans: readonly Span[];
  readonly #ends: Float64Array;

  /** @param steps  seconds that each step took, by its end */
  constructor(pauses: readonly Span[], steps: Stream) {
    this.#spans = joined(pauses.map((pause) => withLength(pause, steps)));
    this.#ends = Float64Array.from(this.#spans, ({ to }) => to);
  }

  /** Seconds of them inside a stretch. */
  secondsIn(stretch: Span): number {
    let seconds = 0;
    for (const pause of this.#meeting(stretch)) seconds += lengthOf(within(pause, stretch));
    return seconds;
  }

  /** Whether one fell in a step, so that its time tells nothing of the step's own. One without a length is in it or not. */
  fellIn(step: Span): boolean {
    return this.#meeting(step).some((pause) => {
      const shorter = Math.min(lengthOf(pause), lengthOf(step));
      return shorter === 0 || lengthOf(within(pause, step)) > shareAtLeast * shorter;
    });
  }

  /** Whether all of a step lies in one of them. */
  hold(step: Span): boolean {
    return this.#meeting(step).some(({ from, to }) => from <= step.from && step.to <= to);
  }

  /** Those that end later than a stretch begins, and begin no later than it ends. */
  *#meeting({ from, to }: Span): Generator<Span, undefined> {
    for (let i = firstAfter(this.#ends, from); i < this.#spans.length && this.#spans[i]!.from <= to; i += 1)
      yield this.#spans[i]!;
  }
}

/** One of which only the end is told takes up what lies between it and the step before it, unless it fell in a step. */
function withLength({ from, to }: Span, { times, values }: Stream): Span {
  const next = firstAfter(times, to);
  const before = times[next - 1];
  if (from < to || before === undefined) return { from, to };
  const intoNext = next < times.length ? to - (times[next]! - values[next]!) : 0;
  return intoNext > shareAtLeast * (values[next] ?? 0) ? { from, to } : { from: before, to };
}

const lengthOf = (span: Span | null): number => (span ? span.to - span.from : 0);
