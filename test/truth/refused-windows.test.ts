import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, DAY, HOUR, iso, NOW, scrapes } from '../support/fleet/clock.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'refusing', series: dcgm({ node: 'n1' }, scrapes(), stockList('n1')) }]);
});
afterAll(() => world?.close());

const hourAgo = iso(ago(HOUR));

test.each<[string, Record<string, unknown>]>([
  ['a span a second above 14 days', { start: iso(ago(14 * DAY) - 1), end: iso(NOW) }],
  ['a span of years', { start: '2020-01-01T00:00:00Z' }],
  ['a start at the end', { start: hourAgo, end: hourAgo }],
  ['a start after the end', { start: hourAgo, end: iso(ago(2 * HOUR)) }],
  ['a start in the future', { start: iso(NOW + HOUR), end: iso(NOW + 2 * HOUR) }],
  ['an end without a start', { end: hourAgo }],
  ['an end without a start, with a range', { range: 'LAST_1H', end: hourAgo }],
  ['no points', { points: 0 }],
  ['97 points', { points: 97 }],
  ['points below zero', { points: -1 }],
  ['a day that February has not', { start: '2026-02-30T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  ['the 29th of February in a common year', { start: '2026-02-29T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  ['a thirteenth month', { start: '2026-13-01T00:00:00Z' }],
  ['a 25th hour', { start: '2026-06-01T25:00:00Z' }],
  ['a time without a zone', { start: '2026-06-01T10:00:00' }],
  ['a date without a time', { start: '2026-06-01' }],
  ['words', { start: 'yesterday' }],
])('%s is BAD_REQUEST, and the store is not asked', async (_behaviour, window) => {
  const gateway = await world.gateway();
  const before = gateway.requests().length;
  const document = `query ($window: WindowInput) {
    cluster(name: "refusing", window: $window) { nodes { nodes { name gpus { tempC { mean } } } } }
  }`;
  const answer = await gateway.query(document, { window });
  expect(answer.errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_REQUEST']);
  expect(answer.status).toBe(422);
  expect(answer.data?.cluster ?? null).toBeNull();
  expect(gateway.requests().slice(before)).toEqual([]);
});

test.each([
  [14 * DAY + 1, '1 s more than the 14 days'],
  [15 * DAY, '1.0 days more than the 14 days'],
])('a span of %d s: the message says by how much it is too long', async (spanS, words) => {
  const gateway = await world.gateway();
  const document = `{ cluster(name: "refusing", window: { start: "${iso(ago(spanS))}", end: "${iso(NOW)}" }) { name } }`;
  expect((await gateway.query(document)).errors?.[0]?.message).toContain(words);
});

test('an impossible date written in the document itself is refused alike', async () => {
  const gateway = await world.gateway();
  const document = `{ cluster(name: "refusing", window: { start: "2026-02-30T00:00:00Z" }) { coverage { present } } }`;
  const answer = await gateway.query(document);
  expect(answer.errors?.[0]?.extensions?.code).toBe('BAD_REQUEST');
  expect(gateway.requests()).toEqual([]);
});

test('a refused window leaves its neighbour in the document alone', async () => {
  const gateway = await world.gateway();
  const document = `{
    bad: cluster(name: "refusing", window: { points: 97 }) { node(name: "n1") { gpuCount } }
    good: cluster(name: "refusing", window: { range: LAST_1H }) { node(name: "n1") { gpuCount } }
  }`;
  const { data, errors, status } = await gateway.query(document);
  expect(data).toEqual({ bad: null, good: { node: { gpuCount: 1 } } });
  expect(errors).toMatchObject([{ path: ['bad'], extensions: { code: 'BAD_REQUEST', status: 422 } }]);
  expect(status).toBe(200);
});
