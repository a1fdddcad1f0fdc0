import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { readConfig } from '../../src/config.ts';
import { createStore } from '../../src/prometheus/store.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { createApp } from '../../src/server/app.ts';
import { startStore, type EmbeddedStore } from '../../src/embedded/store.ts';
import { startGateway } from '../support/gateway.ts';
import { delay, type FaultyStore, startFaultyStore, status, warnings } from '../support/faulty-store.ts';
import { NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { labelled } from '../support/fleet/series.ts';

let store: EmbeddedStore;
let faulty: FaultyStore;
const config = () =>
  JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: faulty.url } }],
    organizations: [
      {
        name: 'acme',
        clusters: [
          { name: 'a', island: 'north', vendor: 'nvidia', model: 'H100' },
          { name: 'b', island: 'north', vendor: 'nvidia', model: 'H100' },
        ],
      },
    ],
    models: { 'NVIDIA H100.*': 'H100' },
  });
beforeAll(async () => {
  store = await startStore();
  await store.load(
    ['a', 'b'].flatMap((cluster) => labelled({ cluster }, dcgm({ node: 'n1' }, scrapes(), stockList(cluster)))),
  );
  faulty = await startFaultyStore(store.url);
});
afterAll(async () => {
  await faulty?.close();
  await store?.close();
});
const fresh = () => {
  faulty.next();
  faulty.always(() => undefined);
  return startGateway({ config: config(), now: () => NOW });
};
const app = () => {
  faulty.next();
  faulty.always(() => undefined);
  const read = readConfig(config(), {}, readingNames);
  const one = createStore(read.stores.get('north')!);
  return createApp({
    ...gatewayOver({
      config: read,
      askFor: (organization) => () => one.askFor(organization),
      now: () => NOW,
      log: () => {},
    }),
    ready: async () => true,
    log: () => {},
  });
};
const about = (r: { parameters: URLSearchParams }, text: string) =>
  [...r.parameters.values()].some((v) => v.includes(text));

describe('a reading whose store failed', () => {
  test('is an error at its path; what answered beside it stays', async () => {
    const g = await fresh();
    faulty.always((r) => (about(r, 'POWER_USAGE') && r.path.endsWith('/query') ? status(500, '') : undefined));
    const { data, errors } = await g.query(
      '{ cluster(name:"a") { node(name:"n1") { gpus { tempC { mean } powerW { mean } } } } }',
    );
    expect(data.cluster.node.gpus[0].tempC.mean).toBeGreaterThan(0);
    expect(data.cluster.node.gpus[0].powerW).toBeNull();
    expect(errors?.[0]?.path).toEqual(['cluster', 'node', 'gpus', 0, 'powerW']);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'METRICS_UNAVAILABLE', status: 503 });
    await g.close();
  });
  test('a failed probe is an error at coverage', async () => {
    const g = await fresh();
    faulty.always((r) => (about(r, 'label_replace') ? status(500, '') : undefined));
    const { data, errors } = await g.query(
      '{ cluster(name:"a") { coverage { missing } node(name:"n1") { coverage { missing } gpuCount } } }',
    );
    expect(data.cluster.coverage).toBeNull();
    expect(data.cluster.node).toEqual({ coverage: null, gpuCount: 1 });
    expect(errors).toHaveLength(2);
    await g.close();
  });
});
describe('what two requests share', () => {
  test('a partial discovery is a warning for both of them', async () => {
    const web = app();
    let once = 0;
    faulty.always((r) =>
      r.path.includes('__name__') && once++ === 0 ? delay(500, warnings(['one store is away'])) : undefined,
    );
    const ask = async () => {
      const response = await web.fetch('http://g/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ cluster(name:"a") { node(name:"n1") { coverage { missing } } } }' }),
      });
      return response.json();
    };
    const first = ask();
    await new Promise((go) => setTimeout(go, 100));
    const [one, two] = (await Promise.all([first, ask()])) as ReturnType<typeof JSON.parse>[];
    expect(one.extensions).toEqual({ warnings: ['a'] });
    expect(two.extensions).toEqual({ warnings: ['a'] });
  });
  test('a client that goes away takes no other client’s answer with it', async () => {
    const web = app();
    faulty.always((r) => (r.path.includes('__name__') ? delay(800) : undefined));
    const ask = (query: string, signal?: AbortSignal) =>
      Promise.resolve(
        web.fetch(
          new Request('http://g/graphql', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query }),
            ...(signal ? { signal } : {}),
          }),
        ),
      );
    const gone = new AbortController();
    const first = ask('{ cluster(name:"a") { node(name:"n1") { gpuCount } } }', gone.signal).catch(() => null);
    await new Promise((go) => setTimeout(go, 200));
    const second = ask('{ cluster(name:"a") { node(name:"n1") { name gpuCount } } }').then((r) => r.json());
    await new Promise((go) => setTimeout(go, 200));
    gone.abort();
    await first;
    expect(await second).toEqual({ data: { cluster: { node: { name: 'n1', gpuCount: 1 } } } });
  });
});
test('coverage of a cluster costs at most 4 requests, its names once discovered', async () => {
  const g = await fresh();
  await g.query('{ cluster(name:"a") { coverage { missing } } }');
  const before = g.requests().length;
  await g.query('{ cluster(name:"a") { coverage { missing } } }');
  expect(g.requests().length - before).toBeLessThanOrEqual(4);
  await g.close();
});
test('a cluster of ours that the island lends too is pooled once', async () => {
  const read = JSON.parse(config());
  const temps = (cluster: string, value: number, n: number) =>
    Array.from({ length: n }, (_, i) =>
      labelled({ cluster }, dcgm({ node: `${cluster}-${i}` }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: value })),
    ).flat();
  await store.load([...temps('hot', 80, 1), ...temps('cool', 60, 23)]);
  read.organizations[0].clusters = ['hot', 'cool'].map((name) => ({
    name,
    island: 'north',
    vendor: 'nvidia',
    model: 'H100',
  }));
  read.islands[0].sharedPool = ['hot'];
  const g = await startGateway({ config: JSON.stringify(read), now: () => NOW });
  faulty.always(() => undefined);
  expect(
    (await g.query('{ cluster(name:"cool", window:{range:LAST_1H}) { reference { tempP95C } } }')).data.cluster
      .reference.tempP95C,
  ).toBe(60);
  await g.close();
});
test('over HTTP too, a client that goes away takes no other’s answer with it', async () => {
  const { createServer } = await import('node:http');
  const server = createServer(app()).listen(0, '127.0.0.1');
  await new Promise((go) => server.once('listening', go));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  faulty.always((r) => (r.path.includes('__name__') ? delay(800) : undefined));
  const post = (signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ cluster(name:"a") { node(name:"n1") { gpuCount } } }' }),
      ...(signal ? { signal } : {}),
    });
  const gone = new AbortController();
  const first = post(gone.signal).catch(() => null);
  await new Promise((go) => setTimeout(go, 200));
  const second = post().then((r) => r.json());
  await new Promise((go) => setTimeout(go, 200));
  gone.abort();
  await first;
  expect(await second).toEqual({ data: { cluster: { node: { gpuCount: 1 } } } });
  server.close();
});
