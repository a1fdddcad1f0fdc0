import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultyFleet, failing, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { cutAfter, html, isPartial, status, warnings } from '../support/faulty-store.ts';
import { iso, NOW, scrapes } from '../support/fleet/clock.ts';
import { series } from '../support/fleet/series.ts';

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: [series('temp', { gpu: '0' }, scrapes(), 61)] },
    { name: 'borealis', series: [series('temp', { gpu: '0' }, scrapes(), 72)] },
    { name: 'crux', island: 'south', series: [series('temp', { gpu: '0' }, scrapes(), 50)] },
  ]);
});
afterAll(() => fleet?.close());

const window = `window: { start: "${iso(NOW - 3600)}", end: "${iso(NOW)}", points: 2 }`;
const asking = (query: string, island = 'north', more = ''): string =>
  `metricsQuery(query: ${JSON.stringify(query)}, island: "${island}", ${window}${more}) { resultType series { value values } seriesTotal note }`;
const apiError = (errorType: string, error: string): string => JSON.stringify({ status: 'error', errorType, error });

describe('a store that fails is no wrong query', () => {
  test.each([
    ['503', status(503)],
    ['a page under 200', html],
    ['an answer that breaks off', cutAfter(60)],
    ['400 of something that is not the API', status(400, 'Bad Request')],
    ['out of time, with the status of a wrong query', status(422, apiError('execution', 'context deadline exceeded'))],
    [
      'what is behind it, with the status of a wrong query',
      status(
        422,
        apiError('execution', 'expanding series: proxy Series(): rpc error: dial tcp 10.1.2.3:10901: {tenant="zeta"}'),
      ),
    ],
  ])('%s', async (_what, fault) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, /./, fault);
    const { data, errors, text } = await gateway.query(
      `{ ${asking('max(temp)')} other: ${asking('max(temp)', 'south')} }`,
    );
    expect(data.metricsQuery).toBeNull();
    expect(errors).toEqual([
      expect.objectContaining({ path: ['metricsQuery'], extensions: { code: 'METRICS_UNAVAILABLE', status: 503 } }),
    ]);
    expect(data.other.series).toEqual([{ value: null, values: [50, 50, 50] }]);
    expect(text).not.toMatch(/10\.1\.2\.3|zeta|127\.0\.0\.1/);

    // Nothing of it is kept.
    well(fleet.north);
    const after = await gateway.query(`{ ${asking('max(temp)')} }`);
    expect(after.data.metricsQuery.series).toEqual([{ value: null, values: [72, 72, 72] }]);
  });
});

describe('the store’s words about a query', () => {
  const sentTo = 'max(temp{cluster=~"^(aurora|borealis)$"})';
  test.each([
    [
      'its own',
      'invalid parameter "query": 1:5: parse error: unexpected end of input',
      'invalid parameter "query": parse error: unexpected end of input',
    ],
    [
      'with the text that was sent',
      `cannot parse query=${JSON.stringify(sentTo)}; got ${sentTo} from remoteAddr: "10.0.0.7:4242", see http://10.0.0.7/docs`,
      'cannot parse query="max(temp)"; got max(temp) from remoteAddr: "(address)", see (address)',
    ],
    [
      'with what confined it, written in another way',
      'unexpected temp{ cluster =~ "^(aurora|borealis)$", gpu="0"} or {gpu="1", cluster=~\\"^(aurora|borealis)$\\"}',
      'unexpected temp{ gpu="0"} or {gpu="1", }',
    ],
    [
      'with an instance of one’s own',
      'found duplicate series for the match group {instance="10.0.0.5:9400"}',
      'found duplicate series for the match group {instance="10.0.0.5:9400"}',
    ],
    [
      'that are about something else',
      'tenant zeta is over its quota',
      'it did not say why in words that can be passed on.',
    ],
    [
      'that are about something else, and repeat a query that speaks as they do of queries',
      'tenant zeta is over its quota; query="max(temp{a=\\"must be\\"})" {unexpected="b"}',
      'it did not say why in words that can be passed on.',
    ],
  ])('%s', async (_what, words, passed) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, /./, status(422, apiError('execution', words)));
    const { errors, status: code } = await gateway.query(`{ ${asking('max(temp)')} }`);
    expect([code, errors![0]]).toEqual([
      422,
      expect.objectContaining({
        message: `The query was not accepted by the store: ${passed}`,
        extensions: { code: 'BAD_REQUEST', status: 422, reason: 'query_rejected' },
      }),
    ]);
  });

  test.each([
    ['what is sent of it', 'exp(vector(1))', 'exp(vector(1))'],
    ['what is sent of it, with its quotes escaped', 'exp(a{b="c"})', 'exp(a{b=\\"c\\"})'],
    ['what looks like what confines it', 'exp(temp)', 'cluster=~"^('],
  ])(
    'are made fit, and soon, for a query that repeats %s',
    async (_what, query, repeated) => {
      const gateway = await fleet.gateway();
      const long = `${query}#${repeated}`.padEnd(3990, repeated);
      const sent = query.replace('temp', 'temp{cluster=~"^(aurora|borealis)$"}');
      const words = `unexpected ${JSON.stringify(sent)} ${sent} `.padEnd(1990, `${JSON.stringify(sent)} `);
      failing(fleet.north, /./, status(422, apiError('execution', words)));
      const { errors } = await gateway.query(`{ ${asking(long)} }`);
      expect(errors![0]!.message).toMatch(/store: unexpected "?exp/);
      expect(errors![0]!.message.length).toBeLessThan(600);
      // Patterns that go back and forth over both took most of a minute.
    },
    10_000,
  );

  test('a limit of its own is QUERY_TOO_LARGE, and its 429 is THROTTLED', async () => {
    const gateway = await fleet.gateway();
    failing(
      fleet.north,
      /./,
      status(422, apiError('execution', 'query processing would load too many samples into memory')),
    );
    expect((await gateway.query(`{ ${asking('max(temp)')} }`)).errors![0]!.extensions.code).toBe('QUERY_TOO_LARGE');
    failing(fleet.north, /./, status(429, '', { 'retry-after': '7' }));
    const { errors, headers } = await gateway.query(`{ ${asking('max(temp)')} }`);
    expect([errors![0]!.extensions, headers.get('retry-after')]).toEqual([
      { code: 'THROTTLED', status: 429, retryAfterS: 7 },
      '7',
    ]);
  });
});

test.each([
  ['warnings', warnings(['tenant zeta did not answer'])],
  ['isPartial', isPartial],
])('an answer with %s is given, its clusters are named, and the note says so', async (_sign, fault) => {
  const gateway = await fleet.gateway();
  failing(fleet.north, /./, fault);
  const { data, extensions, text } = await gateway.query(`{ ${asking('max(temp)')} }`);
  expect(data.metricsQuery.series).toEqual([{ value: null, values: [72, 72, 72] }]);
  expect(data.metricsQuery.note).toBe('The store left something out of this answer.');
  expect(extensions.warnings.toSorted()).toEqual(['aurora', 'borealis']);
  expect(text).not.toContain('zeta');
});

test('a remark on the query itself leaves nothing out: the note has it, and nothing is partial', async () => {
  const gateway = await fleet.gateway();
  const remark = 'PromQL warning: quantile value should be between 0 and 1, got 2 (1:19)';
  failing(fleet.north, /./, warnings([remark]));
  const { data, extensions } = await gateway.query(`{ ${asking('max(temp)')} }`);
  expect(data.metricsQuery.note).toBe(
    'The store remarks on this query: quantile value should be between 0 and 1, got 2.',
  );
  expect(extensions).toBeUndefined();
  failing(fleet.north, /./, warnings([remark, 'tenant zeta did not answer']));
  const both = await gateway.query(`{ ${asking('max(temp)')} }`);
  expect(both.data.metricsQuery.note).toMatch(/left something out.*remarks/);
  expect([both.extensions.warnings.length, both.text.includes('zeta')]).toEqual([2, false]);
});

describe('an answer that cannot be shown', () => {
  const success = (resultType: string, result: unknown): string =>
    JSON.stringify({ status: 'success', data: { resultType, result } });
  const histogram = { count: '3', sum: '6', buckets: [[0, '1', '2', '3']] };
  const padding = (i: number) => ({ metric: { i: String(i), pad: 'x'.repeat(400) }, values: [[NOW, '1']] });
  const manyRows = Array.from({ length: 300 }, (_, i) => padding(i));
  test.each([
    ['one native histogram', ', instant: true', success('vector', [{ metric: {}, histogram: [NOW, histogram] }])],
    ['native histograms', '', success('matrix', [{ metric: {}, histograms: [[NOW, histogram]] }])],
    [
      'native histograms behind much else',
      '',
      success('matrix', [...manyRows, { metric: {}, histograms: [[NOW, histogram]] }]),
    ],
  ])('%s: refused, with what makes numbers of them', async (_what, more, body) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, /./, status(200, body));
    const { errors } = await gateway.query(`{ ${asking('temp', 'north', more)} }`);
    expect(errors![0]).toMatchObject({
      message: expect.stringMatching(/native histograms; .*histogram_quantile\(\)/),
      extensions: { code: 'BAD_REQUEST', reason: 'query_result' },
    });
  });

  test('an instant that answers with a range', async () => {
    const gateway = await fleet.gateway();
    failing(fleet.north, /./, status(200, success('matrix', [{ metric: {}, values: [[NOW, '1']] }])));
    const { errors } = await gateway.query(`{ ${asking('temp', 'north', ', instant: true')} }`);
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', reason: 'query_result' });
  });

  test('more series than are read: reading stops, and says what to do', async () => {
    const gateway = await fleet.gateway();
    const rows = Array.from({ length: 50_001 }, (_, i) => ({ metric: { i: String(i) }, value: [NOW, '1'] }));
    failing(fleet.north, /./, status(200, success('vector', rows)));
    const { errors } = await gateway.query(`{ ${asking('temp', 'north', ', instant: true')} }`);
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining('aggregate them'),
      extensions: { code: 'QUERY_TOO_LARGE', status: 422 },
    });
    // The connection lives on, and what comes next is answered.
    failing(fleet.north, /./, status(200, success('vector', rows.slice(0, 50_000))));
    const { data } = await gateway.query(`{ ${asking('temp', 'north', ', instant: true')} }`);
    expect(data.metricsQuery.seriesTotal).toBe(50_000);
  });
});

test('what goes to a store is a body of ours: the confined text, both fences of VictoriaMetrics, nothing of the client’s', async () => {
  const gateway = await fleet.gateway();
  const before = fleet.north.requests.length;
  await gateway.query(`{ ${asking('max(temp)')} }`);
  const [request] = fleet.north.requests.slice(before);
  expect([request!.method, request!.path]).toEqual(['POST', '/api/v1/query_range']);
  expect([...request!.parameters]).toEqual([
    ['query', 'max(temp{cluster=~"^(aurora|borealis)$"})'],
    ['start', (NOW - 3600).toFixed(3)],
    ['end', NOW.toFixed(3)],
    ['step', '1800.000'],
    ['extra_filters[]', '{cluster=~"^(aurora|borealis)$"}'],
    ['extra_filters', '{cluster=~"^(aurora|borealis)$"}'],
    ['nocache', '1'],
    ['timeout', '20'],
  ]);
});
