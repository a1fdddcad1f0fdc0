import { type Outermost, refuseQuery } from '../scope/free-form.ts';
import type { Window } from '../window/window.ts';
import type { Answer } from './ask.ts';
import { type AnswerSeries, answerSeries } from './query-series.ts';

export interface QueryAnswer {
  readonly resultType: 'MATRIX' | 'VECTOR' | 'SCALAR';
  readonly series: readonly AnswerSeries[];
  /** Of a scalar. */
  readonly value: number | null;
  readonly seriesTotal: number;
  /** Values that JSON has no number for; they are null. */
  readonly nonFinite: number;
  readonly partial: boolean;
  /** What the store remarked on the query: it makes no sense of a quantile above 1, say. */
  readonly remarks: readonly string[];
  /** What the store was sent; null where it was not asked. */
  readonly sent: string | null;
}

/** Of an organization that has nothing there. */
export const noAnswer = (instant: boolean): QueryAnswer => ({
  resultType: instant ? 'VECTOR' : 'MATRIX',
  series: [],
  value: null,
  seriesTotal: 0,
  nonFinite: 0,
  partial: false,
  remarks: [],
  sent: null,
});

/**
 * What a store answered, as clients read it.
 *
 * @param window  null for an answer at one instant
 * @throws        Refusal BAD_REQUEST: no numbers, or without a bound
 */
export function queryAnswer(answer: Answer, window: Window | null, outermost: Outermost): Omit<QueryAnswer, 'sent'> {
  const { rows, partial, resultType, histograms, remarks = [] } = answer;
  const instant = window === null;
  if (histograms) {
    const hint =
      'make numbers of them with histogram_quantile(), histogram_count(), histogram_sum() or histogram_avg()';
    refuseQuery('query_result', `answers with native histograms; ${hint}.`);
  }
  if (instant && resultType === 'matrix') {
    refuseQuery('query_result', 'answers an instant with a range; use rate() or avg_over_time().');
  }
  const { shown, nonFinite } = answerSeries(rows, window, outermost.order);
  if (instant && (resultType === 'scalar' || outermost.kind === 'number')) {
    const value = shown[0]?.value ?? null;
    return { ...noAnswer(instant), resultType: 'SCALAR', value, nonFinite: value === null ? 1 : 0, partial, remarks };
  }
  return { ...noAnswer(instant), series: shown, seriesTotal: rows.length, nonFinite, partial, remarks };
}
