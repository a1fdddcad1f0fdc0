import type { Matcher } from '../domain/matcher.ts';
import { anyOf, literally, selector } from '../promql/text.ts';

declare const scoped: unique symbol;
/** PromQL text that is confined to clusters of one organization. Only scope/ can make one. */
export type ScopedQuery = string & { readonly [scoped]: true };

/** The matchers that mean "this cluster" at its store; empty only where the store serves that cluster alone. */
export interface Scope {
  readonly matchers: readonly Matcher[];
}

/** One metric of one cluster. A metric of null leaves the name to the matchers. */
export const select = (scope: Scope, metric: string | null, matchers: readonly Matcher[] = []): ScopedQuery =>
  selector(metric, [...scope.matchers, ...matchers]) as ScopedQuery;

/** Any alert of the store, for the one question whether it records alerts; what it answers is counted, never shown. */
export const anyAlerting = selector('ALERTS', []) as ScopedQuery;

/** Several metrics of one cluster. */
export const selectAny = (scope: Scope, metrics: readonly string[], matchers: readonly Matcher[] = []): ScopedQuery =>
  select(scope, null, [{ label: '__name__', op: '=~', value: anyOf(metrics) }, ...matchers]);

/** A label that has one of these values, each taken literally. */
export const oneOf = (label: string, values: Iterable<string>): Matcher => ({
  label,
  op: '=~',
  value: anyOf([...values].sort()),
});

/** A label that has one of these values, or begins with one of these prefixes, each taken literally. */
export const oneOfOrBegins = (label: string, values: Iterable<string>, prefixes: Iterable<string>): Matcher => ({
  label,
  op: '=~',
  value: [...[...values].sort().map(literally), ...[...prefixes].sort().map((prefix) => `${literally(prefix)}.*`)].join(
    '|',
  ),
});

/** PromQL around queries that are confined already; what is spliced in is a confined query or a number, never text. */
export function promql(
  text: TemplateStringsArray,
  ...parts: readonly (ScopedQuery | number | Duration)[]
): ScopedQuery {
  return String.raw(
    { raw: text },
    ...parts.map((part) => (typeof part === 'number' ? number(part) : part)),
  ) as ScopedQuery;
}

declare const length: unique symbol;
/** The text of a PromQL duration. */
export type Duration = string & { readonly [length]: true };

const milliseconds = (seconds: number): Duration => `${Math.round(seconds * 1000)}ms` as Duration;

/** A range that holds the samples of `(t - seconds, t]`. Prometheus 2 closes a range at both ends, so it is a millisecond short. */
export const since = (seconds: number): Duration => milliseconds(seconds - 0.001);

/** A span as it is, for offsets and the steps of subqueries. */
export const span = (seconds: number): Duration => milliseconds(seconds);

// PromQL reads exponents, but has no word for a JavaScript infinity.
function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`PromQL has no number ${value}`);
  return value < 0 ? `(${value})` : `${value}`;
}
