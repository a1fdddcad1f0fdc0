import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { ask, toyApp } from './toy-app.ts';

interface Answer {
  data?: unknown;
  errors?: { message: string; extensions: unknown }[];
}
async function answerTo(query: string, introspection: boolean, variables?: object) {
  const { app } = toyApp({ introspection, graphiql: { queries: ['{ hello }'] } });
  const response = await ask(app, query, variables);
  const text = await response.text();
  return { ...(JSON.parse(text) as Answer), status: response.status, text };
}

test.each([
  ['the whole schema', getIntrospectionQuery()],
  ['a part of it', '{ __schema { queryType { name } } }'],
  ['one type', '{ __type(name: "Query") { name } }'],
  ['one type by another name', '{ hello: __type(name: "Query") { fields { name } } }'],
  ['one type in a fragment', '{ ...F } fragment F on Query { hello t: __type(name: "Size") { enumValues { name } } }'],
])('%s is told where introspection is on, and not where it is off', async (_case, query) => {
  expect((await answerTo(query, true)).errors).toBeUndefined();
  const off = await answerTo(query, false);
  expect([off.status, off.errors![0]!.extensions]).toEqual([400, { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 }]);
  expect(off.data).toBeUndefined();
});

test('the name of a type stays', async () => {
  expect(await answerTo('{ __typename hello }', false)).toMatchObject({
    data: { __typename: 'Query', hello: 'world' },
  });
});

test.each<[string, string, object?]>([
  ['a field', '{ helo }'],
  ['an argument', '{ count(frist: 1) }'],
  ['a type', '{ ... on Qery { hello } }'],
  ['a value', '{ count(size: LRGE) }'],
  ['a value of a variable', 'query($s: Size) { count(size: $s) }', { s: 'LRGE' }],
])('%s that is misspelt is hinted at with introspection alone', async (_case, query, variables) => {
  expect((await answerTo(query, true, variables)).text).toContain('Did you mean');
  const off = await answerTo(query, false, variables);
  expect(off.errors).toHaveLength(1);
  expect(off.text).not.toMatch(/Did you mean|hello|first|LARGE/);
});

test('the page for browsers goes with introspection', async () => {
  const page = (introspection: boolean) =>
    toyApp({ introspection, graphiql: { queries: ['{ hello }'] } }).app.fetch('http://gateway/graphql', {
      headers: { accept: 'text/html' },
    });
  expect((await page(true)).headers.get('content-type')).toContain('text/html');
  expect((await page(false)).headers.get('content-type')).not.toContain('text/html');
});
