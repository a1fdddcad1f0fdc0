import { setImmediate } from 'node:timers/promises';
import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import { type Fence, fenceOf, type FreeForm, freeForm, refuseQuery } from '../scope/free-form.ts';
import type { Window } from '../window/window.ts';
import { QueryNotAccepted, type Question } from './ask.ts';
import { noAnswer, type QueryAnswer, queryAnswer } from './query-answer.ts';
import { clientWords } from './store-words.ts';
import type { Upstream } from './upstream.ts';

export interface QueryRequest {
  /** As the client sent it. */
  readonly query: string;
  readonly instant: boolean;
  readonly window: Window;
  readonly island: string;
  /** The organization's clusters on one island, and whether nobody else's series are in its store. */
  readonly clusters: readonly ClusterSite[];
  readonly exclusive: boolean;
}

/** More series than any answer is made of; reading stops there. */
const mostSeriesRead = 50_000;

/** Refuses a text that is passed on to no store, whoever sends it. @throws Refusal BAD_REQUEST */
export const checkQuery = (query: string): void => refuseUnbounded(freeForm(query, null));

/**
 * A client's own PromQL over its clusters of one island.
 *
 * Upstream: one request; none where the organization has no cluster there.
 *
 * @throws Refusal BAD_REQUEST: refused by us, or by the store in its own words; and as Ask says
 */
export async function readMetricsQuery(upstream: Upstream, request: QueryRequest): Promise<QueryAnswer> {
  const { query, instant, window, island, clusters, exclusive } = request;
  const fence = exclusive ? null : fenceFor(clusters);
  // To read a long query takes milliseconds, and a document may have many.
  await setImmediate();
  const confined = freeForm(query, fence);
  refuseUnbounded(confined);
  if (clusters.length === 0 && !exclusive) return noAnswer(instant);
  const question = questionFor(confined, window, instant);
  const answer = await upstream.answer(island, clusters, 'metricsQuery', question).catch((error: unknown) => {
    if (!(error instanceof QueryNotAccepted)) throw error;
    const words = clientWords(error.words, { query, sent: confined.query, fence, exclusive });
    return refuseQuery('query_rejected', `was not accepted by the store: ${words}`);
  });
  return { ...queryAnswer(answer, instant ? null : window, confined.outermost), sent: confined.query };
}

function fenceFor(clusters: readonly ClusterSite[]): Fence | null {
  const fence = fenceOf(clusters);
  if (fence !== null || clusters.length === 0) return fence;
  throw new Refusal(
    'BAD_REQUEST',
    'The clusters of this island are not told apart by the values of one label, so a query cannot be confined to them. Ask for their readings by field, or ask the operator for one label that names the cluster.',
  );
}

function refuseUnbounded({ outermost }: FreeForm): void {
  if (outermost.kind === 'range') {
    const hint = 'wrap it in what makes one number of them, such as avg_over_time() or rate()';
    refuseQuery('query_result', `answers with every raw sample of a range, which has no bound; ${hint}.`);
  }
  if (outermost.kind === 'text') refuseQuery('query_result', 'answers with a text, not with numbers; select a metric.');
}

/** The grid of a range is inclusive, and anchored at the end as that of the buckets is. */
function questionFor({ query, fence }: FreeForm, { t0, end, stepS, points }: Window, instant: boolean): Question {
  const ofClient = { mostSamples: mostSeriesRead * (instant ? 1 : points + 1), fence };
  return instant
    ? { kind: 'instant', query, time: end, ofClient }
    : { kind: 'range', query, start: t0, end, step: stepS, ofClient };
}
