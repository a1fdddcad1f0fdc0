import type { Labels } from '../domain/series.ts';
import { isCount } from '../readings/blanks.ts';
import type { AnswerOf } from './series-data.ts';

/**
 * The increase of one GPU's counter from its values at the window's edges, summed over its parts; null where only the
 * samples can tell: a reset, a series born inside the window, several series, a value that is no count.
 */
export function plainIncrease(answers: readonly AnswerOf[]): number | null {
  if (answers.some(({ answers: kind }) => kind === 'resets')) return null;
  let increase = 0;
  for (const own of Map.groupBy(answers, ({ part }) => part).values()) {
    const rise = partIncrease(own);
    if (rise === null) return null;
    increase += rise;
  }
  return increase;
}

function partIncrease(answers: readonly AnswerOf[]): number | null {
  const rowsOf = (kind: AnswerOf['answers']) =>
    answers.filter((answer) => answer.answers === kind).flatMap(({ rows }) => rows);
  const last = rowsOf('last');
  // A counter that stands at zero, and never fell, has not risen, however many series show it.
  if (last.every(({ row }) => row.values[0] === 0)) return 0;
  if (last.length > 1) return null;
  const { row, scale } = last[0]!;
  const before = rowsOf('base').find((base) => identity(base.row.labels) === identity(row.labels))?.row.values[0];
  if (before === undefined || !isCount(before) || !isCount(row.values[0]!) || before > row.values[0]!) return null;
  return (row.values[0]! - before) * scale;
}

/** A label set as text, without the metric's name, which some functions drop. */
const identity = (labels: Labels): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => name !== '__name__')
      .sort(),
  );
