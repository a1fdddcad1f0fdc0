import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostRunSamples } from '../../src/reads/run-rows.ts';
import type { Ask } from '../../src/reads/ask.ts';
import { costOf } from '../support/cost.ts';
import { ago, HOUR, NOW } from '../support/fleet/clock.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { startGateway } from '../support/gateway.ts';
import { annotation, metric, runSeries, statusSeries, training } from '../support/run-samples.ts';

const sizes = [1, 50] as const;
const stepsOf = 100;
const before = ago(HOUR / 2 + 30);
/** A hundred steps with a loss each, one evaluation, one checkpoint and one finding; the last state has three leaves. */
const runs = (count: number) =>
  Array.from({ length: count }, (_, i) => `run-${i}`).flatMap((run) => [
    ...runSeries(run, [
      ...training(
        ago(HOUR / 2),
        Array.from({ length: stepsOf }, (_, step) => ({ step, seconds: 10 })),
        (at, step) => [
          metric(at, step, 'train/loss', 1, { split: 'train' }),
          metric(at, step, 'rate/tokens', 9, { split: 'train' }),
        ],
      ),
      metric(before, 1, 'runtime/eval_seconds', 3, { split: 'eval', pass: 'eval' }),
      annotation(before, 1, 'checkpoint', {}),
      metric(before, 1, 'train/loss', 'NaN', { split: 'train' }),
    ]),
    ...statusSeries(run, [
      [
        before,
        [
          ['/a', 'number', 1],
          ['/b', 'number', 2],
          ['/c', 'string', 'x'],
        ],
      ],
    ]),
  ]);

let world: World;
beforeAll(async () => {
  world = await startWorld(sizes.map((count) => ({ name: `of-${count}`, series: runs(count) })));
});
afterAll(() => world?.close());

const whole = '{ values mean min max last lastAt }';
/**
 * Besides the list: requests for all runs together; and for each run the samples of the answers that count (steps lie in
 * three of the eight pieces of the window, what came before them in one more), and of those that tell.
 */
const fields = [
  ['name', 0, 0, 0],
  ['firstEventAt lastEventAt', 2, 4, stepsOf + 1],
  [`steps ${whole}`, 2, 4, stepsOf + 1],
  [`stepSeconds ${whole}`, 2, 3, stepsOf],
  [`a: stepSeconds ${whole} b: stepSeconds { mean }`, 2, 3, stepsOf],
  [`rate(counter: "tokens") ${whole}`, 2, 3, stepsOf],
  ['rate(counter: "none") { mean }', 1, 0, 0],
  [`metrics(name: ["train/loss"]) { name series ${whole} findings { value } }`, 4, 3 + 1, stepsOf + 1],
  ['metrics { name metadata }', 2, 3 * 3 + 1 + 1, 0],
  ['findings { value }', 2, 1, 1],
  ['annotations { name }', 2, 1, 1],
  ['pauses { kind }', 4, 2, 2],
  ['resumes { at }', 4, 4 + 3, stepsOf + 1 + stepsOf],
  ['status { state }', 3, 3 + 3, 3],
] as const;
/** Of the window, of the day before it, and what finished there. */
const list = 3;
const listed = 4;

describe.each(fields)('%s', (selection, requests, counted, read) => {
  test.each(sizes)(`costs ${requests} requests besides the list, of %i runs`, async (count) => {
    const document = `{ cluster(name: "of-${count}", window: { range: LAST_1H, points: 12 }) { runs { nodes { ${selection} } } } }`;
    const cost = await costOf(await world.gateway(), document);
    expect(cost.data.cluster.runs.nodes).toHaveLength(count);
    expect([cost.requests, cost.samples]).toEqual([list + requests, count * (listed + counted + read)]);
  });
});

test('everything about fifty runs costs what it does apart, less what is shared', async () => {
  const once = fields
    .map(([selection]) => selection)
    .filter((selection) => !selection.startsWith('a:'))
    .join(' ')
    .replace('rate(counter: "none")', 'none: rate(counter: "none")')
    .replace('metrics { name', 'names: metrics { name');
  const all = `{ cluster(name: "of-50", window: { range: LAST_1H }) { runs { nodes { note ${once} } } } }`;
  const gateway = await world.gateway();
  const cost = await costOf(gateway, all);
  // The list; events, step times, two rates, metrics and their findings, the count of all metrics, whose findings are all
  // findings, annotations, evaluations and checkpoints, the status.
  expect(cost.requests).toBe(list + 2 + 2 + (2 + 1) + 4 + 1 + 2 + 2 + 4 + 3);
});

test('one that is asked for by name costs a count, and one more where the window does not hold it', async () => {
  const of = async (window: string) =>
    (
      await costOf(
        await world.gateway(),
        `{ cluster(name: "of-50", window: { ${window} }) { run(name: "run-7") { name } } }`,
      )
    ).requests;
  expect(await of('range: LAST_1H')).toBe(1);
  expect(await of('start: "2026-06-01T09:00:00Z", end: "2026-06-01T10:00:00Z"')).toBe(2);
});

test('fifty that are asked for by name cost what one does', async () => {
  const each = Array.from({ length: 50 }, (_, i) => `r${i}: run(name: "run-${i}") { stepSeconds ${whole} }`).join(' ');
  const { requests } = await costOf(await world.gateway(), `{ cluster(name: "of-50") { ${each} } }`);
  expect(requests).toBe(1 + 2);
});

describe('what is too much to be read', () => {
  /** A store that counts so many times what there is: nobody has time to write that many samples. */
  const counting =
    (times: number) =>
    (ask: Ask): Ask =>
    async (question, ...rest) => {
      const answer = await ask(question, ...rest);
      if (question.kind !== 'range') return answer;
      const rows = answer.rows.map((row) => ({ ...row, values: row.values.map((value) => value * times) }));
      return { ...answer, rows };
    };
  const gatewayThat = async (times: number) =>
    startGateway({ config: world.config(), now: () => NOW, before: counting(times) });

  test('is refused before it is asked for, with what to do', async () => {
    const gateway = await gatewayThat(100_000);
    const { data, errors } = await gateway.query(
      '{ cluster(name: "of-1", window: { range: LAST_1H }) { runs { nodes { name stepSeconds { mean } findings { value } } } } }',
    );
    expect(data.cluster.runs.nodes).toEqual([{ name: 'run-0', stepSeconds: null, findings: [{ value: 'NaN' }] }]);
    expect(errors!.map(({ extensions, path }) => [extensions.code, path])).toEqual([
      ['QUERY_TOO_LARGE', ['cluster', 'runs', 'nodes', 0, 'stepSeconds']],
    ]);
    expect(errors![0]!.message).toMatch(
      /Run "run-0" has 10,\d00,000 samples .* no more than 5,000,000 .*narrow the window, ask for fewer runs/,
    );
    expect(gateway.requests().filter((q) => q.kind === 'instant' && q.query.includes('step_seconds'))).toEqual([]);
    await gateway.close();
  });

  test('of many runs those are read for which there is room, and the others are refused one by one', async () => {
    const gateway = await gatewayThat(mostRunSamples / (10.5 * stepsOf));
    const { data, errors } = await gateway.query(
      '{ cluster(name: "of-50", window: { range: LAST_1H }) { runs { nodes { name stepSeconds { mean } } } } }',
    );
    const read = data.cluster.runs.nodes.filter(({ stepSeconds }: { stepSeconds: object | null }) => stepSeconds);
    expect([read.length, errors!.length]).toEqual([10, 40]);
    expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(['QUERY_TOO_LARGE']));
    await gateway.close();
  });

  test('metrics can still be listed', async () => {
    const gateway = await gatewayThat(1e9);
    const { data, errors } = await gateway.query(
      '{ cluster(name: "of-1", window: { range: LAST_1H }) { run(name: "run-0") { metrics { name } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data.cluster.run.metrics.map(({ name }: { name: string }) => name)).toEqual([
      'rate/tokens',
      'runtime/eval_seconds',
      'runtime/step_seconds',
      'train/loss',
    ]);
    await gateway.close();
  });
});

test('more metrics than are shown are refused with their number', async () => {
  const many = await startWorld([
    {
      name: 'wide',
      series: runSeries(
        'wide',
        Array.from({ length: 503 }, (_, i) => metric(ago(60), 1, `probe/${i % 2}`, i, { i })),
      ),
    },
  ]);
  const gateway = await many.gateway();
  const of = (args: string, more: string) =>
    gateway.query(`{ cluster(name: "wide") { run(name: "wide") { metrics${args} { name ${more} } } } }`);
  for (const more of ['', 'series { mean }']) {
    const { errors } = await of('', more);
    expect(errors!.map(({ message, extensions }) => [extensions.code, message.includes('503')])).toEqual([
      ['QUERY_TOO_LARGE', true],
    ]);
    expect((await of('(name: ["probe/1"])', more)).data.cluster.run.metrics).toHaveLength(251);
  }
  await many.close();
});

test('names that fill more than one question are asked in several, none of which is too long', async () => {
  const long = Array.from({ length: 300 }, (_, i) => `${'a.b'.repeat(30)}.${i}`);
  const wide = await startWorld([
    {
      name: 'names',
      series: long.flatMap((run, i) => runSeries(run, [metric(ago(60), i + 1, 'runtime/step_seconds', i + 1)])),
    },
  ]);
  const gateway = await wide.gateway();
  const { data, asked } = await costOf(
    gateway,
    '{ cluster(name: "names") { runs(first: 1000) { nodes { steps { last } stepSeconds { last } } } } }',
  );
  const nodes = data.cluster.runs.nodes as { steps: { last: number }; stepSeconds: { last: number } }[];
  expect(nodes.every(({ steps, stepSeconds }) => steps.last === stepSeconds.last)).toBe(true);
  expect(nodes).toHaveLength(300);
  expect(Math.max(...asked.map((query) => query.length))).toBeLessThan(16_384);
  await wide.close();
});
