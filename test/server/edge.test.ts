import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { bodyLimit } from '../../src/server/app.ts';
import { ask, onSocket, toyApp } from './toy-app.ts';

const get = (path: string, headers: Record<string, string> = {}, deps = {}): Promise<Response> =>
  Promise.resolve(toyApp(deps).app.fetch(`http://gateway${path}`, { headers }));

test('queries may be asked with GET', async () => {
  const response = await get('/graphql?query={hello}');
  expect(await response.json()).toEqual({ data: { hello: 'world' } });
});

test.each([
  ['a process that lives', '/healthz', {}, 200, ''],
  ['stores that answer', '/readyz', {}, 200, 'ready'],
  ['a store that does not answer', '/readyz', { ready: () => Promise.resolve(false) }, 503, 'not ready'],
  ['a check that fails', '/readyz', { ready: () => Promise.reject(new Error('http://secret')) }, 503, 'not ready'],
  ['another path', '/', {}, 404, '/graphql'],
  ['a prefix that nobody gave', '/x/graphql', {}, 404, '/graphql'],
])('%s: %s', async (_case, path, deps, status, words) => {
  const response = await get(path, {}, deps);
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.stringContaining(words)]);
  expect(text).not.toContain('secret');
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test.each([
  ['nothing', undefined, 200, 'application/json; charset=utf-8'],
  ['anything', '*/*', 200, 'application/json; charset=utf-8'],
  [
    'both forms',
    'application/json, application/graphql-response+json',
    200,
    'application/graphql-response+json; charset=utf-8',
  ],
  ['pictures', 'image/png', 406, expect.anything()],
])('a client that accepts %s', async (_what, accept, status, type) => {
  const response = await get('/graphql?query={hello}', accept === undefined ? {} : { accept });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
});

test('browsers get a page where it is on, with the query to start from', async () => {
  const page = await get('/graphql', { accept: 'text/html' }, { graphiql: { queries: ['{ hello } # first'] } });
  expect(await page.text()).toContain('{ hello } # first');
  const off = await get('/graphql', { accept: 'text/html' });
  expect(off.headers.get('content-type')).not.toContain('text/html');
});

test.each([
  ['no query', '{}', 400],
  ['no JSON', '{', 400],
  ['several operations at once', '[{"query":"{hello}"},{"query":"{hello}"}]', 400],
])('a body with %s is refused with a code and its status', async (_what, body, status) => {
  const response = await toyApp().app.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { errors } = (await response.json()) as { errors: { extensions: unknown }[] };
  expect([response.status, errors[0]!.extensions]).toEqual([status, { code: 'BAD_REQUEST', status }]);
});

test.each([
  ['variables', '?query={hello}&variables=x', {}],
  ['extensions', '?query={hello}&extensions={', {}],
  ['a list of variables', '?query={hello}&variables=[1]', {}],
])('%s that cannot be read are the client’s mistake', async (_what, search, init) => {
  const { app, log } = toyApp();
  const response = await app.fetch(`http://gateway/graphql${search}`, init);
  const { errors } = (await response.json()) as { errors: { message: string; extensions: unknown }[] };
  expect([response.status, errors[0]!.extensions]).toEqual([400, { code: 'BAD_REQUEST', status: 400 }]);
  expect(errors[0]!.message).toContain('variables');
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});

test.each([
  ['text', 'text/plain', '{ hello }'],
  // What any page can make a browser send, and what curl sends when nobody says otherwise.
  ['a form', 'application/x-www-form-urlencoded', 'query={hello}'],
  ['JSON called a form', 'application/x-www-form-urlencoded', '{"query":"{hello}"}'],
])('a body that is %s is told which kind is right', async (_what, type, body) => {
  const response = await toyApp().app.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(response.status).toBe(415);
  expect(await response.text()).toContain('application/json');
});

const post = (port: number, body: string, chunked: boolean): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) }),
    };
    const sent = httpRequest({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

test.each([
  ['that says how long it is', false],
  ['that does not', true],
])('a body above the limit %s is QUERY_TOO_LARGE', async (_which, chunked) => {
  const port = await onSocket(toyApp().app);
  const { status, text } = await post(port, JSON.stringify({ query: `{ hello } #${'x'.repeat(bodyLimit)}` }), chunked);
  expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([422, 'QUERY_TOO_LARGE']);
  expect(text).toContain('1 MiB');
});

test('a client that hangs up aborts its operation, and the log holds no failure', async () => {
  const seen = vi.fn<(reason: unknown) => void>();
  const { app, log } = toyApp(
    {},
    {
      slow: (_root, _args, { request }) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => {
            seen(request.signal.reason);
            reject(request.signal.reason as Error);
          });
        }),
    },
  );
  const port = await onSocket(app);
  const client = new AbortController();
  const answer = fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{slow}"}',
    signal: client.signal,
  });
  await sleep(100);
  expect(seen).not.toHaveBeenCalled();
  client.abort();
  await expect(answer).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(seen).toHaveBeenCalledOnce());
  await sleep(20);
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('an operation that ends in its own time is never aborted', async () => {
  const aborted = vi.fn<() => void>();
  const { app } = toyApp(
    {},
    {
      quick: async (_root, _args, { request }) => {
        request.signal.addEventListener('abort', aborted);
        await sleep(20);
        return 'done';
      },
    },
  );
  const port = await onSocket(app);
  const response = await fetch(`http://127.0.0.1:${port}/graphql?query={quick}`);
  expect(await response.json()).toEqual({ data: { quick: 'done' } });
  await sleep(50);
  expect(aborted).not.toHaveBeenCalled();
});

test('the log has a line for every answer, without its query', async () => {
  const { app, log } = toyApp();
  await ask(app, '{ hello missing }');
  expect(log).toEqual([{ level: 'info', event: 'answer', status: 200, ms: expect.any(Number), codes: ['NOT_FOUND'] }]);
});
