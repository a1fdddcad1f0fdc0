import type { Row } from '../domain/series.ts';
import type { ScopedQuery } from '../scope/scope.ts';

/** A question to one island's store. All times are epoch seconds, all steps seconds. */
export type Question =
  /** A vector selector answers one sample a row; a range selector (`m[5m]`) every raw sample of it. */
  | { readonly kind: 'instant'; readonly query: ScopedQuery; readonly time: number }
  | {
      readonly kind: 'range';
      readonly query: ScopedQuery;
      readonly start: number;
      readonly end: number;
      readonly step: number;
    }
  /** Label sets only (`/api/v1/series`): rows come without samples. Several selectors are a union. */
  | { readonly kind: 'series'; readonly match: readonly ScopedQuery[]; readonly start: number; readonly end: number }
  /** The values of one label (`/api/v1/label/<label>/values`), among the series that match. */
  | {
      readonly kind: 'labelValues';
      readonly label: string;
      readonly match: readonly ScopedQuery[];
      readonly start: number;
      readonly end: number;
    };

export interface Answer {
  /** For `labelValues`: one row a value, without samples, its label set `{ [label]: value }`. */
  readonly rows: readonly Row[];
  /** True where the store said that it left something out. Its words are in the log. */
  readonly partial: boolean;
}

/**
 * The port to a store: what the rest of the gateway knows of it.
 *
 * @throws Refusal METRICS_UNAVAILABLE: no answer, 5xx, 3xx, 413, 431, broken off, timed out, not the API, or our query refused
 * @throws Refusal QUERY_TOO_LARGE: the store named a limit of its own, whatever its status
 * @throws Refusal THROTTLED: the store's own 429
 */
export type Ask = (question: Question, signal?: AbortSignal) => Promise<Answer>;
