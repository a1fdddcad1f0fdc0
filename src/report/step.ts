import type { Metadata } from '../runs/metadata.ts';
import { counterName, diagnosticName, rateName, runtime, trainObjective } from '../runs/names.ts';
import { checkNumber, checkOwnName } from './author.ts';
import type { Course } from './course.ts';
import { type Fold, Folds } from './folds.ts';
import type { RuntimeKeys } from './series.ts';

/** What a device tells of a step. */
export interface StepEnd {
  /** What the step took, where the caller measured it better than the time from `step` to `end`. */
  readonly seconds?: number;
  /** High-water mark of live bytes of the device's allocator since the start. Leave it out on a CPU. */
  readonly peakBytes?: number;
}

/** One training step, from its first batch to the end of its update. Nothing is reported before `end`. */
export class Step {
  readonly index: number;
  readonly #course: Course;
  readonly #onEnd: () => void;
  readonly #keys: RuntimeKeys;
  readonly #begunMs: number;
  readonly #evalMsBefore: number;
  readonly #folds = new Folds();
  readonly #diagnostics = new Folds();
  readonly #grown = new Map<string, number>();
  #isOpen = true;

  constructor(index: number, course: Course, onEnd: () => void) {
    this.index = index;
    this.#course = course;
    this.#onEnd = onEnd;
    this.#keys = course.keys('train');
    this.#begunMs = course.elapsed();
    this.#evalMsBefore = course.evalMs;
  }

  /**
   * Observes a number of one microbatch. The step reports the mean of all that were observed under this name and metadata.
   *
   * @returns the value, so that it can stand in an expression
   * @throws  TypeError: no event could carry that name or metadata
   */
  metric(name: string, value: number, metadata?: Metadata): number {
    this.#checkOpen();
    checkOwnName(name);
    return this.#observe('metric', name, value, metadata, this.#folds);
  }

  /** Observes the objective of one microbatch: `train/objective`, averaged over the step. */
  objective(value: number): number {
    this.#checkOpen();
    return this.#observe('objective', trainObjective, value, undefined, this.#folds);
  }

  /**
   * Observes a diagnostic, where it was selected and this step is one of its sampled ones: `diagnostics/<name>`.
   *
   * @param value     as a function it is only computed where it is wanted
   * @param metadata  `param` is the update group that the value belongs to
   * @param fold      how several of one step become one
   */
  diagnostic(
    name: string,
    value: number | (() => number),
    metadata?: Metadata & { readonly param?: string },
    fold: Fold = 'mean',
  ): void {
    this.#checkOpen();
    const { diagnostics } = this.#course;
    const full = diagnosticName(name);
    // What is wrong is told on the first step, not on the first sampled one.
    this.#course.series('diagnostic', full, metadata, this.#keys);
    if (!Object.hasOwn(diagnostics, name) || this.index % diagnostics[name]! !== 0) return;
    this.#observe('diagnostic', full, typeof value === 'function' ? value() : value, metadata, this.#diagnostics, fold);
  }

  /** Adds to a counter: `counter/<counter>` and `rate/<counter>`, which every later step reports too. */
  count(counter: string, amount: number): void {
    this.#checkOpen();
    checkNumber('counter', counter, amount);
    if (amount < 0)
      throw new RangeError(`counter ${JSON.stringify(counter)}: it only goes up, and ${amount} is below 0`);
    for (const name of [counterName(counter), rateName(counter)])
      this.#course.series('counter', name, undefined, this.#keys);
    this.#grown.set(counter, (this.#grown.get(counter) ?? 0) + amount);
  }

  /** Reports the step. Let the device finish what it has begun before this is called. */
  end({ seconds = this.#seconds(), peakBytes }: StepEnd = {}): void {
    this.#checkOpen();
    checkNumber('step', String(this.index), seconds);
    if (peakBytes !== undefined) checkNumber('step', String(this.index), peakBytes);
    this.#isOpen = false;
    const at = this.#course.pen.moment;
    this.#course.trainSeconds += seconds;
    for (const { series, value } of [...this.#folds.all, ...this.#diagnostics.all])
      this.#course.pen.metric(series, at, this.index, value);
    this.#reportCounters(at, seconds);
    this.#report(runtime.stepSeconds, at, seconds);
    this.#report(runtime.trainSeconds, at, this.#course.trainSeconds);
    if (peakBytes !== undefined) this.#report(runtime.peakBytes, at, peakBytes);
    this.#onEnd();
  }

  #seconds(): number {
    const { elapsed, evalMs } = this.#course;
    return (elapsed() - this.#begunMs - (evalMs - this.#evalMsBefore)) / 1000;
  }

  #reportCounters(at: number, seconds: number): void {
    const { counters } = this.#course;
    for (const [counter, amount] of this.#grown) counters.set(counter, (counters.get(counter) ?? 0) + amount);
    for (const [counter, total] of counters) {
      this.#report(counterName(counter), at, total);
      this.#report(rateName(counter), at, (this.#grown.get(counter) ?? 0) / seconds);
    }
  }

  #report(name: string, at: number, value: number): void {
    const series = this.#course.series('metric', name, undefined, this.#keys);
    this.#course.pen.metric(series, at, this.index, value);
  }

  #observe(
    what: string,
    name: string,
    value: number,
    metadata: Metadata | undefined,
    into: Folds,
    fold?: Fold,
  ): number {
    checkNumber(what, name, value);
    into.add(this.#course.series(what, name, metadata, this.#keys), value, fold);
    return value;
  }

  #checkOpen(): void {
    this.#course.checkOpen(this.#isOpen, `step ${this.index}`);
  }
}
