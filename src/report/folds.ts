import { keyOf, type Series } from './series.ts';

interface Cell {
  readonly series: Series;
  readonly fold: Fold;
  count: number;
  sum: number;
  /** The sum again, made so small that no number of finite values makes it infinite. */
  smallSum: number;
  min: number;
  max: number;
  last: number;
}

const small = 2 ** -64;

/** How several observations become one number. One that is not finite makes the mean so, and is never left out. */
const results = {
  mean: ({ sum, smallSum, count }: Cell) => (Number.isFinite(sum) ? sum / count : smallSum / count / small),
  sum: ({ sum }: Cell) => sum,
  min: ({ min }: Cell) => min,
  max: ({ max }: Cell) => max,
  last: ({ last }: Cell) => last,
} as const;

export type Fold = keyof typeof results;

/** One number for each series that was observed, in the order of their first observations. */
export class Folds {
  readonly #cells = new Map<string, Cell>();

  add(series: Series, value: number, fold: Fold = 'mean'): void {
    const key = keyOf(series);
    const empty = { series, fold, count: 0, sum: 0, smallSum: 0, min: Infinity, max: -Infinity, last: 0 };
    const cell = this.#cells.get(key) ?? empty;
    this.#cells.set(key, cell);
    cell.count += 1;
    cell.sum += value;
    cell.smallSum += value * small;
    cell.min = Math.min(cell.min, value);
    cell.max = Math.max(cell.max, value);
    cell.last = value;
  }

  get all(): { readonly series: Series; readonly value: number }[] {
    return [...this.#cells.values()].map((cell) => ({ series: cell.series, value: results[cell.fold](cell) }));
  }
}
