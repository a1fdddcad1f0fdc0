import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunWorld, startRuns } from '../support/runs.ts';

let world: RunWorld;
const now = Date.now();
beforeAll(async () => {
  world = await startRuns({ now: () => now / 1000 });
});
afterAll(() => world.close());

const metric = (seconds: number, name = 'train/loss') => ({
  kind: 'metric',
  ts_ms: now - seconds * 1000,
  step: 1,
  name,
  value: seconds,
});
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** What one report made the gateway ask, and write. */
async function costOf(variables: object) {
  const { gateway } = world;
  const before = [gateway.requests().length, gateway.writes(), gateway.samples()];
  const { data, errors } = await world.report(variables);
  expect(errors).toBeUndefined();
  const [asked, written, samples] = [gateway.requests().length, gateway.writes(), gateway.samples()].map(
    (count, i) => count - before[i]!,
  );
  return { asked, written, samples, report: data.reportRun };
}

const status = { at: now - 1000, state: Object.fromEntries(many(200, (i) => [`k${i}`, i])) };

test.each<[string, object, asked: number, written: number]>([
  ['one event', { run: 'one', events: [metric(1)] }, 1, 1],
  ['500 events of one series', { run: 'series', events: many(500, (i) => metric(i)) }, 1, 1],
  ['500 events of as many series', { run: 'wide', events: many(500, (i) => metric(1, `m${i}`)) }, 1, 1],
  [
    'names too long to be asked for',
    { run: 'long', events: many(500, (i) => metric(1, `${i}${'x'.repeat(500)}`)) },
    1,
    1,
  ],
  ['500 events ten minutes apart', { run: 'long-ago', events: many(500, (i) => metric(600 * i)) }, 1, 1],
  ['events of three stretches', { run: 'apart', events: [0, 601, 1202].map((s) => metric(s)) }, 3, 1],
  ['a state', { run: 'state', status }, 1, 1],
  ['events and a state', { run: 'both', events: many(500, (i) => metric(i)), status }, 2, 2],
  ['nothing', { run: 'nothing' }, 0, 0],
  ['what is no event', { run: 'none', events: [{ kind: 'summary' }, 'x'] }, 0, 0],
])('%s: the same number of requests, and none to write it again', async (_what, variables, asked, written) => {
  expect(await costOf(variables)).toMatchObject({ asked, written, samples: 0 });
  expect(await costOf(variables)).toMatchObject({ asked, written: 0 });
});

test('of the run, only what the report names is read', async () => {
  await costOf({ run: 'narrow', events: many(400, (i) => metric(i % 100, `m${Math.floor(i / 100)}`)) });
  // VictoriaMetrics shows it only when it was written to disk.
  await world.raw('narrow');
  // Its own samples, and the moments.
  expect(await costOf({ run: 'narrow', events: [metric(99, 'm1'), metric(0, 'm1')] })).toMatchObject({
    asked: 1,
    written: 0,
    samples: 200,
  });
});
