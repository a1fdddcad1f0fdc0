import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { askedFields } from '../../src/server/asked-fields.ts';
import { longestDocument, mostFields } from '../../src/server/use-document-limits.ts';
import { parse } from 'graphql';
import { startGateway } from '../support/gateway.ts';

const fieldsOf = (text: string, variableValues: Record<string, unknown> = {}): number =>
  askedFields({ schema, document: parse(text), variableValues } as Parameters<typeof askedFields>[0], 1e12);

describe('the fields that a document asks for', () => {
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
  ])('%s', (_behaviour, text, fields) => {
    expect(fieldsOf(text)).toBe(fields);
  });

  test('a page that a variable tells is as long', () => {
    const text = 'query ($n: Int) { cluster(name: "a") { nodes(first: $n) { totalCount } } }';
    expect([fieldsOf(text, { n: 7 }), fieldsOf(text)]).toEqual([2 + 7, 2 + 50]);
  });

  test('a chain of fragments that each spread the next one twice is counted in no time', () => {
    const chain = Array.from({ length: 60 }, (_, i) => `fragment f${i} on Series { ...f${i + 1} ...f${i + 1} }`);
    const text = `{ cluster(name: "a") { node(name: "n") { gpus { tempC { ...f0 } } } } } ${chain.join(' ')} fragment f60 on Series { mean }`;
    expect(fieldsOf(text)).toBe(1e12);
  });

  test('everything about 64 nodes is well below the most', () => {
    const series = 'values mean min max last lastAt';
    const gpu = Array.from({ length: 12 }, (_, i) => `f${i}: tempC { ${series} }`).join(' ');
    expect(
      fieldsOf(`{ cluster(name: "a") { nodes(first: 64) { nodes { name gpus { index ${gpu} } } } } }`),
    ).toBeLessThan(mostFields / 10);
  });
});

describe('a document that is too large is refused, and nothing is asked', () => {
  const round = (times: number): string => `${'gpus { node { '.repeat(times)}name${' } }'.repeat(times)}`;
  test.each([
    [
      'round in circles',
      `{ cluster(name: "a") { nodes { nodes { ${round(6)} } } } }`,
      /asks for about .* fields, and 3,000,000 is the most/,
    ],
    ['long', `{ organization { name } } # ${'x'.repeat(longestDocument)}`, /65,?5\d\d characters, \d+ more than/],
    [
      'of many aliases',
      `{ ${Array.from({ length: 6000 }, (_, i) => `a${i}:__typename`).join(' ')} ${'b: __typename '.repeat(1)} ${' '.repeat(longestDocument)} }`,
      /characters/,
    ],
  ])('%s', async (_kind, text, message) => {
    const gateway = await startGateway({
      config: JSON.stringify({
        islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
        organizations: [{ name: 'acme', clusters: [{ name: 'a', island: 'north', vendor: 'nvidia' }] }],
      }),
    });
    const { data, errors, status } = await gateway.query(text);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: 'QUERY_TOO_LARGE', status: 422 },
    });
    expect([data ?? null, status, gateway.requests()]).toEqual([null, 422, []]);
    await gateway.close();
  });
});

test('a document without a token is not even parsed', async () => {
  const gateway = await startGateway({
    env: { T: 'secret-token' },
    config: JSON.stringify({
      islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
      organizations: [{ name: 'acme', tokens: ['${T}'], clusters: [{ name: 'a', island: 'north', vendor: 'nvidia' }] }],
    }),
  });
  expect((await gateway.query('{ this does not parse')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  const known = await gateway.query('{ this does not parse', {}, { authorization: 'Bearer secret-token' });
  expect(known.errors?.[0]?.extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  await gateway.close();
});
