import { quote } from '../promql/text.ts';
import type { ScopedQuery } from './scope.ts';

// PromQL takes these names bare; any other must be left out, since old stores cannot quote one.
const labelName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `count by (a, b) (query)`. */
export function groupedBy(
  operator: 'count' | 'max' | 'min' | 'sum' | 'group',
  labels: readonly string[],
  query: ScopedQuery,
): ScopedQuery {
  return `${operator} by (${listOf(labels)}) (${query})` as ScopedQuery;
}

const listOf = (labels: readonly string[]): string =>
  [...new Set(labels)].filter((name) => labelName.test(name)).join(', ');

/** The metric's name copied into a label: set operators and most functions ignore the name itself. */
export const labelled = (label: string, query: ScopedQuery): ScopedQuery =>
  `label_replace(${query}, ${quote(label)}, "$1", "__name__", "(.+)")` as ScopedQuery;

/** Every row with one more label, the same on all. */
export const tagged = (label: string, value: string, query: ScopedQuery): ScopedQuery =>
  `label_replace(${query}, ${quote(label)}, ${quote(value)}, "", "")` as ScopedQuery;

/** All rows of several small answers. On large ones the store would take far longer than for one request each. */
export const unionOf = (queries: readonly ScopedQuery[]): ScopedQuery =>
  queries.map((query) => `(${query})`).join(' or ') as ScopedQuery;

/** How many series have each value, the value printed into a label. */
export const countedByValue = (label: string, by: readonly string[], query: ScopedQuery): ScopedQuery =>
  `count_values by (${listOf(by)}) (${quote(label)}, ${query})` as ScopedQuery;
