import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isVictoriaMetrics, type RunWorld, startRuns } from '../support/runs.ts';

const now = Date.now();
const metric = (minutes: number, value: number, name = 'train/loss') => ({
  kind: 'metric',
  ts_ms: now - minutes * 60_000,
  step: 1000 - minutes,
  name,
  value,
});
const minutes = (from: number, to: number, every = 1) =>
  Array.from({ length: Math.floor((from - to) / every) + 1 }, (_, i) => metric(from - i * every, from - i * every));
const lossIn = async (world: RunWorld, run: string, name = 'train/loss') =>
  (await world.raw(run))
    .find(({ labels }) => labels['metric'] === name)
    ?.samples.map(([tsMs]) => (now - tsMs) / 60_000) ?? [];

const windows = { tsdb: { block: '2h', outOfOrderWindow: '0s' } };

describe.skipIf(isVictoriaMetrics)('a Prometheus that takes nothing behind the newest sample of a series', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await startRuns({ store: windows, now: () => now / 1000 });
    // What it takes at all is told by the newest sample of all.
    await world.report({ run: 'clock', events: [metric(0, 1)] });
  });
  afterAll(() => world.close());

  test('late events are counted as refused, those in order are written', async () => {
    await world.report({ run: 'late', events: minutes(30, 20) });
    const writes = world.gateway.writes();
    // What it has lies between them, and farther from both than is read.
    const { data } = await world.report({ run: 'late', events: [...minutes(40, 31), ...minutes(19, 10)] });
    expect(data.reportRun).toMatchObject({
      written: 10,
      refused: 10,
      note: expect.stringMatching(/^The store refused 10 events: .*out_of_order_time_window\)\.$/),
    });
    expect(await lossIn(world, 'late')).toEqual(minutes(30, 10).map(({ ts_ms }) => (now - ts_ms) / 60_000));
    expect(world.gateway.writes() - writes).toBe(5);
  });

  test('among others that are not late', async () => {
    await world.report({ run: 'some', events: [...minutes(30, 20), metric(30, 1, 'b')] });
    const events = [...minutes(40, 31), metric(25, 1, 'b'), metric(24, 1, 'c')];
    const { data } = await world.report({ run: 'some', events });
    expect(data.reportRun).toMatchObject({ written: 2, refused: 10 });
    expect([await lossIn(world, 'some', 'b'), await lossIn(world, 'some', 'c')]).toEqual([[30, 25], [24]]);
    expect((await world.report({ run: 'some', events })).data.reportRun).toMatchObject({ repeated: 2, refused: 10 });
  });

  test('where it has samples of the series between those of the report, what lies behind them is refused alone', async () => {
    await world.report({ run: 'between', events: [metric(25, 9)] });
    const { data } = await world.report({ run: 'between', events: minutes(30, 20) });
    expect(data.reportRun).toMatchObject({ written: 5, refused: 5, conflicting: 1 });
    expect(await lossIn(world, 'between')).toEqual([25, 24, 23, 22, 21, 20]);
  });

  test.each([
    ['one series', (i: number) => metric(600 - i, i)],
    ['five series', (i: number) => metric(600 - Math.floor(i / 5), i, `m${i % 5}`)],
    ['a series for each event', (i: number) => metric(600 - (i % 3), i, `m${i}`)],
  ])('500 events that are too old are done with after a few requests: %s', async (_of, event) => {
    const events = Array.from({ length: 500 }, (_, i) => event(i));
    const writes = world.gateway.writes();
    const { data } = await world.report({ run: 'old', events });
    expect(data.reportRun).toMatchObject({
      written: 0,
      refused: 500,
      note: expect.stringMatching(/takes nothing that old/),
    });
    expect(await world.raw('old')).toEqual([]);
    expect(world.gateway.writes() - writes).toBeLessThan(20);
  });

  test('a report across the oldest that it takes: the newer part is written', async () => {
    const { data } = await world.report({ run: 'across', events: minutes(120, 1) });
    const held = await lossIn(world, 'across');
    const { written, refused } = data.reportRun;
    expect([written + refused, held.length]).toEqual([120, written]);
    expect(held).toEqual(minutes(written, 1).map(({ ts_ms }) => (now - ts_ms) / 60_000));
    // It takes an hour, and half of what was offered with something older can be lost to that.
    expect(written).toBeGreaterThanOrEqual(30);
  });

  test('a state that is late is refused whole', async () => {
    await world.report({ run: 'state', status: { at: now - 60_000, state: { a: 1 } } });
    const { data } = await world.report({ run: 'state', status: { at: now - 120_000, state: { a: 1, b: 2 } } });
    expect(data.reportRun.note).toBe('The state was not written: the store takes nothing that old.');
    expect(await world.raw('state')).toHaveLength(1);
  });
});

describe.skipIf(isVictoriaMetrics)('a Prometheus that takes two hours', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await startRuns({ store: { tsdb: { block: '2h', outOfOrderWindow: '2h' } }, now: () => now / 1000 });
    await world.report({ run: 'clock', events: [metric(0, 1)] });
  });
  afterAll(() => world.close());

  test('late events are written, and what is older is refused', async () => {
    await world.report({ run: 'late', events: minutes(30, 20) });
    const events = [...minutes(110, 31), ...minutes(19, 1)];
    expect((await world.report({ run: 'late', events })).data.reportRun).toMatchObject({ written: 99, refused: 0 });
    const { data } = await world.report({ run: 'late', events: minutes(160, 1) });
    expect(data.reportRun).toMatchObject({
      written: 10,
      refused: 40,
      repeated: 110,
      note: expect.stringMatching(/that old/),
    });
    expect(await lossIn(world, 'late')).toEqual(minutes(120, 1).map(({ ts_ms }) => (now - ts_ms) / 60_000));
  });
});

describe('a store with a wide window', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await startRuns({ now: () => now / 1000 });
  });
  afterAll(() => world.close());

  test('takes what is late, in any order, and doubles none of it', async () => {
    const all = minutes(300, 1);
    await world.report({ run: 'late', events: all.slice(200) });
    await world.report({ run: 'late', events: all.slice(0, 100).toReversed() });
    const { data } = await world.report({ run: 'late', events: all });
    expect(data.reportRun).toMatchObject({ written: 100, repeated: 200, refused: 0, note: null });
    expect(await lossIn(world, 'late')).toEqual(all.map(({ ts_ms }) => (now - ts_ms) / 60_000));
  });
});
