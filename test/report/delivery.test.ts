import { expect, test } from 'vitest';
import { Batch, batchLimits } from '../../src/report/batch.ts';
import { pauseMs } from '../../src/report/backoff.ts';
import { createDelivery } from '../../src/report/deliver.ts';
import { endpointOf } from '../../src/report/destination.ts';
import { answer, broken, type Fault, fakeGateway, plain, refuse } from '../support/fake-gateway.ts';

const event = (step: number): string =>
  JSON.stringify({ kind: 'metric', ts_ms: 1_764_573_000_001, step, name: 'a', value: 1 });
const events = (count: number): string[] => Array.from({ length: count }, (_, step) => event(step));
const whole = { written: 0, repeated: 0, conflicting: 0, refused: 0, skipped: [], rejected: [], note: null };

async function delivering(options: { token?: string; url?: (url: string) => string; signal?: AbortSignal } = {}) {
  const gateway = await fakeGateway();
  const said: string[] = [];
  const { url = (text: string) => text, token, signal } = options;
  const destination = { url: url(gateway.url), cluster: 'c', run: 'r', ...(token && { token }) };
  const delivery = createDelivery(destination, { say: (line) => said.push(line), ...(signal && { signal }) });
  return { gateway, said, delivery, [Symbol.asyncDispose]: () => gateway.close() };
}

test.each<[string, Fault]>([
  ['a broken connection', broken],
  ['503 of a proxy', plain(503)],
  ['502', plain(502)],
  ['an error of the gateway', refuse(500, 'INTERNAL_SERVER_ERROR', 'oops')],
  ['METRICS_UNAVAILABLE', refuse(503, 'METRICS_UNAVAILABLE', 'The store does not answer.')],
  ['AUTHENTICATION_UNAVAILABLE', refuse(503, 'AUTHENTICATION_UNAVAILABLE', 'No keys.')],
  ['THROTTLED beside another answer', refuse(200, 'THROTTLED', 'Too much.', { retryAfterS: 1 })],
  ['429 of a proxy', plain(429, { 'retry-after': '1' })],
])('after %s the same is sent again, and it is said once', async (_, fault) => {
  await using at = await delivering();
  at.gateway.fail(fault);
  expect(await at.delivery.send(events(3))).toEqual({ ...whole, written: 3 });
  expect(at.gateway.requests).toHaveLength(2);
  expect(at.gateway.requests[0]!.variables).toEqual(at.gateway.requests[1]!.variables);
  expect(at.said).toHaveLength(2);
});

test('a gateway that is not there is waited for', async () => {
  const gone = await fakeGateway();
  await gone.close();
  const delivery = createDelivery({ url: gone.url, cluster: 'c', run: 'r' }, { say: () => {} });
  const sent = delivery.send(events(1));
  await new Promise((resolve) => void setTimeout(resolve, 700));
  await using back = await fakeGateway(gone.port);
  expect(await sent).toMatchObject({ written: 1 });
  expect(back.steps()).toEqual([0]);
});

test('the waits double to half a minute, and never undercut what was asked for', () => {
  expect([1, 2, 3, 7, 8, 1_000].map((failures) => pauseMs(failures, 0, 0))).toEqual([
    500, 1_000, 2_000, 30_000, 30_000, 30_000,
  ]);
  expect(pauseMs(3, 0, 1)).toBe(1_000);
  expect(pauseMs(1, 45_000, 0)).toBe(45_000);
  expect(pauseMs(1, 45_000, 1)).toBeGreaterThan(45_000);
  expect(pauseMs(1, 1e12, 0)).toBe(3_600_000);
});

test.each<[string, Fault]>([
  ['QUERY_TOO_LARGE', refuse(422, 'QUERY_TOO_LARGE', 'Too many events.')],
  ['413', plain(413)],
])('%s halves what is sent, and places stay what they were', async (_, tooLarge) => {
  await using at = await delivering();
  at.gateway.failAlways((response, reported) => {
    const sent = reported.variables.events!;
    if (sent.length > 3) return tooLarge(response, reported);
    const index = sent.findIndex(({ step }) => step === 8);
    const rejected = index < 0 ? [] : [{ index, reason: 'no' }];
    return answer(response, { written: sent.length - rejected.length, rejected });
  });
  expect(await at.delivery.send(events(10))).toEqual({ ...whole, written: 9, rejected: [{ index: 8, reason: 'no' }] });
});

test('one event that is too large by itself is rejected, and the rest is not', async () => {
  await using at = await delivering();
  at.gateway.failAlways((response, reported) =>
    reported.variables.events!.some(({ step }) => step === 2)
      ? refuse(422, 'QUERY_TOO_LARGE', 'Too large.')(response, reported)
      : answer(response, { written: reported.variables.events!.length }),
  );
  expect(await at.delivery.send(events(5))).toMatchObject({
    written: 4,
    rejected: [{ index: 2, reason: 'Too large.' }],
  });
});

test.each<[string, Fault, RegExp]>([
  ['UNAUTHENTICATED', refuse(401, 'UNAUTHENTICATED', 'No token.'), /No token\. Set GPUQL_TOKEN/],
  ['NOT_FOUND', refuse(404, 'NOT_FOUND', 'There is no cluster "c".'), /no cluster "c"/],
  ['BAD_REQUEST', refuse(422, 'BAD_REQUEST', 'It takes no runs.'), /takes no runs/],
  ['a page', plain(200), /no gpuql gateway/],
  ['404', plain(404), /no GraphQL at this address/],
  ['a redirection', plain(301, { location: 'http://elsewhere/' }), /redirection/],
  ['401 of a proxy', plain(401), /GPUQL_TOKEN/],
  ['an answer of another question', (response) => void response.end('{"data":{"a":1}}'), /no gpuql gateway/],
])('%s is not tried again, and says what to change', async (_, fault, words) => {
  await using at = await delivering();
  at.gateway.failAlways(fault);
  await expect(at.delivery.send(events(2))).rejects.toThrow(words);
  expect(at.gateway.requests).toHaveLength(1);
  await expect(at.delivery.send(events(2))).rejects.toMatchObject({ name: 'NotTaken' });
});

test('what was taken before a part was not is told', async () => {
  await using at = await delivering();
  at.gateway.fail(refuse(422, 'QUERY_TOO_LARGE', 'x'), (response) => answer(response, { written: 2 }), plain(404));
  await expect(at.delivery.send(events(4))).rejects.toMatchObject({ name: 'NotTaken', delivered: { written: 2 } });
});

test('a signal ends the waiting', async () => {
  const stop = new AbortController();
  await using at = await delivering({ signal: stop.signal });
  at.gateway.failAlways(plain(503));
  const sent = at.delivery.send(events(1));
  setTimeout(() => stop.abort(), 100);
  await expect(sent).rejects.toMatchObject({ name: 'Undelivered' });
});

test('a state goes with its events, and by itself where both are too much', async () => {
  await using at = await delivering();
  const status = { at: 5, state: { loss: 1 } };
  await at.delivery.send(events(1), status);
  expect(at.gateway.requests[0]!.variables).toMatchObject({ status, events: [{ step: 0 }] });
  at.gateway.fail(refuse(422, 'QUERY_TOO_LARGE', 'x'));
  await at.delivery.send(events(2), status);
  const [, , first, second] = at.gateway.requests.map(({ variables }) => variables);
  expect([first!.events!.length, first!.status, second!.events!.length, second!.status]).toEqual([
    2,
    undefined,
    0,
    status,
  ]);
});

test('secrets are in headers alone', async () => {
  const token = 'very-secret-token';
  const echo: Fault = (response, { authorization }) =>
    refuse(422, 'BAD_REQUEST', `You sent ${authorization} hunter2 h%40.`)(response, {} as never);
  await using bearer = await delivering({ token, url: (url) => url.replace('//', '//ann:hunter2@') });
  bearer.gateway.failAlways(echo);
  const failed = bearer.delivery.send(events(1));
  await expect(failed).rejects.toThrow(/You sent Bearer \*\*\* \*\*\*/);
  expect(bearer.gateway.requests[0]!.authorization).toBe(`Bearer ${token}`);
  await using basic = await delivering({ url: (url) => url.replace('//', '//ann:hunter2@').replace('/graphql', '/') });
  await basic.delivery.send(events(1));
  expect(basic.gateway.requests[0]!.authorization).toBe(`Basic ${Buffer.from('ann:hunter2').toString('base64')}`);
  expect(basic.gateway.requests[0]!.path).toBe('/graphql');
});

test.each([
  ['http://h:1', 'http://h:1/graphql'],
  ['http://h:1/', 'http://h:1/graphql'],
  ['http://h:1/graphql', 'http://h:1/graphql'],
  ['https://h/team/', 'https://h/team/graphql'],
])('%s is %s', (url, address) => {
  expect(endpointOf({ url }).address).toBe(address);
});

test.each(['', 'localhost:4000', 'ftp://x', 'http://'])('"%s" is no address of a gateway', (url) => {
  expect(() => endpointOf({ url })).toThrow(/The gateway's URL/);
});

test('a token with the end of a line is told', () => {
  expect(() => endpointOf({ url: 'http://h', token: 'secret\n' })).toThrow(/end of a line/);
});

test('a batch has no more than a gateway takes', () => {
  const many = new Batch();
  for (let i = 0; i < batchLimits.events; i += 1) expect(many.add('{}', 9)).toBe(true);
  expect(many.add('{}', 1)).toBe(false);
  const values = new Batch();
  for (let i = 0; i < 100; i += 1) expect(values.add('{}', 45)).toBe(true);
  expect(values.add('{}', 1)).toBe(false);
  const long = new Batch();
  expect(long.add('x'.repeat(batchLimits.codeUnits * 2), 9)).toBe(true);
  expect(long.add('x', 9)).toBe(false);
});

test('what a gateway says is shown on one line, at most 1,000 characters of it, and without secrets', async () => {
  await using at = await delivering({ token: 'sekret-token' });
  const evil = `Bearer sekret-token \u001b[2J\n${'x'.repeat(5_000)}`;
  at.gateway.fail((response) =>
    answer(response, { note: evil, skipped: [{ kind: evil, count: 1 }], rejected: [{ index: 0, reason: evil }] }),
  );
  const { note, skipped, rejected } = await at.delivery.send(events(2));
  for (const shown of [note!, skipped[0]!.kind, rejected[0]!.reason]) {
    expect(shown).toMatch(/^Bearer \*\*\* {2}\[2J x+$/);
    expect(shown).toHaveLength(1_000);
  }
});

test.each([
  ['fetch', { fetch }],
  ['HTTP by itself', {}],
])('an answer without end is no answer, by %s', async (_, by) => {
  await using gateway = await fakeGateway();
  gateway.failAlways((response) => {
    const more = (): void => {
      while (response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const delivery = createDelivery({ url: gateway.url, cluster: 'c', run: 'r' }, { say: () => {}, ...by });
  await expect(delivery.send(events(1))).rejects.toThrow(/no gpuql gateway/);
});
