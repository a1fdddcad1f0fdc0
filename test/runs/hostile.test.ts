import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resumes } from '../../src/samples/resumes.ts';
import { empty } from '../../src/samples/stream.ts';
import { stored } from '../../src/runs/stored.ts';
import { type RunWorld, startRuns } from '../support/runs.ts';

let world: RunWorld;
const now = Date.now();
const nowS = Math.floor(now / 1000);
beforeAll(async () => {
  world = await startRuns({ now: () => nowS });
});
afterAll(() => world.close());

const metric = (name: string, value: unknown = 1, ms = 0) => ({
  kind: 'metric',
  ts_ms: now - 100_000 + ms,
  step: 1,
  name,
  value,
});
const run = (name: string, fields: string) =>
  world.gateway.query(`{ cluster(name: "aurora") { run(name: "${name}") { ${fields} } } }`);

test.each([['\ufffd'], ['a\ufffdb'], ['\uffff'], ['\u0085'], ['\u2028'], ['\ufeff']])(
  'a name that holds %j is written, known again, and read',
  async (odd) => {
    const name = `odd-${odd.codePointAt(0)!.toString(16)}-${odd.length}`;
    const sent = { run: name, events: [{ ...metric(odd, 7), metadata: { split: odd } }] };
    expect((await world.report(sent)).data.reportRun.written).toBe(1);
    expect((await world.report(sent)).data.reportRun.repeated).toBe(1);
    await world.raw(name);
    const document =
      'query($s: String!) { cluster(name: "aurora") { run(name: "NAME") { metrics(name: [$s], split: $s) { name series { last } } } } }';
    const { data, errors } = await world.gateway.query(document.replace('NAME', name), { s: odd });
    expect(errors).toBeUndefined();
    expect(data.cluster.run.metrics).toEqual([{ name: odd, series: { last: 7 } }]);
  },
);

describe('variables that are too deep to be written again', () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  test.each([
    ['an event', (it: unknown) => ({ events: [it] })],
    ['metadata', (it: unknown) => ({ events: [{ ...metric('x'), metadata: { it } }] })],
    ['a status', (it: unknown) => ({ status: { at: now - 50_000, state: { it } } })],
  ])('are refused in %s', async (_, variables) => {
    // As text: what is to be refused cannot be spelled here either.
    const body = JSON.stringify({
      query: (await import('../../src/runs/report-document.ts')).reportDocument,
      variables: { cluster: 'aurora', run: 'deep', ...variables('DEEP') },
    });
    const text = body.replace('"DEEP"', '['.repeat(4_900) + ']'.repeat(4_900));
    const answer = await world.gateway.app.fetch('http://gpuql/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    const { errors } = (await answer.json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect([answer.status, errors[0]!.extensions.code]).toEqual([422, 'QUERY_TOO_LARGE']);
    expect(errors[0]!.message).toMatch(/lists and objects in each other .*Nest less/);
    expect((await world.report({ run: 'flat', ...variables(deep(100)) })).status).toBe(200);
  });
});

test('a run that goes on saying one old step is looked at once', () => {
  const values = Float64Array.from({ length: 1_000_000 }, (_, i) => (i === 0 ? 1_000 : 5));
  const times = values.map((_, i) => i);
  expect(resumes({ times, values }, empty)).toEqual([]);
  const falling = values.map((_, i) => 2_000_000 - i);
  expect(resumes({ times, values: falling }, empty)).toEqual([]);
  values[999_999] = 6;
  expect(resumes({ times, values }, empty)).toEqual([{ at: 1, fromStep: 1_000, toStep: 5 }]);
});

test('of more series than a call takes arguments the last state is found', async () => {
  const leaf = (i: number) => ({
    labels: { __name__: stored.status, cluster: 'aurora', run: 'leaves', path: `/k${i}`, type: 'number' },
    times: [nowS - 200 - (i % 2)],
    values: [i],
  });
  const leaves = Array.from({ length: 130_000 }, (_, i) => leaf(i));
  const moments = {
    labels: { __name__: stored.event, cluster: 'aurora', run: 'leaves' },
    times: [nowS - 200],
    values: [1],
  };
  await world.store.load([...leaves, moments]);
  const { data, errors } = await run('leaves', 'status { state }');
  expect(errors).toBeUndefined();
  expect(Object.keys(data.cluster.run.status.state)).toHaveLength(65_000);
});

describe('what a run has too much of', () => {
  const annotation = 'checkpoint';
  beforeAll(async () => {
    const times = Array.from({ length: 160_000 }, (_, i) => nowS - 3_000 + i / 100);
    const series = (labels: object, count: number) => ({
      labels: { cluster: 'aurora', ...labels },
      times: times.slice(0, count),
      values: times.slice(0, count).map((_, i) => i),
    });
    await world.store.load([
      series({ __name__: stored.event, run: 'many' }, 3_000),
      series({ __name__: stored.annotation, run: 'many', annotation }, 160_000),
      series({ __name__: stored.nonFinite, run: 'many', metric: 'x', finding: 'NaN' }, 160_000),
      series({ __name__: stored.event, run: 'some' }, 3_000),
      series({ __name__: stored.annotation, run: 'some', annotation }, 2_501),
    ]);
  });

  test.each(['pauses { from }', 'annotations { at }', 'findings { at }', 'metrics { findings { at } }'])(
    '%s is refused before it is read',
    async (field) => {
      const { errors } = await run('many', field);
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_LARGE']);
      expect(errors![0]!.message).toMatch(/160,000 samples .* no more than 150,000 .*narrow the window/);
    },
  );

  test('pauses that are read and too many to be shown are refused', async () => {
    const { errors } = await run('some', 'pauses { from }');
    expect(errors![0]).toMatchObject({ extensions: { code: 'QUERY_TOO_LARGE' } });
    expect(errors![0]!.message).toMatch(/2501 pauses, 1 more than the 2500 .*narrow the window/);
  });

  test('slowdowns in ever new ways are refused, and in the same way are one', async () => {
    const each = (factor: (i: number) => number) =>
      Array.from({ length: 30 }, (_, i) => `a${i}: slowdowns(factor: ${factor(i)}) { from }`).join(' ');
    const { errors } = await run(
      'some',
      each((i) => 1.1 + i / 100),
    );
    expect(errors).toHaveLength(20);
    expect(errors![0]!.message).toMatch(/more than 10 ways .*send several documents/);
    expect(
      (
        await run(
          'some',
          each(() => 1.5),
        )
      ).errors,
    ).toBeUndefined();
  });
});
