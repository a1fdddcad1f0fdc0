import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startStore, type EmbeddedStore } from '../../src/embedded/store.ts';
import { day, now, query, ramp } from './ramp.ts';

const exporter = createServer((request, response) => {
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(`scraped{instance="inner",path="${request.url}"} 7 ${(now - 60) * 1000}\n`);
});
beforeAll(async () => {
  exporter.listen(0, '127.0.0.1');
  await once(exporter, 'listening');
});
afterAll(() => exporter.close());

describe.each(['prometheus-3', 'prometheus-2'] as const)('%s', (engine) => {
  let store: EmbeddedStore;
  beforeAll(async () => {
    const url = `http://127.0.0.1:${(exporter.address() as AddressInfo).port}/metrics?part=a`;
    const labels = { cluster: 'alpha' };
    store = await startStore({ engine, scrape: [{ job: 'gpus', url, intervalS: 0.2, honorLabels: true, labels }] });
  });
  afterAll(() => store.close());

  test('scrapes an exporter with its labels and its times', async () => {
    for (let i = 0; i < 100 && (await query(store, 'scraped', now)).length === 0; i++) await sleep(100);
    const [row] = await query(store, 'scraped[5m]', now);
    expect(row?.metric).toMatchObject({ job: 'gpus', instance: 'inner', path: '/metrics?part=a', cluster: 'alpha' });
    expect(row?.values).toEqual([[now - 60, '7']]);
  });

  test('keeps the odd numbers', async () => {
    const values = [Number.NaN, Infinity, -Infinity, -0, 1e-300];
    await store.load([{ labels: { __name__: 'odd' }, times: [now - 5, now - 4, now - 3, now - 2, now - 1], values }]);
    const [row] = await query(store, 'odd[1m]', now);
    expect(row?.values?.map(([, value]) => value)).toEqual(['NaN', '+Inf', '-Inf', '-0', '1e-300']);
  });

  test('refuses in the words of the store', async () => {
    await store.load([ramp({ set: 'refused' }, now - 60, 30, 2)]);
    const ancient = store.load([ramp({ set: 'refused' }, now - 400 * day, 30, 2)]);
    await expect(ancient).rejects.toThrow(/store refused samples \(\d+\): .*(out of bounds|too old)/);
  });
});
