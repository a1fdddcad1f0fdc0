import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Question } from '../../src/reads/ask.ts';
import { type Fault, hang, html, isPartial, pass, status, warnings } from '../support/faulty-store.ts';
import {
  cannedStore,
  clientOf,
  manySamples,
  oneSample,
  query,
  success,
  temperature,
  temperatures,
} from './canned-store.ts';

const start = 1_758_456_000;
const end = 1_758_459_600.5;
const series: Question = { kind: 'series', match: [query('up'), query('down')], start, end };
const clusters: Question = { kind: 'labelValues', label: 'cluster', match: [query('up')], start, end };

async function answerTo(question: Question, body: string) {
  const store = await cannedStore(body);
  const { rows, partial } = await clientOf(store.url).ask(question);
  return {
    partial,
    rows: rows.map(({ labels, times, values }) => ({ labels, times: [...times], values: [...values] })),
  };
}

test.each<[string, Question, string, string, Record<string, string>]>([
  ['instant', temperature, 'POST', '/query', { query: 'temp', time: '1758456000.123' }],
  [
    'range',
    temperatures,
    'POST',
    '/query_range',
    { query: 'temp', start: '1758456000.000', end: '1758459600.000', step: '30.000' },
  ],
  ['series', series, 'POST', '/series', { start: '1758456000.000', end: '1758459600.500' }],
  [
    'labelValues',
    clusters,
    'GET',
    '/label/cluster/values',
    { 'match[]': 'up', start: '1758456000.000', end: '1758459600.500' },
  ],
])(
  '%s is asked with explicit times, uncached, below the path of the address',
  async (_kind, question, method, path, parameters) => {
    const store = await cannedStore(oneSample);
    await clientOf(`${store.url}/prometheus/`, { headers: { 'X-Scope-OrgID': 'acme' }, timeoutS: 20 })
      .ask(question)
      .catch(() => undefined);
    const [request] = store.requests;
    expect(request).toMatchObject({ method, path: `/prometheus/api/v1${path}`, headers: { 'x-scope-orgid': 'acme' } });
    expect(Object.fromEntries(request!.parameters)).toMatchObject({ ...parameters, nocache: '1', timeout: '20' });
    // Zipping costs a store more than it saves, but for label sets, which are all alike.
    expect(request!.headers['accept-encoding']).toBe(question.kind === 'series' ? 'gzip' : undefined);
  },
);

test('several selectors are a union', async () => {
  const store = await cannedStore(success([]));
  await clientOf(store.url).ask(series);
  expect(store.requests[0]!.parameters.getAll('match[]')).toEqual(['up', 'down']);
});

test('credentials in the address become a header', async () => {
  const store = await cannedStore(oneSample);
  await clientOf(store.url.replace('//', '//me:s%40crit@')).ask(temperature);
  expect(store.requests[0]!.headers['authorization']).toBe(`Basic ${btoa('me:s@crit')}`);
});

test.each<[string, Question, unknown, unknown[]]>([
  [
    'a vector',
    temperature,
    { resultType: 'vector', result: [{ metric: { gpu: '0' }, value: [start + 0.123, 'NaN'] }] },
    [{ labels: { gpu: '0' }, times: [1758456000.123], values: [NaN] }],
  ],
  [
    'every raw sample of a range selector',
    temperature,
    {
      resultType: 'matrix',
      result: [
        {
          metric: {},
          values: [
            [1, '1e3'],
            [2.5, '+Inf'],
            [3, '-Inf'],
          ],
        },
      ],
    },
    [{ labels: {}, times: [1, 2.5, 3], values: [1000, Infinity, -Infinity] }],
  ],
  ['a scalar', temperature, { resultType: 'scalar', result: [1, '2'] }, [{ labels: {}, times: [1], values: [2] }]],
  [
    'a matrix',
    temperatures,
    { resultType: 'matrix', result: [{ metric: { a: 'b' }, values: [[1, '1']] }] },
    [{ labels: { a: 'b' }, times: [1], values: [1] }],
  ],
  ['no rows', temperatures, { resultType: 'matrix', result: [] }, []],
  ['a list that Go never made', temperatures, { resultType: 'matrix', result: null }, []],
  [
    'native histograms beside samples',
    temperatures,
    { resultType: 'matrix', result: [{ metric: { a: 'b' }, values: [[1, '1']], histograms: [[2, { count: '1' }]] }] },
    [{ labels: { a: 'b' }, times: [1], values: [1] }],
  ],
  [
    'native histograms alone, as a row without samples',
    temperature,
    { resultType: 'vector', result: [{ metric: { a: 'b' }, histogram: [2, { count: '1' }] }] },
    [{ labels: { a: 'b' }, times: [], values: [] }],
  ],
  ['label sets', series, [{ __name__: 'up', a: 'b' }], [{ labels: { __name__: 'up', a: 'b' }, times: [], values: [] }]],
  [
    'label values',
    clusters,
    ['aurora', 'borealis'],
    ['aurora', 'borealis'].map((cluster) => ({ labels: { cluster }, times: [], values: [] })),
  ],
])('%s', async (_what, question, data, rows) => {
  expect(await answerTo(question, success(data))).toEqual({ partial: false, rows });
});

test('a large answer has the rows of JSON', async () => {
  const body = manySamples(300);
  const { rows } = await answerTo(temperatures, body);
  const { data } = JSON.parse(body) as { data: { result: { metric: object; values: [number, string][] }[] } };
  expect(rows).toEqual(
    data.result.map(({ metric, values }) => ({
      labels: metric,
      times: values.map(([t]) => t),
      values: values.map(([, v]) => Number(v)),
    })),
  );
});

test('large lists of label sets and of label values are read too', async () => {
  const names = Array.from({ length: 9_000 }, (_, i) => `cluster-${i}-]]}`);
  expect((await answerTo(clusters, success(names))).rows.map(({ labels }) => labels['cluster'])).toEqual(names);
  const sets = names.map((cluster) => ({ cluster, quoted: '"},{"' }));
  expect((await answerTo(series, success(sets))).rows.map(({ labels }) => labels)).toEqual(sets);
});

test.each([
  [
    'warnings of Prometheus and Thanos',
    warnings(['store 10.0.0.7 is away', 'and another']),
    'store 10.0.0.7 is away; and another',
  ],
  ['isPartial of VictoriaMetrics', isPartial, 'isPartial'],
])('%s make an answer partial, small or large, and their words go to the log', async (_what, fault, words) => {
  for (const [body, question] of [
    [oneSample, temperature],
    [manySamples(100), temperatures],
  ] as const) {
    const store = await cannedStore(body);
    const { ask, log } = clientOf(store.url);
    store.next(fault, pass);
    const { partial, rows } = await ask(question);
    expect(partial).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
    expect(log).toMatchObject([{ event: 'partial', words }]);
    expect(await ask(question)).toMatchObject({ partial: false });
  }
});

test.each([
  ['infos of Prometheus 3', { infos: ['metric might not be a counter'] }],
  ['no warnings', { warnings: [] }],
  ['warnings that Go never made', { warnings: null }],
  ['isPartial false', { isPartial: false }],
])('%s are not partial', async (_what, around) => {
  const { partial } = await answerTo(temperature, success({ resultType: 'vector', result: [] }, around));
  expect(partial).toBe(false);
});

test('however many ask at once whether a store is ready, it is asked once, and anew afterwards', async () => {
  const store = await cannedStore(oneSample);
  const { ready } = clientOf(store.url);
  expect(new Set(await Promise.all(Array.from({ length: 50 }, ready)))).toEqual(new Set([true]));
  expect(store.requests).toHaveLength(1);
  await ready();
  expect(store.requests).toHaveLength(2);
});

test('a store is ready while it answers a trivial query, also when every slot is taken', async () => {
  const store = await cannedStore(success({ resultType: 'scalar', result: [1, '1'] }));
  const { ask, ready } = clientOf(store.url, { concurrency: 1 });
  store.next(hang);
  const caller = new AbortController();
  const held = ask(temperature, caller.signal).catch(() => undefined);
  await expect.poll(() => store.requests.length).toBe(1);
  expect(await ready()).toBe(true);
  caller.abort();
  await held;
});

test.each([
  ['answers 503', status(503)],
  ['answers with a page', html],
  ['hangs', hang],
])('a store that %s is not ready', async (_what, fault) => {
  const store = await cannedStore(oneSample);
  store.always(() => fault);
  expect(await clientOf(store.url, { timeoutS: 0.1 }).ready()).toBe(false);
});

const labelSets = success(Array.from({ length: 3000 }, (_, i) => ({ __name__: 'up', instance: `n${i}:9100` })));
const zipped =
  (body: Buffer): Fault =>
  (response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);

test('label sets may come zipped', async () => {
  const store = await cannedStore('');
  const client = clientOf(store.url);
  store.always(() => zipped(gzipSync(labelSets)));
  const { rows } = await client.ask(series);
  expect(rows).toHaveLength(3000);
  expect(rows.at(-1)!.labels).toEqual({ __name__: 'up', instance: 'n2999:9100' });
  expect(client.counts.responseBytes).toBeLessThan(labelSets.length / 5);
});

test.each([
  ['cut in the middle', gzipSync(labelSets).subarray(0, 2000)],
  ['of something else', gzipSync('<html>')],
  ['that is not zipped at all', Buffer.from(labelSets)],
])('a zipped answer %s is none', async (_what, body) => {
  const store = await cannedStore('');
  store.always(() => zipped(body));
  await expect(clientOf(store.url).ask(series)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
});

test('a zipped body without an end is given up, and not held', async () => {
  const store = await cannedStore('');
  const client = clientOf(store.url);
  const piece = Buffer.alloc(1024 * 1024);
  store.always(() => (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await expect(client.ask(series)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(client.log.at(-1)!.words).toMatch(/zipped bytes/);
  expect(client.counts.responseBytes).toBeLessThan(70 * 1024 * 1024);
});
