import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configForStore } from '../../src/config.ts';
import { type Engine, type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { type FaultyStore, startFaultyStore } from '../support/faulty-store.ts';
import { ago, DAY, HOUR, iso, NOW, scrapes } from '../support/fleet/clock.ts';
import { labelled, series } from '../support/fleet/series.ts';
import { type ServedGateway, serveGateway } from '../support/served-gateway.ts';

const times = scrapes({ from: ago(HOUR) });
const gpu = (node: string, value: number) => series('DCGM_FI_DEV_GPU_TEMP', { gpu: '0', Hostname: node }, times, value);
const up = series('up', { instance: 'monitor:9090' }, times, 1);

/** A gateway that was given a store and nothing else. */
function over(loaded: Parameters<EmbeddedStore['load']>[0]) {
  let store: EmbeddedStore;
  let recorded: FaultyStore;
  const served = {} as { gateway: ServedGateway; asked: () => number };
  beforeAll(async () => {
    const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
    store = await startStore(engine ? { engine } : {});
    await store.load(loaded);
    recorded = await startFaultyStore(store.url);
    served.gateway = await serveGateway(configForStore(recorded.url));
    served.asked = () => recorded.requests.length;
  });
  afterAll(async () => {
    await served.gateway?.close();
    await recorded?.close();
    await store?.close();
  });
  return served;
}

const long = `window: { start: "${iso(ago(15 * DAY))}", end: "${iso(NOW)}" }`;
const refused = [
  ['cluster', `{ refused: cluster(name: "a", ${long}) { name } }`],
  ['clusters', `{ refused: clusters(${long}) { name } }`],
  ['organization.clusters', `{ organization { refused: clusters(${long}) { name } } }`],
  ['metricsQuery', `{ refused: metricsQuery(query: "up", ${long}) { note } }`],
  ['a query that is none', '{ refused: metricsQuery(query: "sum(") { note } }'],
] as const;

describe('a store without clusters', () => {
  const served = over([up]);

  test.each(refused)('%s: what cannot be is refused, and nothing is asked for it', async (_field, document) => {
    const { errors } = await served.gateway.query(document);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST']);
    expect(served.asked()).toBe(0);
  });

  test('is asked by a free query all the same, and what matched nothing is told so', async () => {
    const { data } = await served.gateway.query(`{
      all: metricsQuery(query: "count(up)", instant: true) { series { value } note }
      none: metricsQuery(query: "nothing", instant: true) { series { value } note }
    }`);
    expect(data.all).toEqual({ series: [{ value: 1 }], note: null });
    expect(data.none.note).toBe(
      `Nothing matched at ${iso(NOW)} (asked of the whole store). That says nothing of health: check the metric's name and the matchers.`,
    );
  });
});

describe('a store with clusters, and GPUs of none', () => {
  const served = over([up, gpu('n2', 50), ...labelled({ cluster: 'a' }, [gpu('n1', 40)])]);

  test.each(refused)('%s: what cannot be is refused, and nothing is asked for it', async (_field, document) => {
    const { errors } = await served.gateway.query(document);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST']);
    expect(served.asked()).toBe(0);
  });

  test('a free query sees all of it', async () => {
    const { data } = await served.gateway.query(`{
      clusters { name }
      metricsQuery(query: "max by (cluster) ({__name__=~\\"DCGM_FI_DEV_GPU_TEMP|up\\"})", instant: true) {
        series { cluster: label(name: "cluster") value }
      }
    }`);
    expect(data.clusters).toEqual([{ name: 'a' }, { name: 'default' }]);
    expect(data.metricsQuery.series).toEqual([
      { cluster: 'a', value: 40 },
      { cluster: null, value: 50 },
    ]);
  });
});
