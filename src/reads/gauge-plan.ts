import { type Duration, promql, since, type ScopedQuery } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import type { Question } from './ask.ts';

/** What a client can select of a series. */
export const parts = ['values', 'mean', 'min', 'max', 'last', 'lastAt'] as const;
export type Part = (typeof parts)[number];

/** A request of the plan, and which part its rows answer. `guard` names series with a value outside the range. */
export interface Step {
  readonly answers: Part | 'firstBucket' | 'tail' | 'guard' | 'raw' | 'base' | 'resets' | 'moved';
  readonly question: Question;
}

// Few samples to a bucket: sending them is as cheap as averaging them, and they answer everything at once.
const fewForValues = 4;
const fewForValuesAndFigures = 16;
const tailS = 300;

/** Whether raw samples are the cheaper way to answer these parts. */
export function wantsRaw(wanted: ReadonlySet<Part>, window: Window, scrapeS: number): boolean {
  if (!wanted.has('values')) return false;
  const perBucket = Math.max(window.stepS, 1.5 * scrapeS) / scrapeS;
  const figures = (['mean', 'min', 'max'] as const).filter((part) => wanted.has(part)).length;
  return perBucket <= (figures > 0 ? fewForValuesAndFigures : fewForValues);
}

export const rawStep = (selector: ScopedQuery, window: Window): Step => ({
  answers: 'raw',
  question: instant(promql`${selector}[${since(window.end - window.start)}]`, window.end),
});

/** The store's own means and figures: one request a part, and a guard against values that spoil them. */
export function aggregateSteps(
  selector: ScopedQuery,
  wanted: ReadonlySet<Part>,
  window: Window,
  scrapeS: number,
  [low, high]: readonly [number, number],
): Step[] {
  const { start, end, stepS, points, t0 } = window;
  const whole = since(end - start);
  const steps: Step[] = [];
  const ask = (answers: Step['answers'], query: ScopedQuery, time = end) =>
    steps.push({ answers, question: instant(query, time) });
  if (wanted.has('values')) {
    const query = promql`avg_over_time(${selector}[${since(stepS)}])`;
    // The first bucket may begin before the window; what lies there must not count.
    const clipped = t0 < start;
    const first = t0 + stepS;
    if (clipped) ask('firstBucket', promql`avg_over_time(${selector}[${since(first - start)}])`, first);
    if (points > 1 || !clipped) {
      const from = clipped ? first + stepS : first;
      steps.push({ answers: 'values', question: { kind: 'range', query, start: from, end, step: stepS } });
    }
  }
  if (wanted.has('mean')) ask('mean', promql`avg_over_time(${selector}[${whole}])`);
  if (wanted.has('min')) ask('min', promql`min_over_time(${selector}[${whole}])`);
  if (wanted.has('max')) ask('max', promql`max_over_time(${selector}[${whole}])`);
  if (wanted.has('last') || wanted.has('lastAt')) ask('tail', promql`${selector}[${tail(window, scrapeS)}]`);
  const guarded = wanted.has('min') && wanted.has('max');
  if (!guarded && (['values', 'mean', 'min', 'max'] as const).some((part) => wanted.has(part))) {
    ask(
      'guard',
      promql`(max_over_time(${selector}[${whole}]) > ${high}) or (min_over_time(${selector}[${whole}]) < ${low})`,
    );
  }
  return steps;
}

/** Long enough for the newest sample of anything that is not silent. */
const tail = ({ start, end }: Window, scrapeS: number): Duration =>
  since(Math.min(end - start, Math.max(tailS, 3 * scrapeS)));

const instant = (query: ScopedQuery, time: number): Question => ({ kind: 'instant', query, time });
