import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { NOW } from '../support/fleet/clock.ts';
import { labelled } from '../support/fleet/series.ts';
import { nvidia } from '../support/fleet/situations.ts';
import { type McpClient, overHttp, transports } from '../support/mcp.ts';

let store: EmbeddedStore;
beforeAll(async () => {
  store = await startStore();
  await store.load(labelled({ cluster: 'aurora' }, nvidia()('n1')));
});
afterAll(() => store?.close());

const dead = 'http://127.0.0.1:9';
/** Two islands that both have a cluster `twin`; the store of a third does not answer. */
const config = (limits: object = {}) =>
  JSON.stringify({
    islands: [
      { name: 'north', prometheus: { url: store.url } },
      { name: 'south', prometheus: { url: `${store.url}/` } },
      { name: 'lost', prometheus: { url: dead } },
    ],
    organizations: [
      {
        name: 'acme',
        clusters: [
          { name: 'aurora', island: 'north' },
          { name: 'twin', island: 'north' },
          { name: 'twin', island: 'south' },
          { name: 'far', island: 'lost' },
        ].map((cluster) => ({ ...cluster, vendor: 'nvidia', model: 'H100' })),
      },
    ],
    limits,
  });

const at = { cluster: 'aurora' };
const node = { ...at, action: 'node', node: 'n1' };
const badRequest: [what: string, args: object, words: RegExp][] = [
  ['no cluster', { action: 'node', node: 'n1' }, /cluster: .*string/],
  ['no action', { ...at, node: 'n1' }, /action: /],
  ['an action that is none', { ...at, action: 'gpu' }, /action: .*"node"\|"workload"\|"flags"/],
  ['action=node without its node', { ...at, action: 'node' }, /action=node needs node/],
  ['action=workload without its name', { ...at, action: 'workload', kind: 'Job' }, /needs both kind and name/],
  ['action=flags without a target', { ...at, action: 'flags' }, /needs node, or the pair kind and name/],
  ['action=flags with half a pair', { ...at, action: 'flags', name: 'x' }, /needs both kind and name/],
  ['action=flags with two targets', { ...at, action: 'flags', node: 'n1', kind: 'Job', name: 'x' }, /not both/],
  ['a kind that is none', { ...at, action: 'workload', kind: 'job', name: 'x' }, /kind: .*"Job"/],
  ['a node name that cannot be', { ...node, node: '-n1' }, /node: a name has letters/],
  [
    'a workload name that is too long',
    { ...at, action: 'flags', kind: 'Job', name: 'x'.repeat(122) },
    /name: a name has letters/,
  ],
  ['points above 96', { ...node, points: 97 }, /points: .*96/],
  ['a window longer than 14 days', { ...node, start: '2026-05-01T00:00:00Z', end: '2026-05-16T00:00:00Z' }, /14 days/],
  [
    'a window that ends before it starts',
    { ...node, start: '2026-05-02T00:00:00Z', end: '2026-05-01T00:00:00Z' },
    /start is not before end/,
  ],
  ['an end without a start', { ...node, end: '2026-05-01T00:00:00Z' }, /end needs a start/],
  [
    'a time without a zone',
    { ...node, start: '2026-05-31T00:00:00' },
    /^start: "2026-05-31T00:00:00" has no zone: end it with Z.*00Z\.$/,
  ],
  ['a date that is none', { ...node, start: '2026-02-30T00:00:00Z' }, /^start: .* write it like/],
  ['a range that is none', { ...node, range: '2h' }, /range: .*"6h"/],
  ['an argument that is misspelled', { ...node, pionts: 12 }, /Unrecognized key: "pionts"/],
];

describe.each(transports)('over %s', (_transport, connect) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connect({ config: config(), now: NOW });
  });
  afterAll(() => mcp?.close());

  test.each(badRequest)('%s is a bad-request that says what to change', async (_what, args, words) => {
    const { isError, answer } = await mcp.call('metrics_read', args);
    expect(isError).toBe(true);
    expect(answer).toEqual({ code: 'bad-request', status: 422, message: expect.stringMatching(words) });
    expect(answer.message).not.toContain('$');
  });

  test.each([
    ['a cluster', { ...node, cluster: 'none' }, 'cluster'],
    ['a node', { ...node, node: 'n9' }, 'node'],
    ['a workload', { ...at, action: 'workload', kind: 'Job', name: 'none' }, 'none'],
    ['a workload to judge', { ...at, action: 'flags', kind: 'Job', name: 'none' }, 'none'],
  ])('%s that is not there is a not-found', async (_what, args, words) => {
    const { isError, answer } = await mcp.call('metrics_read', args);
    expect([isError, answer.code, answer.status]).toEqual([true, 'not-found', 404]);
    expect(answer.message).toContain(words);
  });

  test('two clusters of one name are an ambiguous-cluster, and island tells them apart', async () => {
    const { answer } = await mcp.call('metrics_read', { ...node, cluster: 'twin' });
    expect(answer).toMatchObject({ code: 'ambiguous-cluster', status: 409 });
    expect(answer.candidates).toEqual([
      { name: 'twin', island: 'north' },
      { name: 'twin', island: 'south' },
    ]);
    const told = await mcp.call('metrics_read', { ...node, cluster: 'twin', island: 'south' });
    expect(told.answer.code).toBe('not-found');
  });

  test('a store that does not answer is a metrics-unavailable, and names no address', async () => {
    const { isError, answer } = await mcp.call('metrics_read', { ...node, cluster: 'far' });
    expect([isError, answer.code, answer.status]).toEqual([true, 'metrics-unavailable', 503]);
    expect(answer.message).not.toMatch(/127\.0\.0\.1/);
  });

  test('metrics_query: errors in PromQL, and several islands, are bad-requests', async () => {
    const wrong = await mcp.call('metrics_query', { query: 'sum(', island: 'north' });
    expect(wrong.answer).toMatchObject({ code: 'bad-request', status: 422, reason: expect.any(String) });
    const where = await mcp.call('metrics_query', { query: 'up' });
    expect(where.answer).toMatchObject({ code: 'bad-request', message: expect.stringContaining('island') });
    const long = await mcp.call('metrics_query', { query: `up${' '.repeat(4000)}`, island: 'north' });
    expect(long.answer).toMatchObject({ code: 'bad-request', message: expect.stringContaining('4000') });
    const lost = await mcp.call('metrics_query', { query: 'up', island: 'lost' });
    expect(lost.answer).toMatchObject({ code: 'metrics-unavailable', status: 503 });
  });

  test('a null is as good as an argument left out', async () => {
    const { answer } = await mcp.call('metrics_read', { ...node, kind: null, start: null, range: '1h', points: null });
    expect(answer.window).toMatchObject({ start: '2026-06-01T11:00:00Z', step_s: 90, points: 40 });
  });
});

test('defaults: six hours, 48 points, series of a node; start puts range aside', async () => {
  const mcp = await overHttp({ config: config(), now: NOW });
  const six = await mcp.call('metrics_read', node);
  expect(six.answer.window).toEqual({
    start: '2026-06-01T06:00:00Z',
    end: '2026-06-01T12:00:00Z',
    step_s: 450,
    points: 48,
  });
  expect(six.answer.gpus['0'].util_pct.values).toHaveLength(48);
  const since = await mcp.call('metrics_read', { ...node, range: '7d', start: '2026-06-01T11:30:00Z' });
  expect(since.answer.window).toMatchObject({ start: '2026-06-01T11:30:00Z', end: '2026-06-01T12:00:00Z', step_s: 60 });
  await mcp.close();
});

test('whoever asks too often is throttled, and told for how long', async () => {
  const mcp = await overHttp({ config: config({ requestsPerMinute: 5 }), now: NOW });
  const answers = [];
  for (let nth = 0; nth < 6; nth += 1) answers.push(await mcp.call('grid_whoami'));
  const refused = answers.filter(({ isError }) => isError);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.answer).toEqual({
    code: 'throttled',
    status: 429,
    message: expect.stringContaining('5 requests a minute'),
    retry_after_s: expect.any(Number),
  });
  // What asks nothing of the graph counts as well: there it is the request itself that is refused.
  await expect(mcp.client.listResources()).rejects.toThrow(/429/);
  await mcp.close();
});
