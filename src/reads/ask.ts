import type { Row } from '../domain/series.ts';
import type { ScopedQuery } from '../scope/scope.ts';

/** A question to one island's store. All times are epoch seconds, all steps seconds. */
export type Question =
  /** A vector selector answers one sample a row; a range selector (`m[5m]`) every raw sample of it. */
  | {
      readonly kind: 'instant';
      readonly query: ScopedQuery;
      readonly time: number;
      readonly ofClient?: OfClient;
      readonly most?: number;
    }
  | {
      readonly kind: 'range';
      readonly query: ScopedQuery;
      readonly start: number;
      readonly end: number;
      readonly step: number;
      readonly ofClient?: OfClient;
      /** Samples. Reading stops there, where clients write what is asked about: QUERY_TOO_LARGE. */
      readonly most?: number;
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

/** What a question has besides whose query is a client's own. */
export interface OfClient {
  /** Reading stops there: QUERY_TOO_LARGE. */
  readonly mostSamples: number;
  /** What every selector is confined to, for stores that can confine a query themselves; null where all is the client's. */
  readonly fence: ScopedQuery | null;
}

/** The store did not accept a client's query. Its words can name what is not the client's. */
export class QueryNotAccepted extends Error {
  readonly words: string;

  constructor(words: string) {
    super('The store did not accept the query');
    this.name = 'QueryNotAccepted';
    this.words = words;
  }
}

export interface Answer {
  /** For `labelValues`: one row a value, without samples, its label set `{ [label]: value }`. */
  readonly rows: readonly Row[];
  /** True where the store said that it left something out. Its words are in the log. */
  readonly partial: boolean;
  /** What the store remarked on a client's query, in its own words: it answered all of it. */
  readonly remarks?: readonly string[];
  /** For instant and range questions. */
  readonly resultType?: 'matrix' | 'vector' | 'scalar';
  /** Some row held native histograms, which are no numbers; they are left out. */
  readonly histograms?: true;
}

/** What a question cost: the store's client counts into it, unless somebody else's same question was under way already. */
export interface Spent {
  /** Nobody else's was: what it costs is counted here. */
  begun: boolean;
  /** When the first request was sent, on the clock of `performance.now()`. */
  sentAt: number | null;
  requests: number;
  samples: number;
  /** Of bodies, as they came. */
  bytes: number;
}

/**
 * The port to a store: what the rest of the gateway knows of it.
 *
 * @throws Refusal METRICS_UNAVAILABLE: no answer, 5xx, 3xx, 413, 431, broken off, timed out, not the API, or our query refused
 * @throws Refusal QUERY_TOO_LARGE: the store named a limit of its own, whatever its status
 * @throws Refusal THROTTLED: the store's own 429
 * @throws QueryNotAccepted: the store refused a query that is a client's
 */
export type Ask = (question: Question, signal?: AbortSignal, spent?: Spent) => Promise<Answer>;
