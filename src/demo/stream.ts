import type { Labels } from '../domain/series.ts';

/** Seconds since the demo started, so negative in the history; `to` is not in it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One series of the demo: who it is, when it exists, and what it reads at any moments of that time. */
export interface Stream {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly labels: Labels;
  /** The machine and the GPU it is about, where it is about one. */
  readonly place?: { readonly node: string; readonly gpu: number | null };
  readonly alive: readonly Span[];
  readonly at: (since: Float64Array) => Float64Array;
}

export const always: readonly Span[] = [{ from: -Infinity, to: Infinity }];

export const isWithin = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ from, to }) => at >= from && at < to);

/** What two sets of spans share. */
export const both = (left: readonly Span[], right: readonly Span[]): Span[] =>
  left.flatMap((a) =>
    right
      .map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
      .filter(({ from, to }) => from < to),
  );

/** Everything but the gaps, which are in order and apart. */
export const outside = (gaps: readonly Span[]): Span[] =>
  [-Infinity, ...gaps.map(({ to }) => to)].map((from, i) => ({ from, to: gaps[i]?.from ?? Infinity }));

/** A stream's `at` from what it reads at one moment. */
export const each = (read: (at: number) => number) => (since: Float64Array) => since.map(read);

/**
 * Remembers the answer for the newest moments asked about. All families of a GPU read the same moments one after the other:
 * its physics is computed once for them.
 */
export function remembered<State>(compute: (since: Float64Array) => State): (since: Float64Array) => State {
  let newest: { since: Float64Array; state: State } | undefined;
  return (since) => {
    if (newest?.since !== since) newest = { since, state: compute(since) };
    return newest.state;
  };
}
