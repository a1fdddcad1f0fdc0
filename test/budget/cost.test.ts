import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configForStore } from '../../src/config.ts';
import type { CostPart, OperationCost } from '../../src/domain/cost.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import type { Engine } from '../../src/embedded/store.ts';
import { everyClusterField, everyGpuField } from '../support/every-field.ts';
import { delay, type FaultyStore, refuse, startFaultyStore, status } from '../support/faulty-store.ts';
import { alerting } from '../support/fleet/alerts.ts';
import { ago, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { labelled, type Series } from '../support/fleet/series.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { judgedSite } from '../support/judged-fleet.ts';
import { metricsNamed, stillNodes } from '../support/still-fleet.ts';

type Cost = OperationCost & { readonly estimated: number | null; readonly limit: number };

const times = scrapes({ from: ago(2 * HOUR) });
const own = labelled({ cluster: 'a' }, judgedSite('a', 2, [{ node: 2, index: 5 }]).series);
const temperatures = (cluster: string, nodes: number): Series[] =>
  labelled({ cluster }, stillNodes(nodes, metricsNamed(/GPU_TEMP$/), times));
/** What is lent, and what is another organization's, by how much there is. */
const others = (nodes: number): Series[] => [
  ...temperatures('lent', nodes),
  ...temperatures('zeta-secret', nodes),
  ...Array.from({ length: nodes - 1 }, (_, at) => `zeta-n${at}`).flatMap((node) =>
    labelled({ cluster: 'zeta-secret' }, [alerting({ name: 'GPUHighTemperature', labels: { node } }, 'firing', times)]),
  ),
];

const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
let few: EmbeddedStore;
let many: EmbeddedStore;
let faulty: FaultyStore;
beforeAll(async () => {
  few = await startStore(engine === undefined ? {} : { engine });
  many = await startStore(engine === undefined ? {} : { engine });
  await few.load([...own, ...others(1)]);
  await many.load([...own, ...others(5)]);
  faulty = await startFaultyStore(many.url);
});
afterAll(async () => {
  await faulty?.close();
  await few?.close();
  await many?.close();
});

const tokens = { client: 'token-of-a-client-0123456789', operator: 'token-of-the-operator-0123456789' } as const;

async function fresh(url = many.url, limits: object = {}): Promise<Gateway> {
  const cluster = { name: 'a', island: 'north', vendor: 'nvidia', model: 'H100' };
  const gateway = await startGateway({
    config: JSON.stringify({
      islands: [{ name: 'north', prometheus: { url }, sharedPool: ['lent'] }],
      organizations: [
        { name: 'acme', tokens: [tokens.client, { token: tokens.operator, operator: true }], clusters: [cluster] },
        { name: 'zeta', tokens: ['token-of-zeta-0123456789'], clusters: [{ ...cluster, name: 'zeta-secret' }] },
      ],
      models: { 'NVIDIA H100.*': 'H100' },
      limits,
    }),
    now: () => NOW,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function ask(gateway: Gateway, document: string, who: keyof typeof tokens | 'open' = 'operator', wanted = '1') {
  const counts = () => ({ requests: gateway.requests().length, samples: gateway.samples(), bytes: gateway.bytes() });
  const before = counts();
  const reply = await gateway.query(
    document,
    {},
    {
      ...(who !== 'open' && { authorization: `Bearer ${tokens[who]}` }),
      ...(wanted !== '' && { 'x-gpuql-cost': wanted }),
    },
  );
  const after = counts();
  const cost = reply.extensions?.cost as Cost;
  return {
    ...reply,
    cost,
    named: (what: string) => cost.parts.filter((part) => part.what === what),
    sent: {
      requests: after.requests - before.requests,
      samples: after.samples - before.samples,
      bytes: after.bytes - before.bytes,
    },
  };
}

const of = (selection: string): string => `{ cluster(name: "a", window: { range: LAST_1H }) { ${selection} } }`;
const temperature = of('nodes { nodes { gpus { tempC { max values } } } }');
/** Over a day the store is asked for figures, not for samples. */
const figures = temperature.replace('LAST_1H', 'LAST_24H');
const totals = ({ requests, samples, bytes }: OperationCost) => ({ requests, samples, bytes });

describe('the operator is told exactly what the stores’ clients counted', () => {
  test.each([
    ['one reading', temperature],
    ['every field of every GPU', of(`nodes { nodes { gpus { ${everyGpuField} } } }`)],
    ['everything', of(everyClusterField(2))],
    ['the reference', of('reference { tempP95C }')],
    ['a free query', '{ metricsQuery(query: "max by (gpu) (DCGM_FI_DEV_GPU_TEMP)", instant: true) { seriesTotal } }'],
    ['two windows', `{ a: ${temperature.slice(1, -1)} b: cluster(name: "a") { nodes { totalCount } } }`],
    ['what needs no store', '{ organization { name } }'],
  ])('%s', async (_what, document) => {
    const gateway = await fresh();
    const first = await ask(gateway, document);
    expect(first.errors).toBeUndefined();
    expect(totals(first.cost)).toEqual(first.sent);
    const again = await ask(gateway, document);
    expect(totals(again.cost), 'once more, with what is kept').toEqual(again.sent);
    expect(again.sent.requests).toBeLessThanOrEqual(first.sent.requests);
    const sums = again.cost.parts.reduce((sum, { requests }) => sum + requests, 0);
    expect(sums).toBe(again.cost.requests);
  });

  test('a request that failed, and one that was sent twice', async () => {
    const store = await startFaultyStore(many.url);
    onTestFinished(() => store.close());
    const gateway = await fresh(store.url);
    await ask(gateway, of('nodes { totalCount }'));
    const before = store.requests.length;
    store.next(refuse, status(500, '{"status":"error","errorType":"internal","error":"at http://10.0.0.1"}'));
    const failed = await ask(gateway, temperature);
    expect(failed.errors).toBeDefined();
    expect(failed.cost.requests, 'as the store saw them').toBe(store.requests.length - before);
    expect(failed.cost.requests).toBe(failed.sent.requests + 1);
    expect(failed.cost).toMatchObject({ bytes: failed.sent.bytes, samples: failed.sent.samples });
    expect(failed.cost.parts.filter((part) => part.failed).length).toBeGreaterThan(0);
    expect(failed.cost.parts.some(({ requests }) => requests === 2)).toBe(true);
    expect(JSON.stringify(failed.cost)).not.toMatch(/10\.0\.0\.1|127\.0\.0\.1/);
  });
});

test('parts say when, how long, what of which cluster, and stand in the order of their start', async () => {
  const slow = await startFaultyStore(many.url);
  onTestFinished(() => slow.close());
  slow.always(({ path }) => (path.endsWith('/query_range') ? delay(120) : undefined));
  const { cost, named } = await ask(await fresh(slow.url), figures);
  expect(cost.parts.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['metrics', 'metrics: seen lately', 'list of nodes', 'tempC: max', 'tempC: values']),
  );
  expect(cost.parts.every(({ cluster, island }) => cluster === 'a' && island === 'north')).toBe(true);
  const starts = cost.parts.map(({ startedMs }) => startedMs);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  const [values] = named('tempC: values');
  expect(values!.tookMs).toBeGreaterThan(115);
  expect(named('tempC: max')[0]!.tookMs).toBeLessThan(values!.tookMs!);
  const [names] = named('metrics');
  const [list] = named('list of nodes');
  expect(list!.startedMs).toBeGreaterThanOrEqual(names!.startedMs + names!.tookMs! - 0.2);
  expect(cost.tookMs).toBeGreaterThanOrEqual(values!.startedMs + values!.tookMs! - 0.2);
});

test('what was kept cost nothing, and what is under way is shared', async () => {
  const gateway = await fresh();
  await ask(gateway, figures);
  const kept = await ask(gateway, figures);
  expect(kept.named('metrics')).toMatchObject([{ from: 'kept', requests: 0, samples: 0, bytes: 0 }]);
  expect(kept.named('list of nodes')).toMatchObject([{ from: 'kept', requests: 0 }]);

  const both = await Promise.all([ask(gateway, figures), ask(gateway, figures)]);
  const [one, two] = both.map(({ named }) => named('tempC: values'));
  expect([one![0]!.from, two![0]!.from].sort()).toEqual(['shared', 'store']);
  expect(one!.concat(two!).reduce((sum, { requests }) => sum + requests, 0)).toBe(1);
  expect(one!.concat(two!).find(({ from }) => from === 'shared')).toMatchObject({ samples: 0, bytes: 0 });
});

describe('a client is told', () => {
  // Label sets come zipped, and in any order, which makes them a little longer or shorter.
  const isZipped = ({ what }: CostPart): boolean => /^(list of nodes|pods: owners|workloads: \w+)$/.test(what);
  const zippedBytes = ({ parts }: Cost): number =>
    parts.filter(isZipped).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const untimed = ({ parts }: Cost): string[] =>
    parts
      .map((part) => ({ ...part, startedMs: 0, tookMs: 0, ...(isZipped(part) && { bytes: 0 }) }))
      .map((part) => JSON.stringify(part))
      .sort();

  test('the same whatever others have in the store, and no PromQL', async () => {
    const document = of(everyClusterField(2));
    const [alone, among] = [
      await ask(await fresh(few.url), document, 'client'),
      await ask(await fresh(many.url), document, 'client'),
    ];
    expect(alone.cost.requests).toBeGreaterThan(20);
    expect(untimed(among.cost)).toEqual(untimed(alone.cost));
    expect(Math.abs(zippedBytes(among.cost) - zippedBytes(alone.cost))).toBeLessThan(0.05 * zippedBytes(alone.cost));
    expect({ ...totals(among.cost), bytes: 0 }).toEqual({ ...totals(alone.cost), bytes: 0 });
    expect(among.cost.parts.some(({ bytes }) => bytes === null)).toBe(true);
    const text = JSON.stringify(among.cost);
    expect(text).not.toMatch(/promql|waitedMs|zeta|lent|http|_over_time|\{cluster|acme/);

    const operator = await ask(await fresh(many.url), document, 'operator');
    expect(operator.cost.parts.every(({ bytes }) => bytes !== null)).toBe(true);
    const told = operator.cost.parts.filter(({ from }) => from === 'store');
    expect(told.every(({ promql, waitedMs }) => promql!.length > 0 && waitedMs! >= 0)).toBe(true);
    expect(operator.named('tempC: raw')[0]!.promql![0]).toContain('DCGM_FI_DEV_GPU_TEMP{');
  });

  test('what is its own, exactly', async () => {
    const gateway = await fresh();
    await ask(gateway, of('nodes { totalCount }'));
    const { cost, sent } = await ask(gateway, temperature, 'client');
    expect(totals(cost)).toEqual(sent);
  });

  test('nothing, without the header', async () => {
    const { extensions } = await ask(await fresh(), temperature, 'client', '');
    expect(extensions).toBeUndefined();
  });

  test.each(['0', 'true', 'estimate, 1', 'promql'])('that %s is no way to ask', async (wanted) => {
    const gateway = await fresh();
    const { errors, sent, extensions } = await ask(gateway, temperature, 'client', wanted);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('X-Gpuql-Cost is 1'), extensions: { code: 'BAD_REQUEST' } },
    ]);
    expect([sent.requests, extensions]).toEqual([0, undefined]);
  });

  test('nothing, where it is not known who asks', async () => {
    const reply = await (await fresh()).query(temperature, {}, { authorization: 'Bearer x', 'x-gpuql-cost': '1' });
    expect([reply.status, reply.extensions]).toEqual([401, undefined]);
  });
});

describe('an estimate', () => {
  test.each(['client', 'operator'] as const)('asks no store, for the %s', async (who) => {
    const gateway = await fresh();
    const estimate = await ask(gateway, temperature, who, 'estimate');
    expect(estimate).toMatchObject({ status: 200, data: null, sent: { requests: 0 } });
    expect(estimate.errors).toBeUndefined();
    expect(estimate.cost).toMatchObject({ limit: 5_000_000_000, requests: 0, samples: 0, bytes: 0, parts: [] });
    // Two parts of 100 nodes with 8 GPUs, as nothing is known yet.
    expect(estimate.cost.estimated).toBeGreaterThan(100 * 8 * 2);

    const run = await ask(gateway, temperature, who);
    expect(run.cost.estimated, 'the same is said beside the answer').toBe(estimate.cost.estimated);
    const known = await ask(gateway, temperature, who, 'estimate');
    expect(known.cost.estimated, 'the cluster has 2 nodes').toBeLessThan(estimate.cost.estimated! / 10);
    expect(known.cost.estimated).toBeGreaterThanOrEqual(run.cost.requests);
  });

  test.each(['1', 'estimate'])('of a document that costs too much stands beside its refusal (%s)', async (wanted) => {
    const gateway = await fresh(many.url, { cost: 1000 });
    for (const _again of [1, 2]) {
      const { errors, cost, status: code, sent, data } = await ask(gateway, temperature, 'client', wanted);
      expect([code, errors![0]!.extensions.code, sent.requests, data]).toEqual([422, 'QUERY_TOO_LARGE', 0, undefined]);
      expect(cost).toMatchObject({ limit: 1000, requests: 0, parts: [] });
      expect(cost.estimated).toBeGreaterThan(1000);
    }
  });

  test('is null where the document was refused before it was known', async () => {
    const { errors, cost } = await ask(await fresh(), `{ ${'a: __typename '.repeat(51)} }`, 'client');
    expect(errors![0]!.extensions.code).toBe('QUERY_TOO_LARGE');
    expect(cost.estimated).toBeNull();
  });

  test('of a document that is not valid is refused as the document is', async () => {
    const { errors, status: code } = await ask(await fresh(), '{ cluster(name: "a") { nmae } }', 'client', 'estimate');
    expect([code, errors![0]!.extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });
});

test('the search for clusters is counted for the operation that began it', async () => {
  const gateway = await startGateway({ config: configForStore(few.url), now: () => NOW });
  onTestFinished(() => gateway.close());
  const first = await ask(gateway, '{ clusters { name } }', 'open');
  expect(first.named('list of clusters').length).toBeGreaterThan(0);
  expect(totals(first.cost)).toEqual(first.sent);
  const second = await ask(gateway, '{ clusters { name } }', 'open');
  expect(second.named('list of clusters')).toMatchObject([{ from: 'kept', cluster: null }]);
});
