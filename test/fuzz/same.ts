import type { Answered, Both, Outcome } from './ask.ts';

/**
 * A sum of the same numbers in another order differs in its last digits. Ours are whole numbers below 2^53, so sums are
 * exact; means, deviations and what is computed from them are not.
 */
const RELATIVE = 1e-9;

export const near = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b)));

const allNear = (a: readonly (number | null)[] | null, b: readonly (number | null)[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((value, at) => near(value, b[at]!)));

/** `count_values` writes numbers into labels, with all their digits. */
const steady = (value: string): string =>
  /^-?\d+\.\d+(?:e[+-]\d+)?$/.test(value) ? Number(value).toPrecision(9) : value;

const text = (labels: Readonly<Record<string, string>>, value: (value: string) => string): string =>
  JSON.stringify(
    Object.entries(labels)
      .map(([name, one]) => [name, value(one)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Labels as one text, to the last character. */
export const exactLabels = (labels: Readonly<Record<string, string>>): string => text(labels, (value) => value);

/** The same, equal where the labels are but for the last digits of a mean. */
export const nearLabels = (labels: Readonly<Record<string, string>>): string => text(labels, steady);

/** In the order in which they came: that is part of the answer. */
export const sameSeries = (a: Answered['series'], b: Answered['series']): boolean =>
  a.length === b.length &&
  a.every(
    (one, at) =>
      nearLabels(one.labels) === nearLabels(b[at]!.labels) &&
      near(one.value, b[at]!.value) &&
      allNear(one.values, b[at]!.values),
  );

const sameAnswer = (a: Answered, b: Answered): boolean => {
  const { series: seriesA, value: valueA, ...restA } = a;
  const { series: seriesB, value: valueB, ...restB } = b;
  return JSON.stringify(restA) === JSON.stringify(restB) && near(valueA, valueB) && sameSeries(seriesA, seriesB);
};

export const sameOutcome = (a: Outcome, b: Outcome): boolean => {
  if (JSON.stringify(a.refused) !== JSON.stringify(b.refused)) return false;
  if (a.answered === null || b.answered === null) return a.answered === b.answered;
  return sameAnswer(a.answered, b.answered);
};

export const sameBoth = (a: Both, b: Both): boolean =>
  sameOutcome(a.instant, b.instant) && sameOutcome(a.range, b.range);
