import { expect, test } from 'vitest';
import { toyApp } from './toy-app.ts';

const friend = 'https://grafana.example';
const stranger = 'https://evil.example';
const query = '/graphql?query={hello}';

async function send(headers: Record<string, string>, { path = query, init = {}, url = 'http://gateway:4000' } = {}) {
  const { app, log } = toyApp({ corsOrigins: [friend], graphiql: { queries: ['{ hello }'] } });
  const response = await app.fetch(`${url}${path}`, { headers, ...init });
  return { status: response.status, headers: response.headers, text: await response.text(), log };
}

const post = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site', origin: stranger },
  body: '{"query":"{hello}"}',
};
const form = { ...post, headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', origin: 'null' } };

test.each<[string, Record<string, string>, object?]>([
  ['a picture on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a picture of the page for browsers', { 'sec-fetch-site': 'cross-site', accept: 'text/html' }, { path: '/graphql' }],
  ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
  ['a page that is not in the list', { 'sec-fetch-site': 'cross-site', origin: stranger }],
  ['a site that cannot be', { 'sec-fetch-site': 'none, cross-site' }],
  ['an origin alone', { origin: stranger }],
  ['a sandboxed page', { origin: 'null' }],
  ['our name as another scheme’s', { origin: 'http://gateway:4001' }],
  ['our name as a part', { origin: 'http://gateway:4000.evil.example' }],
  ['an origin that begins as a friend', { origin: `${friend}.evil.example` }],
  ['a friend of another port', { origin: `${friend}:8443` }],
  ['a link with a query', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' }],
  ['a preflight', { origin: stranger, 'access-control-request-method': 'POST' }, { init: { method: 'OPTIONS' } }],
  ['a POST', {}, { path: '/graphql', init: post }],
  ['a form', {}, { path: '/graphql', init: form }],
  [
    'a form that goes there',
    {},
    { path: '/graphql', init: { ...form, headers: { ...form.headers, 'sec-fetch-mode': 'navigate' } } },
  ],
])('%s is refused before it is read', async (_case, headers, more = {}) => {
  const init = (more as { init?: object }).init;
  const answer = await send(headers, { ...more, init: { headers, ...init } });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    403,
    {
      errors: [
        { message: expect.stringContaining('http.corsOrigins'), extensions: { code: 'BAD_REQUEST', status: 403 } },
      ],
    },
  ]);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.log).toEqual([expect.objectContaining({ status: 403 })]);
});

test.each<[string, Record<string, string>, object?]>([
  ['curl', {}],
  ['a typed address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://gateway:4000' }],
  ['our own page, in an old browser', { origin: 'http://gateway:4000' }],
  ['our own page, before which a proxy speaks TLS', { origin: 'https://gateway' }, { url: 'http://gateway:443' }],
  ['our own page at the usual port', { origin: 'https://gateway' }, { url: 'http://gateway' }],
  ['a page in the list', { 'sec-fetch-site': 'cross-site', origin: friend }],
  ['a page in the list, in an old browser', { origin: friend }],
])('%s may ask', async (_case, headers, more = {}) => {
  expect(await send(headers, more)).toMatchObject({ status: 200, text: '{"data":{"hello":"world"}}' });
});

test('a link from another site leads to the page for browsers', async () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };
  const page = await send(link, { path: '/graphql' });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

const preflight = (origin: string) =>
  send(
    {},
    { path: '/graphql', init: { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } } },
  );

test('a page in the list is told what it may send, and reads the answer without cookies', async () => {
  const asked = await preflight(friend);
  expect([asked.status, asked.text]).toEqual([204, '']);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'access-control-allow-origin': friend,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept, X-Gpuql-Cost, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    vary: 'Origin',
  });
  const answer = await send({ 'sec-fetch-site': 'cross-site', origin: friend });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': friend,
    'access-control-expose-headers': 'Retry-After',
    vary: 'Origin',
  });
  for (const { headers } of [asked, answer]) expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('without a list there is no word of other sites', async () => {
  const { app } = toyApp();
  for (const init of [{}, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }]) {
    const { headers } = await app.fetch(`http://gateway${query}`, init);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual([]);
  }
});
