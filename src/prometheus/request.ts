import type { Question } from '../reads/ask.ts';

/** One HTTP request to a store, relative to its base address. Equal questions give equal requests. */
export interface StoreRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Form parameters: the body of a POST, the query string of a GET. */
  readonly form: string;
  /** The answer may come zipped: label sets that are much alike, twenty times smaller so. Samples are not worth the work. */
  readonly zips?: true;
}

/** Stores read seconds with a fraction; three digits are all that they keep. */
const seconds = (value: number): string => value.toFixed(3);

/** The request that asks `question`. POST, because a selector of many names outgrows what a URL may hold. */
export function requestFor(question: Question, timeoutS: number): StoreRequest {
  const form = new URLSearchParams();
  switch (question.kind) {
    case 'instant':
      form.set('query', question.query);
      form.set('time', seconds(question.time));
      break;
    case 'range':
      form.set('query', question.query);
      form.set('start', seconds(question.start));
      form.set('end', seconds(question.end));
      form.set('step', seconds(question.step));
      break;
    case 'series':
    case 'labelValues':
      for (const selector of question.match) form.append('match[]', selector);
      form.set('start', seconds(question.start));
      form.set('end', seconds(question.end));
      break;
  }
  const fence = 'ofClient' in question ? question.ofClient?.fence : null;
  // VictoriaMetrics confines a query to these itself; of the two names it heeds either, so neither is left to others.
  for (const name of fence ? ['extra_filters[]', 'extra_filters'] : []) form.set(name, fence!);
  // VictoriaMetrics moves start and end onto a grid of its own, to be able to cache, unless told not to.
  form.set('nocache', '1');
  // A store that knows when nobody waits any more stops working.
  form.set('timeout', String(timeoutS));
  return { ...endpointOf(question), form: form.toString() };
}

function endpointOf(question: Question): Omit<StoreRequest, 'form'> {
  switch (question.kind) {
    case 'instant':
      return { method: 'POST', path: '/api/v1/query' };
    case 'range':
      return { method: 'POST', path: '/api/v1/query_range' };
    case 'series':
      return { method: 'POST', path: '/api/v1/series', zips: true };
    case 'labelValues':
      // The one endpoint that Prometheus serves by GET only.
      return { method: 'GET', path: `/api/v1/label/${encodeURIComponent(question.label)}/values` };
  }
}
