import type { Metadata } from '../runs/metadata.ts';
import { curriculumStage, runtime } from '../runs/names.ts';
import { checkNumber, checkOwnName } from './author.ts';
import type { Course } from './course.ts';
import { Folds } from './folds.ts';
import type { RuntimeKeys } from './series.ts';

/** One number of an evaluation pass, as it was reported. */
export interface Average {
  readonly name: string;
  readonly value: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** One evaluation pass. Nothing is reported before `end`. */
export class Pass {
  readonly name: string;
  readonly #course: Course;
  readonly #onEnd: () => void;
  readonly #keys: RuntimeKeys;
  readonly #step: number | null;
  readonly #folds = new Folds();
  #isOpen = true;

  constructor(name: string, course: Course, onEnd: () => void) {
    this.name = name;
    this.#course = course;
    this.#onEnd = onEnd;
    this.#keys = course.keys('eval', name);
    this.#step = course.step;
    course.series('evaluation', runtime.evalSeconds, undefined, this.#keys);
    course.beginEvaluation();
  }

  /**
   * Observes a number of one batch. The pass reports the mean of all that were observed under this name and metadata.
   *
   * @returns the value
   * @throws  TypeError: no event could carry that name or metadata
   */
  metric(name: string, value: number, metadata?: Metadata): number {
    this.#checkOpen();
    checkOwnName(name);
    checkNumber('metric', name, value);
    this.#folds.add(this.#course.series('metric', name, metadata, this.#keys), value);
    return value;
  }

  /**
   * Reports the pass, at the step that was begun last.
   *
   * @returns its averages, for whoever decides by them how the training goes on
   */
  end(): readonly Average[] {
    this.#checkOpen();
    this.#isOpen = false;
    const course = this.#course;
    const ms = course.endEvaluation();
    const at = course.pen.moment;
    const averages = this.#folds.all;
    for (const { series, value } of averages) course.pen.metric(series, at, this.#step, value);
    this.#report(runtime.evalSeconds, at, ms / 1000);
    this.#report(curriculumStage, at, Math.max(0, course.stages.indexOf(course.stage ?? '')));
    this.#onEnd();
    return averages.map(({ series: { name, metadata }, value }) => ({ name, value, metadata }));
  }

  #report(name: string, at: number, value: number): void {
    const series = this.#course.series('metric', name, undefined, this.#keys);
    this.#course.pen.metric(series, at, this.#step, value);
  }

  #checkOpen(): void {
    this.#course.checkOpen(this.#isOpen, `the evaluation pass ${JSON.stringify(this.name)}`);
  }
}
