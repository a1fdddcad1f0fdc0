import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';

const all = `documentCharacters documentTokens depth aliases rootFields batchSize fields cost requestsPerMinute requestsLeft
  requestsResetS concurrency concurrencyLeft queryCharacters windowDays points series`;
const gatewayWith = (limits: object) =>
  startGateway({
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
