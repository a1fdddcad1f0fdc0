import { bucketMeans, lookbackS } from '../samples/buckets.ts';
import { round6 } from '../samples/round.ts';
import { between, type Stream } from '../samples/stream.ts';
import { summarize } from '../samples/summary.ts';
import type { Window } from '../window/window.ts';
import type { ScaledRow } from './fold.ts';
import type { Part, Step } from './gauge-plan.ts';

/** A series as the schema shows it; parts that were not asked for are left out. */
export interface SeriesData {
  readonly t0: number;
  readonly stepS: number;
  readonly values?: readonly (number | null)[];
  readonly mean?: number;
  readonly min?: number;
  readonly max?: number;
  readonly last?: number;
  /** Epoch seconds. */
  readonly lastAt?: number;
}

/** One answer of the store about one GPU. */
export interface AnswerOf {
  readonly answers: Step['answers'];
  readonly rows: readonly ScaledRow[];
  readonly rank: number;
  /** Of a counter that is several metrics added up, which one. */
  readonly part: string;
}

const hasFigures = (wanted: ReadonlySet<Part>): boolean => wanted.size > (wanted.has('values') ? 1 : 0);

/** Everything from the samples themselves; null where the window holds none. */
export function seriesOfStream(
  stream: Stream,
  wanted: ReadonlySet<Part>,
  window: Window,
  scrapeS: number,
): SeriesData | null {
  const inside = between(stream, window.start, window.end);
  if (inside.times.length === 0) return null;
  const figures = hasFigures(wanted) ? summarize(inside) : null;
  const { t0, stepS } = window;
  const values = wanted.has('values') ? { values: bucketMeans(inside, window, lookbackS(window, scrapeS)) } : {};
  return { t0, stepS, ...figures, ...values };
}

/**
 * What the store's own figures say; null where they cannot be trusted: several series, a value that the reading cannot
 * have, or no sample recent enough to be the last one.
 */
export function seriesOfAggregates(
  answers: readonly AnswerOf[],
  wanted: ReadonlySet<Part>,
  window: Window,
  [low, high]: readonly [number, number],
): SeriesData | null {
  const rowOf = (kind: Step['answers']) => answers.find((answer) => answer.answers === kind)?.rows[0];
  if (answers.some(({ answers: kind, rows }) => kind === 'guard' || kind === 'raw' || rows.length > 1)) return null;
  const kinds = new Set(answers.map(({ answers: kind }) => kind));
  if (kinds.size < answers.length) return null;

  const numbers: Record<string, number> = {};
  for (const part of ['mean', 'min', 'max'] as const) {
    const found = rowOf(part);
    if (!wanted.has(part)) continue;
    const value = found ? found.row.values[0]! * found.scale : NaN;
    if (!(value >= low && value <= high)) return null;
    numbers[part] = round6(value);
  }
  if (wanted.has('last') || wanted.has('lastAt')) {
    const found = rowOf('tail');
    const fits = found?.row.values.every((value) => value * found.scale >= low && value * found.scale <= high);
    const at = (found?.row.values.length ?? 0) - 1;
    if (!found || !fits || at < 0 || found.row.times[at]! <= window.start) return null;
    numbers['last'] = round6(found.row.values[at]! * found.scale);
    numbers['lastAt'] = found.row.times[at]!;
  }
  const { t0, stepS } = window;
  if (!wanted.has('values')) return { t0, stepS, ...numbers };
  const values = bucketsOf([rowOf('firstBucket'), rowOf('values')], window, low, high);
  return values && { t0, stepS, ...numbers, values };
}

/** Each mean into the slot whose end is nearest: a store may answer on a grid of its own. */
function bucketsOf(
  rows: readonly (ScaledRow | undefined)[],
  { t0, stepS, points }: Window,
  low: number,
  high: number,
): (number | null)[] | null {
  const slots = new Float64Array(points).fill(NaN);
  for (const found of rows) {
    if (!found) continue;
    for (let i = 0; i < found.row.times.length; i += 1) {
      const slot = Math.round((found.row.times[i]! - t0) / stepS) - 1;
      const value = found.row.values[i]! * found.scale;
      if (!(value >= low && value <= high)) return null;
      if (slot >= 0 && slot < points) slots[slot] = round6(value);
    }
  }
  const values: (number | null)[] = [];
  for (let i = 0; i < points; i += 1) values.push(Number.isNaN(slots[i]!) ? null : slots[i]!);
  return values;
}
