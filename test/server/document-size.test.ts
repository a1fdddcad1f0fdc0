import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { usualLimits } from '../../src/domain/limits.ts';
import { schema } from '../../src/schema/index.ts';
import { sizeOf } from '../../src/server/document-size.ts';
import { lex } from '../../src/server/lexing.ts';
import { mergingPairs } from '../../src/server/merging.ts';
import { ofReading } from '../../src/server/too-large.ts';

const size = (text: string, variableValues: Record<string, unknown> = {}, operationName?: string) =>
  sizeOf({ schema, document: parse(text), variableValues, ...(operationName !== undefined && { operationName }) });

describe('the fields that an answer has', () => {
  test.each([
    ['a leaf is one', '{ organization { name } }', 2],
    ['a list is taken to have eight items', '{ clusters { name } }', 9],
    [
      'a page has as many as it asks for',
      '{ cluster(name: "a") { nodes(first: 3) { nodes { name } } } }',
      1 + 1 + 3 * (1 + 1),
    ],
    ['a page has fifty where it does not say', '{ cluster(name: "a") { nodes { totalCount } } }', 1 + 1 + 50],
    ['by alias counts twice', '{ a: clusters { name } b: clusters { name } }', 18],
    [
      'a fragment counts wherever it is spread',
      '{ clusters { ...f } } fragment f on Cluster { name island }',
      1 + 8 * 2,
    ],
    [
      'what is left out does not count',
      '{ clusters @include(if: false) { name } organization { name @skip(if: true) } }',
      1,
    ],
    ['__typename is a field', '{ __typename organization { __typename } }', 3],
  ])('%s', (_behaviour, text, fields) => {
    expect(size(text).fields).toBe(fields);
  });

  test('a page that a variable tells is as long', () => {
    const text = 'query ($n: Int) { cluster(name: "a") { nodes(first: $n) { totalCount } } }';
    expect([size(text, { n: 7 }).fields, size(text).fields]).toEqual([2 + 7, 2 + 50]);
  });

  test('of several operations the selected one answers, and all are measured', () => {
    const text = 'query a { organization { name } } query b { x: clusters { name } }';
    expect(size(text, {}, 'a')).toMatchObject({ fields: 2, aliases: 1, written: 4 });
    expect(size(text, {}, 'b')).toMatchObject({ fields: 9, aliases: 1, written: 4 });
  });
});

describe('the shape of a document', () => {
  test.each([
    ['depth', '{ organization { clusters { name } } }', { depth: 3 }],
    [
      'depth through fragments',
      '{ ...q } fragment q on Query { organization { ...o } } fragment o on Organization { ... { name } }',
      { depth: 2 },
    ],
    ['aliases, of __typename too', '{ a: __typename b: organization { c: name } }', { aliases: 3 }],
    [
      'aliases through fragments',
      '{ o1: organization { ...f } o2: organization { ...f } } fragment f on Organization { n: name }',
      { aliases: 4 },
    ],
    [
      'root fields, also those of fragments',
      '{ ...f organization { name } } fragment f on Query { clusters { name } __typename }',
      { rootFields: 3 },
    ],
    ['what does not exist', '{ nothing { at { all } } }', { depth: 3, rootFields: 1, written: 3 }],
    [
      'a circle',
      '{ ...a } fragment a on Query { ...b organization { name } } fragment b on Query { ...a }',
      { rootFields: 1 },
    ],
  ])('%s', (_what, text, expected) => {
    expect(size(text)).toMatchObject(expected);
  });

  test('a chain of fragments that each spread the next one twice is counted at once', () => {
    const chain = Array.from({ length: 60 }, (_, i) => `fragment f${i} on Series { ...f${i + 1} ...f${i + 1} }`);
    const { fields, aliases, depth, rootFields } = size(
      `{ cluster(name: "a") { node(name: "n") { gpus { tempC { ...f0 } } } } } ${chain.join(' ')} fragment f60 on Series { m: mean }`,
    );
    expect([fields, aliases]).toEqual([expect.toSatisfy((count: number) => count > 2 ** 60), 2 ** 60]);
    expect([depth, rootFields]).toEqual([5, 1]);
  });

  test('a chain that doubles at the root is as many root fields', () => {
    const chain = Array.from({ length: 60 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`);
    expect(size(`{ ...f0 } ${chain.join(' ')} fragment f60 on Query { __typename }`).rootFields).toBe(2 ** 60);
  });

  test('what nests further than the stack reaches is deep', () => {
    const inside = `${'... { '.repeat(900)}name${' }'.repeat(900)}`;
    expect(
      size(
        `{ organization { ...f } } fragment f on Organization { ${inside.replace('name', '...g')} } fragment g on Organization { ${inside} }`,
      ).depth,
    ).toBeGreaterThan(900);
  });
});

describe('pairs of fields that must be compared', () => {
  test.each([
    ['none', '{ organization { name } clusters { name } }', 0],
    ['of one name', `{ organization { ${'name '.repeat(10)} } }`, 45],
    ['of any operation', 'query a { __typename } query b { organization { name name } }', 1],
    ['of one alias', '{ a: organization { name } a: organization { name } }', 1 + 1],
    ['none under other aliases', '{ a: organization { name } b: organization { name } }', 0],
    ['below fields of one name', '{ organization { name name } organization { name name } }', 1 + 6],
    [
      'from fragments',
      '{ organization { name ...f ...g } } fragment f on Organization { name } fragment g on Organization { name }',
      3,
    ],
    [
      'not of a fragment that is there already',
      '{ organization { ...f ...f } } fragment f on Organization { name }',
      0,
    ],
  ])('%s', (_what, text, pairs) => {
    expect(mergingPairs(parse(text), 1e9)).toBe(pairs);
  });
});

test.each([
  ['{ a(b: "c # d") # e f g\n }', { tokens: 8, nesting: 2 }],
  ['{ a(b: [{ c: """d "e" f""" }]) }', { tokens: 14, nesting: 4 }],
  ['{ a \u0001 b', { tokens: 2, nesting: 1 }],
])('%s is made of %o', (text, lexed) => {
  expect(lex(text)).toEqual(lexed);
});

test('what GraphiQL and codegen ask of a schema is well inside the limits', () => {
  const text = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  const found = size(text);
  expect(found.depth).toBeLessThanOrEqual(usualLimits.depth - 4);
  expect(found.fields).toBeLessThan(usualLimits.fields);
  expect(lex(text).tokens).toBeLessThan(usualLimits.documentTokens / 10);
  expect(mergingPairs(parse(text), 1e9)).toBeLessThan(ofReading.pairs);
  expect(found.places).toEqual([]);
});

test('the walk knows no GPUs: any schema and any weights will do', () => {
  const toy = buildSchema(
    'type Query { shop(town: String): Shop } type Shop { shelf(rows: Int): Shelf } type Shelf { book: String }',
  );
  const { places } = sizeOf(
    {
      schema: toy,
      document: parse(
        '{ a: shop(town: "x") { shelf(rows: 3) { book b: book } } b: shop(town: "x") { shelf { book } } }',
      ),
    },
    {
      'Query.shop': { isPlace: true },
      'Shop.shelf': { times: ({ rows }) => (typeof rows === 'number' ? rows : 1), reads: () => [{ as: 'shelf' }] },
      'Shelf.book': { reads: () => [{ as: 'book', parts: ['title'] }] },
    },
  );
  expect(places.map(({ coordinate, args }) => [coordinate, { ...args }])).toEqual([['Query.shop', { town: 'x' }]]);
  expect([...places[0]!.asked]).toEqual([
    ['book', { times: 3 * 2 + 1, parts: new Set(['title']) }],
    ['shelf', { times: 2, parts: new Set() }],
  ]);
});
