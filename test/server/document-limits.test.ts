import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSchema, parse } from 'graphql';
import { readConfig } from '../../src/config.ts';
import { sizeOf } from '../../src/server/document-size.ts';
import { variablesSize } from '../../src/server/variables-size.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const configOf = (limits: object, tokens: readonly string[] = []) =>
  JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
    organizations: [{ name: 'acme', tokens, clusters: [{ name: 'a', island: 'north', vendor: 'nvidia' }] }],
    limits,
  });

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ config: configOf({}) });
});
afterAll(() => gateway?.close());

const many = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(' ');
const round = (times: number): string => `${'gpus { node { '.repeat(times)}name${' } }'.repeat(times)}`;
const doubling = `{ ...f0 } ${many(60, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`)} fragment f60 on Query { a: __typename }`;

describe('a document that is too large is refused, and nothing is asked', () => {
  test.each([
    ['long', `{ organization { name } } # ${'x'.repeat(65_536)}`, 'has 65,564 characters, 28 more than the 65,536'],
    ['of many tokens', `{ organization { ${'name '.repeat(9_996)}} }`, 'has 10,001 tokens, 1 more than the 10,000'],
    ['of many tokens, which does not even parse', '{'.repeat(10_002), 'has 10,002 tokens, 2 more than'],
    ['nested further than it can be parsed', `{ cluster(name: ${'['.repeat(3000)}`, 'brackets within brackets'],
    ['round in circles', `{ cluster(name: "a") { nodes { nodes { ${round(6)} } } } }`, 'fields of an answer'],
    [
      'deep',
      `{ cluster(name: "a") { ${'node(name: "n") { cluster { '.repeat(12)}name${' } }'.repeat(12)} } }`,
      'has 26 levels of fields within fields, 2 more than the 24',
    ],
    [
      'of many aliases',
      `{ organization { ${many(1001, (i) => `a${i}: name`)} } }`,
      'has 1,001 aliases, 1 more than the 1,000',
    ],
    [
      'of many aliases of __typename',
      `{ organization { ${many(1002, (i) => `a${i}: __typename`)} } }`,
      'has 1,002 aliases, 2 more',
    ],
    ['of many root fields', `{ ${many(51, (i) => `a${i}: __typename`)} }`, 'has 51 root fields, 1 more than the 50'],
    ['doubling sixty times', doubling, 'aliases'],
    [
      'of many fragments',
      `{ organization { ${many(151, (i) => `...f${i}`)} } } ${many(151, (i) => `fragment f${i} on Organization { name }`)}`,
      'has 151 fragments, 1 more than the 150',
    ],
    ['of many variables', `query (${many(201, (i) => `$v${i}: Int`)}) { organization { name } }`, 'has 201 variables'],
    [
      'saying the same again and again',
      `{ organization { ${'name '.repeat(200)} } }`,
      'pairs of fields of the same name',
    ],
    ['the same below the same', `{ ${'organization { name name } '.repeat(49)} }`, 'pairs of fields of the same name'],
    [
      'of the same fragments in many places',
      `{ organization { ${many(90, (i) => `a${i}: clusters { ...f }`)} } } fragment f on Cluster { ${'name '.repeat(600)} }`,
      'fields with its fragments written out',
    ],
    [
      'costly',
      `{ ${many(20, (i) => `a${i}: cluster(name: "a", window: { range: LAST_7D, points: ${i + 1} }) { flags { clean } }`)} }`,
      'of work for the stores',
    ],
  ])('%s', async (_kind, text, words) => {
    const { data, errors, status } = await gateway.query(text);
    expect(errors).toHaveLength(1);
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining(words),
      extensions: { code: 'QUERY_TOO_LARGE', status: 422 },
    });
    expect(errors![0]!.message, 'what to change').toMatch(/allowed\. \w.*\.$/);
    expect([data ?? null, status, gateway.requests()]).toEqual([null, 422, []]);
  });
});

test.each([
  ['documentTokens', 100, `{ organization { ${'name '.repeat(96)}} }`, '101 tokens, 1 more than the 100'],
  [
    'depth',
    16,
    `{ cluster(name: "a") { ${'node(name: "n") { cluster { '.repeat(8)}name${' } }'.repeat(8)} } }`,
    '18 levels',
  ],
  ['aliases', 1, '{ a: __typename b: __typename }', '2 aliases, 1 more than the 1'],
  ['rootFields', 1, '{ organization { name } __typename }', '2 root fields, 1 more than the 1'],
  [
    'fields',
    1000,
    '{ cluster(name: "a") { nodes(first: 1000) { totalCount } } }',
    '1,002 fields of an answer, 2 more than the 1,000',
  ],
  ['cost', 10_000, '{ cluster(name: "a") { flags { clean } } }', 'more than the 10,000 that are allowed'],
])('the configuration sets %s', async (name, most, text, words) => {
  const strict = await startGateway({ config: configOf({ [name]: most }) });
  expect((await strict.query(text)).errors?.[0]?.message).toContain(words);
  expect(strict.requests()).toEqual([]);
  await strict.close();
});

test.each([
  [{ depth: 3 }, 'limits.depth: must be at least 16'],
  [{ batchSize: 2 }, 'limits: "batchSize" is no setting here'],
  [{ rootFiels: 2 }, 'did you mean "rootFields"?'],
  [{ assumed: { nodes: 0 } }, 'limits.assumed.nodes: must be at least 1'],
  [{ requestsPerMinute: 1.5 }, 'limits.requestsPerMinute: must be a whole number'],
])('%j is a fault of the configuration', (limits, words) => {
  expect(() => readConfig(configOf(limits), {})).toThrow(words);
});

test('a document without a token is neither counted nor parsed', async () => {
  const closed = await startGateway({ env: { T: 'secret-token' }, config: configOf({}, ['${T}']) });
  for (const text of ['{ this does not parse', '{'.repeat(20_000), 'x'.repeat(70_000)]) {
    expect((await closed.query(text)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  }
  const known = await closed.query('{ this does not parse', {}, { authorization: 'Bearer secret-token' });
  expect(known.errors?.[0]?.extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  await closed.close();
});

test('PromQL is bounded over the whole document, before it is read', async () => {
  const query = `count(${many(99, (i) => `a${i}{b="${'c'.repeat(20)}"} +`)} up)`.padEnd(3_900);
  const document = `query (${many(50, (i) => `$q${i}: String!`)}) { ${many(50, (i) => `m${i}: metricsQuery(query: $q${i}) { note }`)} }`;
  const variables = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`q${i}`, `${query}+${i}`]));
  const { errors } = await gateway.query(document, variables);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_LARGE']);
  expect(errors![0]!.message).toMatch(/characters of PromQL, .* more than the 20,000 that are allowed/);
  expect(gateway.requests()).toEqual([]);
});

describe('variables that hold too much are refused before anything looks at them', () => {
  const nodes =
    'query ($n: [String!], $i: [Int!]) { cluster(name: "a") { nodes(names: $n) { nodes { gpus(indexes: $i) { index } } } } }';
  test.each([
    ['a list', { n: Array.from({ length: 5_001 }, () => 'n') }, '5,002 values in its variables, 2 more than the 5,000'],
    ['a list of the wrong type', { i: Array.from({ length: 200_000 }, () => 'x') }, 'values in its variables'],
    [
      'an object with keys that nobody knows',
      {
        n: Object.fromEntries(
          many(60_000, (i) => `k${i}`)
            .split(' ')
            .map((key) => [key, 1]),
        ),
      },
      'values in its variables',
    ],
    ['a long text', { n: ['x'.repeat(8_193)] }, '8,193 characters in one variable, 1 more than the 8,192'],
    ['a long name', { ['x'.repeat(8_193)]: 1 }, '8,193 characters in one variable'],
  ])('%s', async (_what, variables, words) => {
    const started = performance.now();
    const { errors } = await gateway.query(nodes, variables);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(words),
        extensions: { code: 'QUERY_TOO_LARGE', status: 422 },
      }),
    ]);
  });

  test('what a fleet needs passes', async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `${'n'.repeat(100)}${i}`);
    const { errors } = await gateway.query(nodes, { n: names, i: [0, 1] });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['METRICS_UNAVAILABLE']);
  });
});

test('variables nested deeper than the stack are counted', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  expect(variablesSize({ deep, name: 'abc' })).toMatchObject({ values: 200_001, longest: 4 });
});

test('what is wrong with a long list is counted once to measure, and not for each item', async () => {
  const schema = buildSchema('type Query { f(list: [Int!]): Int }');
  const document = parse('query ($list: [Int!]) { f(list: $list) }');
  const started = performance.now();
  sizeOf({ schema, document, variableValues: { list: Array.from({ length: 200_000 }, () => 'x') } });
  expect(performance.now() - started).toBeLessThan(1000);
});

test('a variable of the wrong type is left to execution to refuse', async () => {
  const text = 'query ($n: Int!) { cluster(name: "a") { nodes(first: $n) { totalCount } } }';
  expect((await gateway.query(text, { n: 'many' })).errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
});
