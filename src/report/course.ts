import type { Metadata } from '../runs/metadata.ts';
import type { Pen } from './pen.ts';
import { type RuntimeKeys, type Series, seriesOf } from './series.ts';

export interface CourseSettings {
  readonly pen: Pen;
  /** A clock that is only ever compared with itself, in milliseconds. */
  readonly elapsed: () => number;
  readonly stages: readonly string[];
  readonly counters: Readonly<Record<string, number>>;
  readonly diagnostics: Readonly<Record<string, number>>;
}

/** What steps and passes of a run have in common: where it stands, and what it has summed up. */
export class Course {
  readonly pen: Pen;
  readonly elapsed: () => number;
  readonly stages: readonly string[];
  /** On every how many steps a diagnostic is sampled, by its name. */
  readonly diagnostics: Readonly<Record<string, number>>;
  /** Running totals. */
  readonly counters: Map<string, number>;
  /** The step begun last; null before the first. */
  step: number | null = null;
  stage: string | undefined;
  /** Its events would not arrive any more. */
  isOver = false;
  trainSeconds = 0;
  #evalMs = 0;
  #evalBegunMs: number | null = null;
  readonly #longestStage: string;

  constructor({ pen, elapsed, stages, counters, diagnostics }: CourseSettings) {
    this.pen = pen;
    this.elapsed = elapsed;
    this.stages = stages;
    this.stage = stages[0];
    this.diagnostics = diagnostics;
    this.counters = new Map(Object.entries(counters));
    const bytes = (stage: string): number => Buffer.byteLength(JSON.stringify(stage));
    this.#longestStage = stages.reduce((long, stage) => (bytes(stage) > bytes(long) ? stage : long), '');
  }

  /** Spent in evaluation passes so far, the open one included: no step is to count it as its own. */
  get evalMs(): number {
    return this.#evalMs + (this.#evalBegunMs === null ? 0 : this.elapsed() - this.#evalBegunMs);
  }

  beginEvaluation(): void {
    this.#evalBegunMs = this.elapsed();
  }

  /** @returns what it took, in milliseconds */
  endEvaluation(): number {
    const ms = this.elapsed() - this.#evalBegunMs!;
    this.#evalMs += ms;
    this.#evalBegunMs = null;
    return ms;
  }

  /** @throws Error: what the caller holds has ended, or the run has */
  checkOpen(isOpen: boolean, what: string): void {
    if (this.isOver) throw new Error('the run has ended; its reporter takes nothing more');
    if (!isOpen) throw new Error(`${what} has ended; it takes nothing more`);
  }

  /** What is added to a metric that is measured now. With one stage there is nothing to tell apart. */
  keys(split: 'train' | 'eval', pass?: string): RuntimeKeys {
    const { stage } = this;
    const isTold = this.stages.length > 1 && stage !== undefined;
    return { split, ...(pass !== undefined && { pass }), ...(isTold && { stage }) };
  }

  /** @throws TypeError */
  series(what: string, name: string, own: Metadata | undefined, keys: RuntimeKeys): Series {
    return seriesOf(what, name, own, keys, this.#longestStage);
  }
}
