import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { retryAfterS } from '../../src/prometheus/error-answer.ts';
import type { Question } from '../../src/reads/ask.ts';
import { cutAfter, delay, endAfter, hang, html, refuse, status, type Fault } from '../support/faulty-store.ts';
import { cannedStore, clientOf, manySamples, oneSample, success, temperature, temperatures } from './canned-store.ts';

const apiError = (errorType: string, error: string): string => JSON.stringify({ status: 'error', errorType, error });
const ok = (data: unknown): Fault => status(200, success(data));

async function refusalOf(url: string, question: Question = temperature, timeoutS = 20): Promise<Refusal> {
  const refusal: unknown = await clientOf(url, { timeoutS })
    .ask(question)
    .catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error('no refusal', { cause: refusal });
  return refusal;
}

const unavailable: [string, Fault][] = [
  ['connections closed without an answer', refuse],
  ['500 of the API', status(500, apiError('internal', 'disk on fire at 10.1.2.3'))],
  ['502 of a proxy', status(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })],
  ['503 without a body', status(503)],
  [
    'a query that timed out in the store, as 503',
    status(503, apiError('timeout', 'query timed out in expression evaluation')),
  ],
  ['a query that timed out in the store, as 422', status(422, apiError('execution', 'context deadline exceeded'))],
  ['a redirect, which is not followed', status(302, '', { location: 'http://127.0.0.1:9/login' })],
  ['a permanent redirect', status(308, '', { location: '/elsewhere' })],
  ['401', status(401, 'Unauthorized')],
  ['404 of something else', status(404, '404 page not found')],
  ['413', status(413, 'Request Entity Too Large')],
  ['431', status(431)],
  ['204', status(204)],
  ['a refusal of a query that is ours', status(400, apiError('bad_data', '1:5: parse error: unexpected end of input'))],
  [
    'a failure to execute a query that is ours',
    status(422, apiError('execution', 'found duplicate series for the match group')),
  ],
  ['a page of HTML under 200', html],
  ['an empty body', status(200, '')],
  ['JSON that is not the API', status(200, '{"version":"1.2.3"}')],
  ['JSON that is not an object', status(200, '[]')],
  ['an error under 200', status(200, apiError('internal', 'oops'))],
  ['success without data', status(200, '{"status":"success"}')],
  ['a result type that we never ask for', ok({ resultType: 'string', result: [1, 'a'] })],
  ['a row without a metric', ok({ resultType: 'vector', result: [{ value: [1, '1'] }] })],
  ['a value that is no number', ok({ resultType: 'vector', result: [{ metric: {}, value: [1, 'x'] }] })],
  [
    'a compressed body that nobody asked for',
    (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 8, 0])),
  ],
  ['an answer broken off in its body', cutAfter(40)],
  ['an answer that ends early, as if whole', endAfter(40)],
  ['an answer without its last byte', endAfter(oneSample.length - 1)],
];

test.each(unavailable)('%s: METRICS_UNAVAILABLE', async (_what, fault) => {
  const store = await cannedStore(oneSample);
  store.always(() => fault);
  const refusal = await refusalOf(store.url);
  expect(refusal.code).toBe('METRICS_UNAVAILABLE');
  expect(refusal.message).toBe('The metrics of this cluster could not be read; try again.');
  expect(refusal.cause).toBeInstanceOf(Error);
});

test.each([
  ['broken off', cutAfter(150_000)],
  ['ended early, as if whole', endAfter(150_000)],
  ['without its last byte', endAfter(manySamples(200).length - 1)],
])('a large answer %s: METRICS_UNAVAILABLE', async (_what, fault) => {
  const store = await cannedStore(manySamples(200));
  store.next(fault);
  expect(await refusalOf(store.url, temperatures)).toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(store.requests).toHaveLength(1);
});

test('nobody listening: METRICS_UNAVAILABLE', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const refusal = await refusalOf(`http://127.0.0.1:${port}`);
  expect(refusal.code).toBe('METRICS_UNAVAILABLE');
  expect(refusal.message).not.toContain('127.0.0.1');
});

test('something that is not HTTP: METRICS_UNAVAILABLE, asked once', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', () => socket.end('+OK POP3 ready\r\n'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await refusalOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
    code: 'METRICS_UNAVAILABLE',
  });
  expect(connections).toBe(1);
});

/** Writes as fast as it is read, for as long as somebody reads. */
const endless =
  (beginning: string, piece: string): Fault =>
  (response) => {
    response.writeHead(200);
    response.write(beginning);
    const more = (): void => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
  };
const rows = '{"status":"success","data":{"resultType":"matrix","result":[';
const row = `{"metric":{},"values":[${'[1,"2"],'.repeat(10_000)}[1,"2"]]}`;
const blanks = ' '.repeat(65_536);

test.each([
  ['a body without end', '', blanks, 63],
  ['a label set without end', `${rows}{"metric":{"a":"`, 'x'.repeat(65_536), 0],
  ['no end after its rows', `${rows}${row}]`, blanks, 63],
])('a store that sends %s: METRICS_UNAVAILABLE', async (_what, beginning, piece, mebibytes) => {
  const store = await cannedStore(oneSample);
  store.always(() => endless(beginning, piece));
  const { ask, counts } = clientOf(store.url);
  await expect(ask(temperatures)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(await store.requests[0]!.abandoned).toBe(true);
  expect(counts.responseBytes / 2 ** 20).toBeGreaterThan(mebibytes);
  expect(counts.responseBytes / 2 ** 20).toBeLessThan(mebibytes + 3);
});

const trickle: Fault = (response) => {
  response.writeHead(200);
  const drip = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(drip));
};

test.each([
  ['never answers', hang],
  ['answers too late', delay(5_000)],
  ['drips its body for ever', trickle],
])('a store that %s: METRICS_UNAVAILABLE, asked once', async (_what, fault) => {
  const store = await cannedStore(oneSample);
  store.always(() => fault);
  expect(await refusalOf(store.url, temperature, 0.1)).toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(await store.requests[0]!.abandoned).toBe(true);
  expect(store.requests).toHaveLength(1);
});

test.each([
  [
    400,
    apiError(
      'bad_data',
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution',
    ),
  ],
  [422, apiError('execution', 'query processing would load too many samples into memory in query execution')],
  [422, apiError('422', 'cannot select more than -search.maxSamplesPerQuery=1000000000 samples')],
  [500, 'expanding series: exceeded series limit: limit 1 violated (got 8)'],
  [
    503,
    apiError(
      'internal',
      'the query exceeded the maximum number of chunks (limit: 2 chunks) (err-mimir-max-chunks-per-query)',
    ),
  ],
  [429, apiError('too_many_requests', 'the query hit the max number of series limit (limit: 3 series)')],
  [413, 'the query exceeded the aggregated chunks size limit (limit: 100 bytes)'],
  [200, apiError('execution', 'query processing would load too many samples into memory in query execution')],
])('a limit of the store under %i: QUERY_TOO_LARGE, asked once', async (code, body) => {
  const store = await cannedStore(oneSample);
  store.always(() => status(code, body));
  const refusal = await refusalOf(store.url);
  expect(refusal.code).toBe('QUERY_TOO_LARGE');
  expect(refusal.message).toContain('narrow the window or the selection');
  expect(refusal.message).not.toMatch(/samples|chunks|limit/);
  expect(refusal.cause).toMatchObject({ status: code });
  expect(store.requests).toHaveLength(1);
});

test.each([
  ['7', 7],
  ['1.2', 2],
  ['0', 1],
  ['86400', 3600],
  ['1' + '0'.repeat(23), 3600],
  ['soon', 1],
  [undefined, 1],
])('429 with Retry-After %s: THROTTLED for %i s', async (header, seconds) => {
  const store = await cannedStore(oneSample);
  store.always(() => status(429, 'slow down', header === undefined ? {} : { 'retry-after': header }));
  expect(await refusalOf(store.url)).toMatchObject({ code: 'THROTTLED', details: { retryAfterS: seconds } });
  expect(store.requests).toHaveLength(1);
});

test('a Retry-After that is a date is counted from now, in whole seconds', () => {
  const now = Date.parse('2026-01-15T12:00:00.500Z');
  expect(retryAfterS('Thu, 15 Jan 2026 12:01:00 GMT', now)).toBe(60);
  expect(retryAfterS('Thu, 15 Jan 2026 11:00:00 GMT', now)).toBe(1);
  expect(retryAfterS('Thu, 15 Jan 2099 11:00:00 GMT', now)).toBe(3600);
});
