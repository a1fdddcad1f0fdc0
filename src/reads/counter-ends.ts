import type { Labels } from '../domain/series.ts';
import { isCount } from '../readings/blanks.ts';
import type { AnswerOf } from './series-data.ts';

/**
 * The increase of one GPU's counter from its values at the window's edges, summed over its parts; null where only the
 * samples can tell: a reset, a series born inside the window, several series, a value that is no count.
 */
export function plainIncrease(answers: readonly AnswerOf[]): number | null {
  const rowsOf = (kind: AnswerOf['answers']) => answers.filter((answer) => answer.answers === kind).flatMap(({ rows }) => rows);
  if (rowsOf('resets').length > 0) return null;
  const last = rowsOf('last');
  // A counter that stands at zero, and never fell, has not risen, however many series show it.
  if (last.every(({ row }) => row.values[0] === 0)) return 0;
  const base = new Map(rowsOf('base').map((row) => [identity(row.row.labels), row]));
  const bySource = answers.filter(({ answers: kind }) => kind === 'last');
  if (bySource.some(({ rows }) => rows.length > 1)) return null;
  let increase = 0;
  for (const { row, scale } of last) {
    const before = base.get(identity(row.labels))?.row.values[0];
    if (before === undefined || !isCount(before) || !isCount(row.values[0]!) || before > row.values[0]!) return null;
    increase += (row.values[0]! - before) * scale;
  }
  return increase;
}

/** A label set as text, without the metric's name, which some functions drop. */
export const identity = (labels: Labels): string =>
  JSON.stringify(Object.entries(labels).filter(([name]) => name !== '__name__').sort());
