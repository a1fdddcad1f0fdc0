import type { Labels, Row } from '../domain/series.ts';
import type { Window } from '../window/window.ts';

/** The most series of an answer. */
export const mostSeries = 100;

/** One series of an answer: values on the window's grid, or the one value at its end. */
export interface AnswerSeries {
  readonly labels: Labels;
  readonly values: readonly (number | null)[] | null;
  readonly value: number | null;
}

type Order = 'ascending' | 'descending' | null;

/**
 * The series that are shown: the first hundred by their labels, or by value where the client sorted them.
 *
 * @param window  null for an answer at one instant
 * @returns       and how many of their values are no finite number; those are null
 */
export function answerSeries(
  rows: readonly Row[],
  window: Window | null,
  order: Order,
): { shown: readonly AnswerSeries[]; nonFinite: number } {
  let nonFinite = 0;
  const finite = (value: number): number | null => {
    if (Number.isFinite(value)) return value;
    nonFinite += 1;
    return null;
  };
  const shown = inOrder(rows, window === null ? order : null)
    .slice(0, mostSeries)
    .map((row): AnswerSeries => {
      if (window === null) return { labels: row.labels, values: null, value: finite(row.values[0] ?? NaN) };
      return { labels: row.labels, values: onGrid(row, window, finite), value: null };
    });
  return { shown, nonFinite };
}

function inOrder(rows: readonly Row[], order: Order): Row[] {
  const keyed = rows.map((row) => ({ row, key: labelsKey(row.labels), value: row.values[0] ?? NaN }));
  const byLabels = (a: (typeof keyed)[0], b: (typeof keyed)[0]): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  const sign = order === 'descending' ? -1 : 1;
  keyed.sort((a, b) => {
    if (order === null || Object.is(a.value, b.value)) return byLabels(a, b);
    // What is not a number stands last in either direction, as the stores have it.
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return Number.isNaN(a.value) ? 1 : -1;
    return sign * (a.value - b.value) || byLabels(a, b);
  });
  return keyed.map(({ row }) => row);
}

const labelsKey = (labels: Labels): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A store that answers on a grid of its own is put back on ours: each value into the nearest slot. */
function onGrid(
  { times, values }: Row,
  { t0, stepS, points }: Window,
  finite: (value: number) => number | null,
): (number | null)[] {
  const slots: (number | null)[] = Array.from({ length: points + 1 }, () => null);
  times.forEach((time, i) => {
    const slot = Math.round((time - t0) / stepS);
    if (slot >= 0 && slot <= points) slots[slot] = finite(values[i]!);
  });
  return slots;
}
