import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, MINUTE } from '../support/fleet/clock.ts';
import { failing, type FaultyFleet, startFaultyFleet } from '../support/faulty-fleet.ts';
import { cutAfter, html, isPartial, refuse, status, warnings } from '../support/faulty-store.ts';
import { metric, runSeries, training } from '../support/run-samples.ts';

const steps = training(
  ago(50 * MINUTE),
  Array.from({ length: 250 }, (_, step) => ({ step, seconds: 10 })),
  (at, step) => [metric(at, step, 'train/loss', 2, { split: 'train' })],
);

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: ['first', 'second'].flatMap((run) => runSeries(run, steps)) },
  ]);
});
afterAll(() => fleet?.close());

const fields = 'name steps { max } stepSeconds { mean } findings { value } resumes { at } metrics { name }';
const document = `{ cluster(name: "aurora", window: { range: LAST_1H }) { runs { totalCount nodes { ${fields} } } } }`;
const whole = { steps: { max: 249 }, stepSeconds: { mean: 10 }, findings: [], resumes: [] };
const metrics = [{ name: 'runtime/step_seconds' }, { name: 'train/loss' }];

const outage = [
  ['a 500', status(500, '{"status":"error","errorType":"internal","error":"10.0.0.7 is down"}')],
  ['somebody else’s page', html],
  ['an answer that breaks off', cutAfter(40)],
  ['a closed connection', refuse],
] as const;
const paths = (errors: readonly { path?: readonly unknown[]; extensions?: { code?: string } }[] | undefined) =>
  (errors ?? []).map(({ path, extensions }) => `${path?.slice(-2).join('.')} ${extensions?.code}`).sort();

describe.each(outage)('%s', (_what, fault) => {
  test('for step times: they and what rests on them are null with an error, and all else is answered', async () => {
    failing(fleet.north, /step_seconds/, fault);
    const { data, errors, text } = await (await fleet.gateway()).query(document);
    const expected = ['first', 'second'].map((name) => ({ name, ...whole, metrics, stepSeconds: null, resumes: null }));
    expect(data.cluster.runs).toEqual({ totalCount: 2, nodes: expected });
    expect(paths(errors)).toEqual(
      [0, 1].flatMap((i) => [`${i}.resumes METRICS_UNAVAILABLE`, `${i}.stepSeconds METRICS_UNAVAILABLE`]),
    );
    expect(text).not.toMatch(/10\.0\.0|127\.0\.0\.1|is down/);
  });

  test('for the raw samples alone, though their count was answered', async () => {
    failing(fleet.north, /api\/v1\/query gpuql_run_event/, fault);
    const { data, errors } = await (await fleet.gateway()).query(document);
    expect(data.cluster.runs.nodes[1]).toEqual({ name: 'second', ...whole, metrics, steps: null, resumes: null });
    expect(paths(errors)).toEqual(
      [0, 1].flatMap((i) => [`${i}.resumes METRICS_UNAVAILABLE`, `${i}.steps METRICS_UNAVAILABLE`]),
    );
  });

  test('for the list: it is null with an error', async () => {
    failing(fleet.north, /gpuql_run_event/, fault);
    const { data, errors } = await (await fleet.gateway()).query(document);
    expect(data).toEqual({ cluster: { runs: null } });
    expect(paths(errors)).toEqual(['cluster.runs METRICS_UNAVAILABLE']);
  });

  test('for one that is asked for by name: no NOT_FOUND, which would say that it is not there', async () => {
    failing(fleet.north, /gpuql_run_event/, fault);
    const { data, errors } = await (
      await fleet.gateway()
    ).query('{ cluster(name: "aurora") { run(name: "first") { name } } }');
    expect(data).toEqual({ cluster: { run: null } });
    expect(paths(errors)).toEqual(['cluster.run METRICS_UNAVAILABLE']);
  });
});

test.each([
  ['warnings', warnings(['10.99.88.77 left something out'])],
  ['isPartial', isPartial],
])('an answer with %s is given, and its cluster named', async (_sign, fault) => {
  failing(fleet.north, /step_seconds/, fault);
  const { data, errors, extensions, text } = await (await fleet.gateway()).query(document);
  expect(errors).toBeUndefined();
  expect(data.cluster.runs.nodes[0]).toEqual({ name: 'first', ...whole, metrics });
  expect(extensions?.warnings).toEqual(['aurora']);
  expect(text).not.toContain('10.99');
});
