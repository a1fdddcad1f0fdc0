import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, iso, NOW } from '../support/fleet/clock.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const all = `documentCharacters documentTokens depth aliases rootFields batchSize fields cost requestsPerMinute requestsLeft
  requestsResetS concurrency concurrencyLeft queryCharacters windowDays points series`;
const gatewayWith = (limits: object) =>
  startGateway({
    now: () => NOW,
    env: { A: 'token-a', Z: 'token-z' },
    config: JSON.stringify({
      islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
      organizations: ['A', 'Z'].map((name) => ({
        name,
        tokens: [`\${${name}}`],
        clusters: [{ name: `of-${name}`, island: 'north', vendor: 'nvidia' }],
      })),
      limits,
    }),
  });
const as = (token: string) => ({ authorization: `Bearer ${token}` });

test('an organization is told what it may ask, and nothing is asked for it', async () => {
  const gateway = await gatewayWith({});
  const { data } = await gateway.query(`{ organization { limits { ${all} } } }`, {}, as('token-a'));
  expect(data.organization.limits).toEqual({
    documentCharacters: 65_536,
    documentTokens: 10_000,
    depth: 24,
    aliases: 1000,
    rootFields: 50,
    batchSize: 1,
    fields: 3_000_000,
    cost: 5_000_000_000,
    requestsPerMinute: 3000,
    requestsLeft: 2999,
    requestsResetS: 60,
    concurrency: 50,
    concurrencyLeft: 49,
    queryCharacters: 4000,
    windowDays: 14,
    points: 96,
    series: 100,
  });
  expect(gateway.requests()).toEqual([]);
  await gateway.close();
});

test('what the configuration says is what is told', async () => {
  const limits = {
    documentTokens: 777,
    depth: 17,
    aliases: 7,
    rootFields: 6,
    fields: 5000,
    cost: 7e9,
    requestsPerMinute: 9,
    concurrency: 3,
  };
  const gateway = await gatewayWith(limits);
  const { data } = await gateway.query(`{ organization { limits { ${all} } } }`, {}, as('token-a'));
  expect(data.organization.limits).toMatchObject(limits);
  await gateway.close();
});

test('what is left goes down by request, for the one who asked', async () => {
  const gateway = await gatewayWith({ requestsPerMinute: 3 });
  const left = async (token: string) =>
    (await gateway.query('{ organization { limits { requestsLeft } } }', {}, as(token))).data?.organization.limits
      .requestsLeft;
  expect([await left('token-a'), await left('token-a'), await left('token-z'), await left('token-a')]).toEqual([
    2, 1, 2, 0,
  ]);
  const { status, errors } = await gateway.query('{ __typename }', {}, as('token-a'));
  expect([status, errors?.[0]?.extensions.code]).toEqual([429, 'THROTTLED']);
  await gateway.close();
});

describe('what is told is what holds: exactly so much passes, one more is refused', () => {
  const strict = { documentTokens: 100, depth: 16, aliases: 5, rootFields: 6, fields: 1000 };
  let gateway: Gateway;
  let told: Record<string, number>;
  beforeAll(async () => {
    gateway = await gatewayWith(strict);
    const { data } = await gateway.query(`{ organization { limits { ${all} } } }`, {}, as('token-a'));
    told = data.organization.limits;
  });
  afterAll(() => gateway?.close());

  const many = (count: number, of: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => of(i)).join(' ');
  const levels = (count: number): string => {
    const within = Array.from({ length: count - 2 }, (_, i) => (i % 2 === 0 ? 'node(name: "n") {' : 'cluster {'));
    return `{ cluster(name: "of-A") { ${within.join(' ')} name ${'}'.repeat(within.length)} } }`;
  };
  const asks = (query: string, window = ''): string =>
    `{ metricsQuery(query: ${JSON.stringify(query)}${window}) { note } }`;
  const spanned = (seconds: number): string =>
    asks('up', `, window: { start: "${iso(NOW - seconds)}", end: "${iso(NOW)}" }`);
  const documents: Record<string, (count: number) => string> = {
    documentCharacters: (count) => `{ __typename } #${'x'.repeat(count - 16)}`,
    documentTokens: (count) => `{ organization { ${'name '.repeat(count - 5)}} }`,
    depth: levels,
    aliases: (count) => `{ organization { ${many(count, (i) => `a${i}: name`)} } }`,
    rootFields: (count) => `{ ${'__typename '.repeat(count)}}`,
    fields: (count) => `{ cluster(name: "of-A") { nodes(first: ${count - 2}) { totalCount } } }`,
    queryCharacters: (count) => asks('up'.padEnd(count)),
    points: (count) => asks('up', `, window: { points: ${count} }`),
  };
  test.each(Object.keys(documents))('%s', async (limit) => {
    const document = documents[limit]!;
    const words = async (count: number): Promise<string> =>
      ((await gateway.query(document(count), {}, as('token-a'))).errors ?? []).map(({ message }) => message).join();
    const tooMuch = /more than the|ask for 1 to/;
    expect(await words(told[limit]!)).not.toMatch(tooMuch);
    expect(await words(told[limit]! + 1)).toMatch(tooMuch);
  });

  test('windowDays', async () => {
    const words = async (seconds: number) => (await gateway.query(spanned(seconds), {}, as('token-a'))).errors![0]!;
    expect((await words(told['windowDays']! * DAY)).extensions.code).toBe('METRICS_UNAVAILABLE');
    expect((await words(told['windowDays']! * DAY + 1)).message).toContain('1 s more than the 14 days');
  });
});
