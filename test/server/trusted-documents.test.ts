import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { toyApp } from './toy-app.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hello = 'query Hello { hello }';
const sized = 'query Sized($first: Int = 3, $size: Size) { count(first: $first, size: $size) }';
const two = 'query A { hello } query B { nothing }';
const all = 'query All { samples(rows: 1) }';
const documents = new Map([hello, sized, two, all].map((text) => [hash(text), text]));
const unknown = hash('query Other { hello }');
const apollo = (sha256Hash: unknown, version = 1) => ({ extensions: { persistedQuery: { version, sha256Hash } } });

async function answerTo(only: boolean, body: object | string, deps: Parameters<typeof toyApp>[0] = {}) {
  const { app, log } = toyApp({ trusted: { documents, only }, ...deps });
  const response =
    typeof body === 'string'
      ? await app.fetch(`http://gateway/graphql?${body}`)
      : await app.fetch('http://gateway/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
  const text = await response.text();
  const { data, errors = [] } = JSON.parse(text) as {
    data?: unknown;
    errors?: { message: string; extensions: object }[];
  };
  return { data, errors, text, log, status: response.status };
}

const refusal = (status: number) => [{ extensions: { code: 'BAD_REQUEST', status } }];

test.each<[string, object | string, unknown]>([
  ['as GraphQL over HTTP has it', { documentId: `sha256:${hash(hello)}` }, { hello: 'world' }],
  ['without the prefix', { documentId: hash(hello) }, { hello: 'world' }],
  ['as Apollo’s clients send it', apollo(hash(hello)), { hello: 'world' }],
  ['with variables', { documentId: hash(sized), variables: { first: 4, size: 'SMALL' } }, { count: 4 }],
  ['with a default of its own', { documentId: hash(sized), variables: { size: 'SMALL' } }, { count: 3 }],
  ['with an operation’s name', { documentId: hash(two), operationName: 'B' }, { nothing: null }],
  ['by GET', `documentId=sha256:${hash(sized)}&variables={"size":"SMALL"}`, { count: 3 }],
  ['by GET, as Apollo does', `extensions=${JSON.stringify(apollo(hash(hello)).extensions)}`, { hello: 'world' }],
])('a document is asked for by its hash: %s', async (_case, body, data) => {
  for (const only of [true, false]) expect(await answerTo(only, body)).toMatchObject({ status: 200, data, errors: [] });
});

test.each<[string, object | string]>([
  ['another document', { query: '{ hello }' }],
  ['a document that is in the manifest, as text', { query: hello }],
  ['a document beside the hash of another', { query: '{ nothing }', documentId: hash(hello) }],
  ['a document beside Apollo’s hash', { query: '{ nothing }', ...apollo(hash(hello)) }],
  ['a document by GET', 'query={hello}'],
  ['introspection', { query: getIntrospectionQuery() }],
  ['what is no text', { query: ['{ hello }'] }],
])('where only trusted documents are answered, %s is refused', async (_case, body) => {
  const refused = await answerTo(true, body);
  expect(refused).toMatchObject({ status: 403, data: undefined, errors: refusal(403) });
  expect(refused.errors[0]!.message).toContain('send documentId');
});

test('elsewhere any document is answered, and beside a hash it is the document that counts', async () => {
  expect((await answerTo(false, { query: '{ nothing }' })).data).toEqual({ nothing: null });
  expect((await answerTo(false, { query: '{ nothing }', documentId: hash(hello) })).data).toEqual({ nothing: null });
  expect((await answerTo(false, { query: '{ __schema { queryType { name } } }' })).errors).toEqual([]);
});

test.each<[string, object | string, RegExp]>([
  ['a hash that is not there', { documentId: unknown }, /No document of the manifest has that hash/],
  ['a hash that is not there, by GET', `documentId=${unknown}`, /No document of the manifest has that hash/],
  ['Apollo’s hash that is not there', apollo(unknown), /No document of the manifest has that hash/],
  ['what every object has', { documentId: 'constructor' }, /No document of the manifest has that hash/],
  ['another digest', { documentId: `md5:${hash(hello)}` }, /No document of the manifest has that hash/],
  ['a hash that is a number', { documentId: 5 }, /documentId/],
  ['no hash', {}, /documentId/],
  ['an empty document', { query: '' }, /documentId/],
  ['Apollo’s hash that is a list', apollo([hash(hello)]), /documentId/],
  ['extensions that are text', { extensions: 'persistedQuery' }, /documentId/],
])('%s is refused, with words that say what to send', async (_case, body, message) => {
  for (const only of [true, false]) {
    const { status, errors } = await answerTo(only, body);
    expect([status, errors]).toMatchObject([400, refusal(400)]);
    expect(errors[0]!.message).toMatch(message);
  }
});

test('a trusted document is held to the limits like any other', async () => {
  const deps = { work: { weights: { 'Query.samples': () => 1 } as never, costOf: () => 1e12 } };
  const { status, errors } = await answerTo(true, { documentId: hash(all) }, deps);
  expect([status, errors]).toMatchObject([422, [{ extensions: { code: 'QUERY_TOO_LARGE' } }]]);
});

test('who may not ask is not told whether a hash is there', async () => {
  const operation = () => {
    throw new Refusal('UNAUTHENTICATED', 'Send a token.');
  };
  const answers = await Promise.all(
    [hash(hello), unknown].map((documentId) => answerTo(true, { documentId }, { operation })),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect(answers[0]!.text).toBe(answers[1]!.text);
});

test('with trusted documents alone nothing is told of the schema: no page, no hint', async () => {
  const { app } = toyApp({ trusted: { documents, only: true }, graphiql: { queries: [hello] }, introspection: true });
  const page = await app.fetch('http://gateway/graphql', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).not.toContain('text/html');
  const wrong = { documentId: hash(sized), variables: { size: 'LRGE' } };
  expect((await answerTo(true, wrong)).text).not.toMatch(/Did you mean|LARGE/);
  expect((await answerTo(false, wrong)).text).toMatch(/Did you mean/);
});

test('a link of another site does not make a browser ask for a document', async () => {
  const { app } = toyApp({ trusted: { documents, only: false } });
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  for (const asked of [`documentId=${hash(hello)}`, `extensions=${JSON.stringify(apollo(hash(hello)).extensions)}`]) {
    expect((await app.fetch(`http://gateway/graphql?${asked}`, { headers })).status).toBe(403);
  }
});
