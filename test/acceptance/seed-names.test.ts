import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/embedded/free-port.ts';
import { CannotReport, openReporter, type Reporter, type ReporterOptions } from '../../src/report/index.ts';
import { type MortalStore, mortalStore } from '../support/reported/mortal-store.ts';
import { configOf, type MortalGateway, mortalGateway, run } from '../support/reported/processes.ts';
import { differences, type Held, heldBy } from '../support/reported/raw.ts';
import { ask, expectMetrics } from '../support/reported/read-back.ts';
import { heldOf, type Told } from '../support/reported/told.ts';
import { wholeSeries } from '../support/fleet/questions.ts';
import { runSeries } from './seed-names.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpuql-seed-names-'));
let [store, gateway]: [MortalStore, MortalGateway] = [undefined!, undefined!];
beforeAll(async () => {
  store = await mortalStore();
  gateway = await mortalGateway(folder, await freePort(), configOf(store));
});
afterAll(async () => {
  await gateway?.kill();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const begun = Math.floor(Date.now() / 1000) * 1000 - 120_000;
const window = { start: begun / 1000 - 10, end: begun / 1000 + 110, points: 4 };

/** A clock of its own, so that what is reported is the same each time, to the last digit. */
const clock = () => {
  let at = begun;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
};

interface Opened {
  readonly reporter: Reporter;
  readonly said: string[];
  readonly written: string[];
  readonly pass: (ms: number) => void;
}

async function opened(metrics: string, options: ReporterOptions = {}): Promise<Opened> {
  const { now, pass } = clock();
  const [said, written]: [string[], string[]] = [[], []];
  const reporter = await openReporter({
    argv: ['--metrics', metrics],
    env: { GPUQL_URL: gateway.url },
    now,
    say: (line) => said.push(line),
    write: (line) => written.push(line),
    ...options,
  });
  return { reporter, said, written, pass };
}

/** A training loop that reports everything that there is a name for. */
async function train({ reporter, pass }: Opened, stages: readonly string[]) {
  for (const [index, stage] of stages.entries()) {
    if (index > 0) reporter.enterStage(stage);
    const step = reporter.step(index);
    for (const value of [2, 4]) {
      pass(100);
      step.objective(value + index);
      reporter.metric('train/loss', value * 1.5 + index);
      reporter.metric('probe/logit-rms', value + 0.25, { layer: 'out' });
    }
    step.metric('probe/own', 7, { split: 'held-out', pass: 'mine', stage: 'own', shot: 3, isCold: true });
    for (const param of ['decoder', 'embedding']) step.diagnostic('grad-norm', param.length + index, { param }, 'max');
    step.count('tokens', 512 * (index + 1));
    pass(50);
    step.end({ seconds: 0.25, peakBytes: 2 ** 31 + index });
    for (const name of ['eval', 'probe']) {
      const evaluation = reporter.evaluation(name);
      for (const value of [1, 4]) {
        pass(375);
        evaluation.metric('eval/loss', value + name.length);
        reporter.metric('probe/logit-rms', value, { layer: 'out' });
      }
      evaluation.end();
    }
    reporter.checkpoint({ path: `/ckpt/${index}`, seconds: 1.5 });
    pass(2000);
  }
  return reporter.finish({ reason: 'done' });
}

const withStages: ReporterOptions = {
  stages: ['easy', 'hard'],
  counters: { tokens: 0 },
  diagnostics: { 'grad-norm': 1 },
};
const withoutStages: ReporterOptions = { counters: { tokens: 0 }, diagnostics: { 'grad-norm': 1 } };

type Row = readonly [name: string, metadata: Readonly<Record<string, string>>, values: readonly number[]];

/** What the tables say of this program, by hand: each series with its numbers, one for each step that has it. */
const expected: readonly Row[] = (['easy', 'hard'] as const).flatMap((stage, index): Row[] => {
  const train = { split: 'train', stage };
  const passes = (['eval', 'probe'] as const).flatMap((pass): Row[] => {
    const own = { split: 'eval', pass, stage };
    return [
      ['eval/loss', own, [2.5 + pass.length]],
      ['runtime/eval_seconds', own, [0.75]],
      ['curriculum/stage', own, [index]],
      ['probe/logit-rms', { ...own, layer: 'out' }, [2.5]],
    ];
  });
  return [
    ['train/objective', train, [3 + index]],
    ['train/loss', train, [4.5 + index]],
    ['probe/logit-rms', { ...train, layer: 'out' }, [3.25]],
    ['diagnostics/grad-norm', { ...train, param: 'decoder' }, [7 + index]],
    ['diagnostics/grad-norm', { ...train, param: 'embedding' }, [9 + index]],
    ['counter/tokens', train, [index === 0 ? 512 : 1536]],
    ['rate/tokens', train, [index === 0 ? 2048 : 4096]],
    ['runtime/step_seconds', train, [0.25]],
    ['runtime/train_seconds', train, [0.25 * (index + 1)]],
    ['runtime/peak_bytes', train, [2 ** 31 + index]],
    ...passes,
  ];
});
/** An author's own keys win: both steps are one series. */
const authored: Row = [
  'probe/own',
  { split: 'held-out', pass: 'mine', stage: 'own', shot: '3', isCold: 'true' },
  [7, 7],
];

const selection = `run(name: $run) { metrics { name metadata split pass stage param series ${wholeSeries} findings { step value } }
  rate(counter: "tokens") { mean last } stepSeconds { mean } annotations { name step metadata } note }`;
const read = async (name: string) => {
  await store.flush();
  return (await ask(gateway.query, selection, window, { run: name })).run;
};

/** As one text, so that what is missing is seen. */
const spelled = (name: string, metadata: object): string =>
  `${name} ${JSON.stringify(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

function expectTables({ metrics, rate, stepSeconds, annotations }: Awaited<ReturnType<typeof read>>): void {
  const rows = [...expected, authored];
  expect(metrics.map((one: Told) => spelled(one.name, one.metadata!)).sort()).toEqual(
    rows.map(([name, metadata]) => spelled(name, metadata)).sort(),
  );
  for (const [name, metadata, values] of rows) {
    const metric = metrics.find((one: Told) => spelled(one.name, one.metadata!) === spelled(name, metadata));
    const { split = null, pass = null, stage = null, param = null } = metadata;
    expect(metric).toMatchObject({ split, pass, stage, param, findings: [] });
    const six = (value: number): number => Number(value.toPrecision(6));
    const { last, min, max } = metric.series;
    expect([name, min, max, last]).toEqual([
      name,
      six(Math.min(...values)),
      six(Math.max(...values)),
      six(values.at(-1)!),
    ]);
  }
  expect(rate).toEqual({ mean: 3072, last: 4096 });
  expect(stepSeconds).toEqual({ mean: 0.25 });
  expect(annotations).toEqual([
    { name: 'checkpoint', step: 0, metadata: { path: '/ckpt/0', seconds: '1.5' } },
    { name: 'checkpoint', step: 1, metadata: { path: '/ckpt/1', seconds: '1.5' } },
    { name: 'finished', step: 1, metadata: { reason: 'done' } },
  ]);
}

const toldIn = (text: string): Told[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told | { readonly kind: 'summary' })
    .filter((one): one is Told => one.kind !== 'summary');

/** What a run's events made; its state is beside them. */
const eventsHeld = async (name: string): Promise<Held> =>
  new Map([...(await heldBy(store, name))].filter(([key]) => !key.includes('gpuql_run_status')));

describe('the names that a training system reports', () => {
  const path = join(folder, 'not', 'there', 'yet', 'run.jsonl');

  test('the program of this test writes each name of the tables with the keys of the tables', () => {
    const named = runSeries.map(({ name, keys }) => `${name} ${keys.join(' ')}`);
    const made = new Set(expected.map(([name, metadata]) => `${name} ${Object.keys(metadata).sort().join(' ')}`));
    expect(named.filter((one) => !made.has(one))).toEqual([]);
  });

  test('straight to the gateway', async () => {
    const to = await opened('gpuql:straight', withStages);
    const summary = await train(to, ['easy', 'hard']);
    expect(summary).toMatchObject({ lost: 0, metrics: to.reporter.metrics });
    expect(to.said[0]).toBe(`metrics: ${to.reporter.metrics}`);
    expectTables(await read('straight'));
  });

  test('into a file whose folders are made, which is forwarded', async () => {
    const to = await opened(`jsonl:${path}`, withStages);
    await train(to, ['easy', 'hard']);
    const told = toldIn(readFileSync(path, 'utf8'));
    const forwarder = run(['forward', '--run', 'filed', '--cluster', 'aurora-prod', '--file', path], {
      GPUQL_URL: gateway.url,
    });
    expect([await forwarder.ended, forwarder.said()]).toEqual([0, expect.stringContaining(`${told.length} new`)]);
    const back = await read('filed');
    expectTables(back);
    expectMetrics(told, back.metrics, window);
    expect(differences(heldOf(told, 'filed'), await eventsHeld('filed'))).toEqual([]);
    // What went straight to the gateway is the same to the last digit.
    expect(differences(heldOf(told, 'straight'), await eventsHeld('straight'))).toEqual([]);
  });

  test('on standard output with the summary as its last line, into the forwarder’s pipe', async () => {
    const to = await opened('stdout', { ...withStages, argv: ['--metrics', 'stdout', '--json'] });
    const summary = await train(to, ['easy', 'hard']);
    expect(JSON.parse(to.written.at(-1)!)).toEqual({ ...summary, kind: 'summary' });
    expect(to.written.at(-1)).not.toContain('ts_ms');
    const forwarder = run(['forward', '--run', 'piped', '--cluster', 'aurora-prod'], { GPUQL_URL: gateway.url });
    forwarder.process.stdin!.end(`${to.written.join('\n')}\n`);
    expect([await forwarder.ended, forwarder.said()]).toEqual([0, expect.stringContaining('1 of kind "summary"')]);
    expectTables(await read('piped'));
    expect(differences(heldOf(toldIn(to.written.join('\n')), 'piped'), await eventsHeld('piped'))).toEqual([]);
  });

  test('with one stage no series names it, and on the CPU there are no bytes of a device', async () => {
    const to = await opened('gpuql:cpu', withoutStages);
    const step = to.reporter.step(0);
    to.pass(500);
    step.objective(1);
    step.end();
    to.reporter.evaluation('eval').end();
    await to.reporter.finish();
    const { metrics } = await read('cpu');
    const told = Object.fromEntries(metrics.map((one: Told) => [one.name, one.metadata]));
    expect(told).toEqual({
      'train/objective': { split: 'train' },
      'counter/tokens': { split: 'train' },
      'rate/tokens': { split: 'train' },
      'runtime/step_seconds': { split: 'train' },
      'runtime/train_seconds': { split: 'train' },
      'runtime/eval_seconds': { split: 'eval', pass: 'eval' },
      'curriculum/stage': { split: 'eval', pass: 'eval' },
    });
  });

  test('each target of the table, and each place it is named in', async () => {
    const argv: string[] = [];
    const place = async (env: Record<string, string>, words = argv) => {
      const { reporter } = await opened('', { argv: words, env: { GPUQL_URL: gateway.url, ...env } });
      const { metrics, lost } = await reporter.finish();
      expect(metrics).toBe(reporter.metrics);
      return [metrics, lost];
    };
    expect(await place({})).toEqual([expect.stringMatching(/nowhere/), 0]);
    for (const name of ['GPUQL_METRICS', 'SEXPGPU_METRICS']) {
      expect(await place({ [name]: 'stdout' })).toEqual([expect.stringMatching(/stdout|standard output/), 0]);
      const own = join(folder, `${name}.jsonl`);
      expect(await place({ [name]: `jsonl:${own}` })).toEqual([expect.stringContaining(own), 0]);
    }
    expect((await place({ GPUQL_METRICS: 'stdout' }, ['--metrics', `jsonl:${path}2`]))[0]).toContain(`${path}2`);
    for (const [target, words] of [
      ['syvain', /gpuql:<run>/],
      ['syvain:folder-3', /gpuql:<run>/],
      ['csv:/tmp/x', /no target/],
      ['jsonl:', /no target/],
    ] as const) {
      const refused = opened('', { argv, env: { SEXPGPU_METRICS: target } });
      await expect(refused).rejects.toThrow(CannotReport);
      await expect(refused).rejects.toThrow(words);
    }
  });
});
