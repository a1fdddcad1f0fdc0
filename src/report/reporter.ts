import type { Metadata } from '../runs/metadata.ts';
import { annotations } from '../runs/names.ts';
import { checkStep } from './author.ts';
import type { Course } from './course.ts';
import { Pass } from './pass.ts';
import { seriesOf } from './series.ts';
import type { Sink } from './sink.ts';
import type { State } from './state.ts';
import { Step } from './step.ts';
import { type Outcome, type Summary, summaryOf } from './summary.ts';

/** Reports one run, from one process. */
export class Reporter {
  /** Where numbers go, as it was printed at the start. */
  readonly metrics: string;
  readonly #sink: Sink;
  readonly #course: Course;
  readonly #state: State;
  readonly #onSummary: (summary: Summary) => void;
  #step: Step | null = null;
  #pass: Pass | null = null;
  #ended: Promise<Summary> | null = null;

  constructor(sink: Sink, course: Course, state: State, onSummary: (summary: Summary) => void) {
    this.metrics = sink.place;
    this.#sink = sink;
    this.#course = course;
    this.#state = state;
    this.#onSummary = onSummary;
    this.#show('started');
  }

  /** Events that are on their way: reported, and neither delivered nor lost so far. */
  get pending(): number {
    const { events, delivered, lost } = this.#sink.tally;
    return events - delivered - lost;
  }

  /** Begins a step, before its first batch. A run that was resumed may repeat steps. */
  step(index: number): Step {
    this.#checkOpen();
    checkStep(index);
    if (this.#step) throw new Error(`step ${this.#step.index} has not ended; end it before step ${index} begins`);
    this.#course.step = index;
    this.#step = new Step(index, this.#course, () => {
      this.#step = null;
      this.#show('training', false);
    });
    return this.#step;
  }

  /**
   * Begins an evaluation pass at the step begun last. Within a step it is not counted as the step's time.
   *
   * @param name  what tells it from other passes: `eval`, `probe`
   */
  evaluation(name: string): Pass {
    this.#checkOpen();
    if (this.#pass) throw new Error(`the evaluation pass ${JSON.stringify(this.#pass.name)} has not ended`);
    this.#pass = new Pass(name, this.#course, () => {
      this.#pass = null;
      this.#show('training');
    });
    this.#show('evaluating');
    return this.#pass;
  }

  /** Observes a number in whatever is open, the pass or else the step: for code that runs in both, like a model. */
  metric(name: string, value: number, metadata?: Metadata): number {
    this.#checkOpen();
    const open = this.#pass ?? this.#step;
    if (!open) throw new Error(`metric ${JSON.stringify(name)}: neither a step nor an evaluation pass is open`);
    return open.metric(name, value, metadata);
  }

  /** The stage of the curriculum from here on, one of those that were named at the start. A step keeps the one that it began in. */
  enterStage(name: string): void {
    this.#checkOpen();
    const { stages } = this.#course;
    if (!stages.includes(name))
      throw new RangeError(`there is no stage ${JSON.stringify(name)}; there are: ${stages.join(', ') || 'none'}`);
    this.#course.stage = name;
    this.#show('training');
  }

  /** A checkpoint, when it has been written; `seconds` is how long that took. */
  checkpoint(metadata?: Metadata & { readonly seconds?: number }): void {
    this.annotate(annotations.checkpoint, metadata);
  }

  /** Something that happened. */
  annotate(name: string, metadata?: Metadata): void {
    this.#checkOpen();
    this.#course.pen.annotation(seriesOf('annotation', name, metadata), this.#course.step);
    this.#show('training');
  }

  /** Adds to the state of the run that the status file has, and the gateway keeps. What the reporter writes there itself stays. */
  status(state: Readonly<Record<string, unknown>>): void {
    this.#checkOpen();
    this.#state.say(state);
    this.#show('training');
  }

  /** The run did what it was to do. Waits up to thirty seconds for what is still to be sent. */
  finish(metadata?: Metadata): Promise<Summary> {
    return this.#end('finished', metadata);
  }

  /** The run stops before its end. Waits as `finish` does. */
  interrupt(metadata?: Metadata): Promise<Summary> {
    return this.#end('interrupted', metadata);
  }

  /** With `await using`: who leaves without `finish` was interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
  }

  async #end(outcome: Outcome, metadata?: Metadata): Promise<Summary> {
    if (this.#ended) return this.#ended;
    const series = seriesOf('annotation', annotations[outcome], metadata);
    this.#course.pen.annotation(series, this.#course.step);
    this.#course.isOver = true;
    this.#show(outcome);
    this.#ended = this.#close(outcome);
    return this.#ended;
  }

  async #close(outcome: Outcome): Promise<Summary> {
    await this.#sink.close();
    const summary = summaryOf(this.metrics, this.#sink.tally, { ...this.#course, outcome });
    const { kind: _, outcome: phase, ...rest } = summary;
    this.#state.close({ phase, ...rest });
    this.#onSummary(summary);
    return summary;
  }

  #show(phase: 'started' | 'training' | 'evaluating' | Outcome, isNews = true): void {
    const { step, stage } = this.#course;
    this.#state.show({ phase, step, ...(stage !== undefined && { stage }) }, isNews);
  }

  #checkOpen(): void {
    this.#course.checkOpen(true, 'the run');
  }
}
