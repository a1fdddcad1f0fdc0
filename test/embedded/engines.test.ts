import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { engines } from '../../src/embedded/engines.ts';
import { startStore, type EmbeddedStore, type Engine } from '../../src/embedded/store.ts';
import { day, now, query, ramp, type Found } from './ramp.ts';

describe.each(Object.keys(engines) as Engine[])('%s', (engine) => {
  let store: EmbeddedStore;
  beforeAll(async () => {
    store = await startStore({ engine });
  });
  afterAll(() => store.close());

  test('is the engine that was asked for', () => {
    expect(store.engine).toBe(engine);
    expect(store.version.startsWith(engines[engine].line)).toBe(true);
  });

  test('answers raw samples, the times to the millisecond and the values as they were', async () => {
    const times = [now - 90.25, now - 60.001, now - 30, now - 0.5];
    const values = [0.1 + 0.2, 55.125, -1 / 3, 123_456.789];
    await store.load([{ labels: { __name__: 'exact', gpu: '0' }, times, values }]);
    const [row] = await query(store, 'exact[10m]', now);
    expect(row!.values!.map(([time]) => time)).toEqual(times);
    // VictoriaMetrics stores whole numbers with one decimal exponent for all: the largest value sets the last digit.
    const loss = engines[engine].family === 'prometheus' ? 0 : 1e-12;
    for (const [i, [, value]] of row!.values!.entries()) {
      expect(Math.abs(Number(value) - values[i]!)).toBeLessThanOrEqual(loss);
    }
  });

  test('keeps long and foreign label values whole', async () => {
    const labels = { model: 'H'.repeat(300), rack: 'Straße "7"\\b\n', gpu: '1' };
    await store.load([ramp({ set: 'labels', ...labels }, now - 60, 30, 3)]);
    const [row] = await query(store, 'ramp{set="labels"}', now);
    expect(row!.metric).toMatchObject(labels);
  });

  test('shows the newest sample at once', async () => {
    await store.load([ramp({ set: 'newest' }, now - 300, 30, 11)]);
    const [row] = await query(store, 'ramp{set="newest"}', now);
    expect(row?.value).toEqual([now, '1.25']);
  });

  test('answers a range at the times that were asked for', async () => {
    await store.load([ramp({ set: 'grid' }, now - 2 * day, 60, 200)]);
    const start = now - 2 * day + 7;
    const asked = { query: 'ramp{set="grid"}', start: `${start}`, end: `${start + 99 * 60}`, step: '60' };
    const answer = await fetch(`${store.url}/api/v1/query_range?${new URLSearchParams(asked)}`);
    const { data } = (await answer.json()) as { data: { result: Found[] } };
    expect(data.result[0]?.values?.map(([time]) => time)).toEqual(
      Array.from({ length: 100 }, (_, i) => start + i * 60),
    );
  });

  test('takes 24 h, 14 d and 45 d old samples after new ones, series in any order', async () => {
    const starts = [now - 3600, now - day, now - 14 * day, now - 13 * day, now - 45 * day];
    for (const [i, start] of starts.entries()) await store.load([ramp({ set: 'ages', i: String(i) }, start, 30, 100)]);
    for (const [i, start] of starts.entries()) {
      const [row] = await query(store, `ramp{set="ages",i="${i}"}[1h]`, start + 3000);
      expect(row?.values, `series ${i}`).toHaveLength(100);
    }
  });

  test('takes samples older than the newest of the same series', async () => {
    for (const start of [now - 3600, now - 14 * day]) await store.load([ramp({ set: 'back' }, start, 30, 100)]);
    for (const end of [now, now - 14 * day + 3600]) {
      const [row] = await query(store, 'count_over_time(ramp{set="back"}[61m])', end);
      expect(row?.value?.[1]).toBe('100');
    }
  });

  test('shows every sample of many series at once', async () => {
    const start = now - day;
    const series = Iterator.from(Array(200).keys()).map((i) => ramp({ set: 'many', i: String(i) }, start, 60, 1000));
    await store.load(series);
    const [row] = await query(store, 'sum(count_over_time(ramp{set="many"}[25h]))', now);
    expect(row?.value?.[1]).toBe('200000');
  });
});
