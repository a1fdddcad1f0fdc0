import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { ago, iso, NOW, scrapes } from '../support/fleet/clock.ts';
import { labelled, type Series, series } from '../support/fleet/series.ts';
import { type Gateway, type Reply, startGateway } from '../support/gateway.ts';

const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
const times = scrapes({ from: ago(3 * 3600) });
const hole: readonly [number, number] = [ago(2400), ago(1200)];

/** Whole numbers, so that no order of adding up changes a sum. */
const temperature = (offset: number) => (time: number) => offset + (Math.floor(time / 30) % 7);
const holed = times.filter((time) => time <= hole[0] || time > hole[1]);
const gpu = (index: number, offset: number): Series[] => [
  series('temp', { gpu: String(index), node: 'n1' }, times, temperature(offset + index)),
  series('holed', { gpu: String(index) }, holed, temperature(offset)),
];
const replicas = ['haproxy', 'web'].map((deployment) =>
  series('kube_deployment_status_replicas_unavailable', { deployment }, times, 0),
);
const numbers = Array.from({ length: 120 }, (_, i) => series('many', { i: String(i) }, times, 120 - i));
const ours = [...gpu(0, 40), ...gpu(1, 40), ...numbers, ...replicas];
const theirs = [...gpu(0, 4000), ...gpu(2, 4000)];

let store: EmbeddedStore;
let gateway: Gateway;
const cluster = (name: string, island: string, match?: object) => ({
  name,
  island,
  vendor: 'nvidia',
  ...(match && { match }),
});
const configOf = (url: string): string =>
  JSON.stringify({
    islands: [
      { name: 'north', prometheus: { url } },
      { name: 'south', prometheus: { url } },
      { name: 'alone', prometheus: { url, exclusive: true } },
    ],
    organizations: [
      {
        name: 'acme',
        tokens: ['acme-token', { token: 'acme-operator', operator: true }],
        clusters: [cluster('aurora', 'north'), cluster('lab.a', 'north')],
      },
      {
        name: 'both',
        tokens: ['both-token'],
        clusters: [cluster('crux', 'north'), cluster('crux', 'south', { cluster: 'crux-south' })],
      },
      { name: 'odd', tokens: ['odd-token'], clusters: [cluster('odd', 'south', { env: 'x', site: 'y' })] },
      {
        name: 'pattern',
        tokens: ['pattern-token'],
        clusters: [cluster('pattern', 'south', { env: { op: '=~', value: 'z.*' } })],
      },
      {
        name: 'mixed',
        tokens: ['mixed-token'],
        clusters: [cluster('mixed', 'south', { env: 'm' }), cluster('by-name', 'south')],
      },
      { name: 'own', tokens: ['own-token'], clusters: [cluster('own', 'alone')] },
    ],
  });

beforeAll(async () => {
  store = await startStore(engine ? { engine } : {});
  await store.load([
    ...labelled({ cluster: 'aurora' }, ours),
    ...labelled({ cluster: 'lab.a' }, [series('temp', { gpu: '9', node: 'n9' }, times, 50)]),
    // What an unescaped dot would match too.
    ...labelled({ cluster: 'lab-a' }, theirs),
    ...labelled({ cluster: 'crux' }, theirs),
    ...labelled({ cluster: 'crux-south' }, gpu(5, 900)),
    series('up', { instance: 'monitor:9090' }, times, 1),
  ]);
  gateway = await startGateway({ config: configOf(store.url), now: () => NOW });
});
afterAll(async () => {
  await gateway?.close();
  await store?.close();
});

const document = `query ($query: String!, $island: String, $instant: Boolean, $window: WindowInput) {
  metricsQuery(query: $query, island: $island, instant: $instant, window: $window) {
    org query resultType window { start end stepS points } value seriesTotal truncated note
    series { labels gpu: label(name: "gpu") values value }
  }
}`;
const ask = (query: string, variables: object = {}, token = 'acme-token'): Promise<Reply> =>
  gateway.query(document, { query, ...variables }, { authorization: `Bearer ${token}` });
const answerTo = async (...question: Parameters<typeof ask>) => {
  const { data, errors } = await ask(...question);
  expect(errors).toBeUndefined();
  return data.metricsQuery;
};

/** The newest sample at or before an instant, at most five minutes old: what an instant selector sees. */
const seenAt = (at: number, { times, values }: Series): number | null => {
  const last = times.findLastIndex((time) => time <= at && time > at - 300);
  return last < 0 ? null : values[last]!;
};

describe('over a window', () => {
  test.each([
    ['whole steps', { start: iso(ago(3600)), end: iso(NOW), points: 12 }, ago(3600), 300, 12],
    ['no whole steps: anchored at the end', { start: iso(ago(3500)), end: iso(NOW), points: 12 }, ago(3600), 300, 12],
    ['one point', { range: 'LAST_1H', points: 1 }, ago(3600), 3600, 1],
    ['the default', {}, ago(6 * 3600), 450, 48],
  ])('the grid is inclusive: %s', async (_what, window, t0, stepS, points) => {
    const answer = await answerTo('temp{gpu="0"}', { window });
    expect(answer).toMatchObject({
      org: 'acme',
      query: 'temp{gpu="0"}',
      resultType: 'MATRIX',
      seriesTotal: 1,
      truncated: false,
    });
    expect([answer.window.stepS, answer.window.points, answer.window.end]).toEqual([stepS, points, iso(NOW)]);
    const expected = Array.from({ length: points + 1 }, (_, k) => seenAt(t0 + k * stepS, ours[0]!));
    expect(answer.series).toEqual([
      {
        labels: { __name__: 'temp', cluster: 'aurora', gpu: '0', node: 'n1' },
        gpu: '0',
        values: expected,
        value: null,
      },
    ]);
    expect(answer.note).toBeNull();
  });

  test('a gap is null inside the values', async () => {
    const answer = await answerTo('max_over_time(holed{gpu="0"}[1m])', { window: { range: 'LAST_1H', points: 60 } });
    const values: (number | null)[] = answer.series[0].values;
    const at = (k: number): number => ago(3600) + k * 60;
    // At the edge itself engines differ on whether it belongs to the minute.
    const gap = values.filter((_, k) => at(k) - 60 > hole[0] && at(k) <= hole[1]);
    const rest = values.filter((_, k) => at(k) <= hole[0] || at(k) - 60 > hole[1] + 30);
    expect([gap.length, rest.length]).toEqual([19, 59 - 19]);
    expect(gap.every((value) => value === null)).toBe(true);
    expect(rest.every((value) => value !== null && value >= 40)).toBe(true);
  });

  test('values are not rounded', async () => {
    const { series } = await answerTo('temp{gpu="0"} * 0 + 1 / 3', { instant: true });
    expect(series[0].value).toBe(1 / 3);
  });
});

describe('at an instant', () => {
  test('is one value a series, at the window’s end', async () => {
    const end = ago(1800);
    const answer = await answerTo('sum by (gpu) (temp{cluster="aurora"})', {
      instant: true,
      window: { start: iso(ago(5400)), end: iso(end) },
    });
    expect(answer.resultType).toBe('VECTOR');
    expect(answer.series).toEqual(
      [ours[0]!, ours[2]!].map((one, i) => ({
        labels: { gpu: String(i) },
        gpu: String(i),
        values: null,
        value: seenAt(end, one),
      })),
    );
  });

  test.each([
    ['1 + 2 * 3', 7],
    ['scalar(count(many))', 120],
    ['-(time())', -NOW],
    ['0 / 0', null],
  ])('the scalar %s is a value alone', async (query, value) => {
    const answer = await answerTo(query, { instant: true });
    expect([answer.resultType, answer.value, answer.series, answer.seriesTotal]).toEqual(['SCALAR', value, [], 0]);
    expect(answer.note).toBe(value === null ? '1 value is NaN or infinite, and shown as null.' : null);
  });

  test('infinite values are null, and counted', async () => {
    const answer = await answerTo('temp{cluster="aurora"} / 0', { instant: true });
    expect(answer.series.map(({ value }: Reply['data']) => value)).toEqual([null, null]);
    expect(answer.note).toBe('2 values are NaN or infinite, and shown as null.');
  });
});

describe('a hundred series', () => {
  test('of more are shown, the same each time, and the rest is told', async () => {
    const [first, second] = [await answerTo('many'), await answerTo('many', { instant: true })];
    for (const answer of [first, second]) {
      expect([answer.series.length, answer.seriesTotal, answer.truncated]).toEqual([100, 120, true]);
      expect(answer.note).toBe('100 of 120 series are shown: aggregate them (sum by, topk), or narrow the matchers.');
      const shown = answer.series.map(({ labels }: Reply['data']) => labels.i);
      expect(shown).toEqual(
        Array.from({ length: 120 }, (_, i) => String(i))
          .toSorted()
          .slice(0, 100),
      );
    }
  });

  test('are the largest, where the query sorts them', async () => {
    const valuesOf = async (query: string) =>
      (await answerTo(query, { instant: true })).series.map(({ value }: Reply['data']) => value);
    const rising = Array.from({ length: 120 }, (_, i) => i + 1);
    expect(await valuesOf('sort(many)')).toEqual(rising.slice(0, 100));
    expect(await valuesOf('sort_desc(many)')).toEqual(rising.toReversed().slice(0, 100));
    expect(await valuesOf('topk(110, many)')).toEqual(rising.toReversed().slice(0, 100));
    expect(await valuesOf('(bottomk(110, many))')).toEqual(rising.slice(0, 100));
  });
});

describe('whose series are seen', () => {
  test.each([
    ['only those of the own clusters', 'count by (cluster) ({__name__=~".+"})', ['aurora', 'lab.a']],
    ['not those of a cluster that is named', 'count by (cluster) (temp{cluster="crux"})', []],
    ['not those of everything but the own', 'count by (cluster) (temp{cluster!~"aurora|lab.*"})', []],
    ['not those that have no cluster', 'up', []],
    ['not behind an aggregation that hides it', 'count by (cluster) (temp or up)', ['aurora', 'lab.a']],
  ])('%s', async (_what, query, clusters) => {
    const { series } = await answerTo(query, { instant: true });
    expect(series.map(({ labels }: Reply['data']) => labels.cluster)).toEqual(clusters);
  });

  test('absent() answers as it would without the confinement', async () => {
    const { series } = await answerTo('absent(nothing{a="b"})', { instant: true });
    expect(series.map(({ labels, value }: Reply['data']) => [labels, value])).toEqual([[{ a: 'b' }, 1]]);
  });

  test('a store of one’s own is asked as it stands', async () => {
    const { series } = await answerTo('count(up)', { instant: true }, 'own-token');
    expect(series.map(({ value }: Reply['data']) => value)).toEqual([1]);
  });

  test('nothing that matched is no all-clear', async () => {
    const { note, series } = await answerTo('no_such_metric', { window: { range: 'LAST_1H' } });
    expect(series).toEqual([]);
    expect(note).toBe(
      `Nothing matched from ${iso(ago(3600))} to ${iso(NOW)} (asked of aurora, lab.a). That says nothing of health: check the metric's name and the matchers, and that the series carry the label of a cluster of yours.`,
    );
  });
});

describe('which island is asked', () => {
  test('of several it has to be named', async () => {
    const { data, errors, status } = await ask('temp', {}, 'both-token');
    expect([data.metricsQuery, status, errors!.length]).toEqual([null, 422, 1]);
    expect(errors![0]).toMatchObject({
      message: 'Your clusters are on several islands, and a query asks one: name it with the argument island.',
      extensions: {
        code: 'BAD_REQUEST',
        candidates: [
          { name: 'crux', island: 'north' },
          { name: 'crux', island: 'south' },
        ],
      },
    });
  });

  test.each([
    ['north', ['0', '2']],
    ['south', ['5']],
  ])('%s', async (island, gpus) => {
    const { series } = await answerTo('temp', { island, instant: true }, 'both-token');
    expect(series.map(({ gpu }: Reply['data']) => gpu)).toEqual(gpus);
  });

  test('one of others and one that is none are refused alike', async () => {
    const [theirs, none] = await Promise.all(['south', 'nowhere'].map((island) => ask('temp', { island })));
    const words = ({ errors }: Reply) => [errors![0]!.extensions, errors![0]!.message.replace(/"\w+"/, '')];
    expect(words(theirs!)).toEqual([{ code: 'NOT_FOUND', status: 404 }, 'There is no island  here.']);
    expect(words(none!)).toEqual(words(theirs!));
  });

  test.each(['odd', 'pattern', 'mixed'])('clusters that no one label names cannot be asked: %s', async (name) => {
    const { errors } = await ask('temp', {}, `${name}-token`);
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining('not told apart by the values of one label'),
      extensions: { code: 'BAD_REQUEST', status: 422 },
    });
  });
});

describe('what is refused', () => {
  test.each([
    ['a raw range', 'temp[5m]', 'query_result', /every raw sample of a range.*avg_over_time\(\) or rate\(\)/],
    ['a subquery alone', '(max(temp)[5m:1m])', 'query_result', /every raw sample of a range/],
    ['a text', '"abc"', 'query_result', /answers with a text/],
    [
      'what the store does not accept',
      'label_replace(temp, "a", "$1", "gpu", "(")',
      'query_rejected',
      /not accepted by the store: .*\(/,
    ],
    ['what cannot be matched', 'temp * on (node) temp', 'query_rejected', /not accepted by the store: .*duplicate/],
    [
      'what cannot be matched, with a name that sounds like a failure',
      'kube_deployment_status_replicas_unavailable / on () kube_deployment_status_replicas_unavailable',
      'query_rejected',
      /not accepted by the store: .*duplicate/,
    ],
  ])('%s', async (_what, query, reason, message) => {
    for (const instant of [true, false]) {
      const { data, errors, status } = await ask(query, { instant });
      expect([data.metricsQuery, status]).toEqual([null, 422]);
      expect(errors![0]).toMatchObject({
        message: expect.stringMatching(message),
        path: ['metricsQuery'],
        extensions: { code: 'BAD_REQUEST', status: 422, reason },
      });
      // Nothing of how it was confined, or where the store is.
      expect(JSON.stringify(errors)).not.toMatch(/\^\(aurora|127\.0\.0\.1|:\d{5}/);
    }
  });

  test('before the store is asked, where we refuse it', async () => {
    const before = gateway.requests().length;
    for (const query of ['temp[5m]', 'info(temp)', 'temp @ inf', 'sum(']) await ask(query);
    await ask('temp', { window: { points: 97 } });
    expect(gateway.requests().length).toBe(before);
  });

  test('one question is one request, however often a document asks it', async () => {
    const before = gateway.requests().length;
    const twice = 'metricsQuery(query: "max(temp)", instant: true) { series { value } }';
    const { data } = await gateway.query(`{ a: ${twice} b: ${twice} }`, {}, { authorization: 'Bearer acme-token' });
    expect(data.a).toEqual(data.b);
    expect(gateway.requests().length - before).toBe(1);
  });
});

test('what was sent is shown to the operator alone', async () => {
  const sentTo = async (token: string, query = 'max(temp) # all') => {
    const text = 'query ($query: String!) { metricsQuery(query: $query, instant: true) { query sent } }';
    return (await gateway.query(text, { query }, { authorization: `Bearer ${token}` })).data.metricsQuery;
  };
  const query = 'max(temp) # all';
  expect(await sentTo('acme-token')).toEqual({ query, sent: null });
  const sent = 'max(temp{cluster=~"^(aurora|lab\\\\.a)$"})';
  expect(await sentTo('acme-operator')).toEqual({ query, sent });
});
