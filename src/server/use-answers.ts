import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ClientError } from './client-error.ts';
import { eventStream } from './event-stream.ts';
import { jsonPieces } from './json-pieces.ts';
import { eventType, mediaTypeFor, mediaTypes, wantsEvents } from './media-type.ts';

type ResultProcess = NonNullable<Plugin['onResultProcess']>;
type ResultProcessor = Parameters<Parameters<ResultProcess>[0]['setResultProcessor']>[0];

/** The answer on the wire: its status, its headers, and a body that never keeps the process from other requests. */
export const useAnswers = (pingMs?: number): Plugin => ({
  onResultProcess({ request, result, setResultProcessor, serverContext }) {
    const accept = request.headers.get('accept');
    const inStream =
      Symbol.asyncIterator in result ? asResults(result) : wantsEvents(accept) ? inOneEvent(result) : null;
    if (inStream) {
      const { res } = serverContext as { readonly res?: ServerResponse };
      return setResultProcessor(
        eventsOf(inStream, pingMs, () => res?.destroy()),
        eventType,
      );
    }
    const mediaType = wantsEvents(accept) ? 'application/json' : mediaTypeFor(accept);
    setResultProcessor(mediaType === null ? notAcceptable : answer, mediaType ?? '');
  },
});

const answer: ResultProcessor = (result, fetchAPI, mediaType) => {
  const { errors, data, ...rest } = result as ExecutionResult;
  const refusals = (errors ?? []) as unknown as readonly ClientError[];
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    ...allow(refusals),
    ...refusalHeaders(refusals),
  };
  const body = bodyOf({ ...(refusals.length > 0 && { errors }), ...(data !== undefined && { data }), ...rest });
  return new fetchAPI.Response(body as BodyInit, { status: statusOf(data, refusals), headers });
};

const asResults = (result: object): AsyncIterator<object> => (result as AsyncIterable<object>)[Symbol.asyncIterator]();

/** Null for a refusal that is of who asks, and when, rather than of what: there the status tells a client whether to come back. */
function inOneEvent(result: object): AsyncIterator<object> | null {
  const { errors = [], data } = result as ExecutionResult;
  const [first] = errors as unknown as readonly ClientError[];
  if (data === undefined && first && statusesBeforeStream.has(first.extensions.status)) return null;
  return (async function* () {
    yield result;
  })();
}
const statusesBeforeStream = new Set([401, 405, 406, 415, 429, 503]);

/** Proxies that gather an answer before they pass it on would keep events back. */
const eventHeaders = {
  'Content-Type': `${eventType}; charset=utf-8`,
  'Cache-Control': 'private, no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** @param cut  closes the connection: a client that takes nothing would keep it open */
const eventsOf =
  (results: AsyncIterator<object>, pingMs: number | undefined, cut: () => void): ResultProcessor =>
  (_result, fetchAPI) => {
    const stream = eventStream(results, pingMs);
    stream.once('close', () => {
      if (!stream.readableEnded) cut();
    });
    return new fetchAPI.Response(stream as unknown as BodyInit, { status: 200, headers: eventHeaders });
  };

const notAcceptable: ResultProcessor = (_result, fetchAPI) =>
  new fetchAPI.Response(`Answers are ${mediaTypes.join(' or ')}; accept one of them.\n`, { status: 406 });

/** The refusal's only where nothing was answered: a client that looks at the status alone must not drop readings. */
function statusOf(data: ExecutionResult['data'], [first]: readonly ClientError[]): number {
  const answered = Object.values(data ?? {}).some((field) => field !== null);
  return first === undefined || answered ? 200 : first.extensions.status;
}

/** What HTTP wants beside a refusal: when to come again, or how to say who asks. */
export const refusalHeaders = (refusals: readonly ClientError[]): Record<string, string> => ({
  ...retryAfter(refusals),
  ...challenge(refusals),
});

function retryAfter(refusals: readonly ClientError[]): { 'Retry-After'?: string } {
  const waits = refusals
    .filter(({ extensions }) => extensions.code === 'THROTTLED')
    .map(({ extensions }) => Number(extensions['retryAfterS'] ?? 1));
  return waits.length > 0 ? { 'Retry-After': String(Math.ceil(Math.max(1, ...waits))) } : {};
}

const allow = ([first]: readonly ClientError[]): { Allow?: string } =>
  first?.extensions.status === 405 ? { Allow: 'GET, POST' } : {};

/** What HTTP wants of a 401. */
const challenge = ([first]: readonly ClientError[]): { 'WWW-Authenticate'?: string } =>
  first?.extensions.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};

/** Text where one piece holds it, else a stream that lets other requests in between pieces. */
function bodyOf(value: object): string | Readable {
  const pieces = jsonPieces(value);
  const first = pieces.next();
  const second = pieces.next();
  if (second.done) return first.value ?? '';
  return Readable.from(inTurns([first.value!, second.value], pieces), { objectMode: false });
}

async function* inTurns(started: readonly string[], rest: Iterable<string>): AsyncGenerator<Buffer> {
  for (const pieces of [started, rest]) {
    for (const piece of pieces) {
      yield Buffer.from(piece);
      await setImmediate();
    }
  }
}
