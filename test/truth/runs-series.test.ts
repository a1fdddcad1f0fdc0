import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/runs/event.ts';
import { canonical, type Metadata } from '../../src/runs/metadata.ts';
import { ago, DAY, HOUR, iso, NOW } from '../support/fleet/clock.ts';
import { differences } from '../support/fleet/differences.ts';
import { type Sample, seriesOf } from '../support/fleet/truth.ts';
import { keepsEveryDouble, startWorld, type World } from '../support/fleet/world.ts';
import type { Gateway } from '../support/gateway.ts';
import { metric, runSeries, training } from '../support/run-samples.ts';

/** Steps that take 4.0 to 5.2 seconds, every tenth of them three times as long. */
const uneven = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) => ({
    step: first + i,
    seconds: (4 + ((i * 7) % 13) / 10) * (i % 10 === 9 ? 3 : 1),
  }));
const loss = (step: number): number => 3 - step / 4096;

const plain = training(ago(7 * HOUR) + 0.25, uneven(4700), (at, step) => [
  metric(at, step, 'train/loss', loss(step), { split: 'train' }),
  metric(at, step, 'train/zero', 0, { split: 'train' }),
  metric(at, step, 'rate/tokens', 1000 + (step % 50), { split: 'train' }),
  metric(at, step, 'counter/tokens', step * 4096, { split: 'train' }),
]);
/** Of two stages, one after the other, which are two series; with a gap of 20 minutes between. */
const staged = [
  ...training(ago(5000), uneven(300)).map((event) => ({ ...event, metadata: { split: 'train', stage: 'easy' } })),
  ...training(ago(1800), uneven(300, 300)).map((event) => ({ ...event, metadata: { split: 'train', stage: 'hard' } })),
];
/** One that reports no splits at all, at the very edges of an hour. */
const edges = [ago(HOUR) - 0.001, ago(HOUR), ago(HOUR) + 0.001, ago(1800), NOW - 0.001, NOW, NOW + 0.001];
const bare = edges.map((at, step) => metric(at, step, 'runtime/step_seconds', 1 + step));
/** Two weeks, a step every ten minutes. */
const long = training(
  ago(15 * DAY),
  Array.from({ length: 15 * 144 }, (_, step) => ({ step, seconds: 600 })),
  (at, step) => [metric(at, step, 'train/loss', loss(step), { split: 'train' })],
);

/** What no label can be called, and what a label cannot hold. */
const odd: readonly Metadata[] = [
  {},
  { 'a.b': 'x' },
  { 'a-b': 'x' },
  { 'a b': 'x' },
  { a_b: 'x' },
  { '': 'x' },
  { a: '' },
  { __name__: 'up' },
  { cluster: 'other' },
  { run: 'other' },
  { split: '' },
  { split: 'train', 'split ': 'train' },
  { text: '\ud800' },
  { text: '\ud801' },
  { text: '\u0000' },
  { text: 'a"b\\c\nd' },
  { é: 'x' },
  { 'e\u0301': 'x' },
  { number: 1, flag: true },
];
const odds = odd.map((metadata, i) => metric(ago(600), 5, 'probe/odd', 100 + i, metadata));

/** Written once more from the middle, as a reporter does that got no answer. */
const doubled = runSeries('doubled', plain).flatMap((series) => {
  const from = series.times.findIndex((time) => time > ago(1500));
  const to = series.times.findIndex((time) => time > ago(1200));
  return [series, { ...series, times: series.times.slice(from, to), values: series.values.slice(from, to) }];
});

let world: World;
let gateway: Gateway;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'aurora',
      series: [
        ...runSeries('plain', plain),
        ...runSeries('staged', staged),
        ...runSeries('bare', bare),
        ...runSeries('long', long),
        ...runSeries('odd', odds),
        // An engine that keeps both lets a mean lean towards what was written twice.
        ...(keepsEveryDouble ? runSeries('doubled', plain) : doubled),
      ],
    },
  ]);
  gateway = await world.gateway();
});
afterAll(() => world?.close());

const whole = '{ t0 stepS values mean min max last lastAt }';
const ask = async (run: string, selection: string, window = 'range: LAST_1H, points: 12') => {
  const document = `{ cluster(name: "aurora", window: { ${window} }) { run(name: "${run}") { ${selection} } } }`;
  const { data, errors } = await gateway.query(document);
  expect(errors).toBeUndefined();
  return data.cluster.run;
};

const samplesOf = (events: readonly RunEvent[], name: string): Sample[] =>
  events.flatMap((event) =>
    event.kind === 'metric' && event.name === name ? [[event.tsMs / 1000, event.value as number] as const] : [],
  );
const stepsOf = (events: readonly RunEvent[]): Sample[] =>
  [...new Map(events.map(({ tsMs, step }) => [tsMs / 1000, step!]))].sort(([a], [b]) => a - b);

const windows = [
  ['an hour', 'range: LAST_1H, points: 12', { start: ago(HOUR), end: NOW, points: 12 }],
  ['six hours as one bucket', 'range: LAST_6H, points: 1', { start: ago(6 * HOUR), end: NOW, points: 1 }],
  ['a day in 96', 'range: LAST_24H, points: 96', { start: ago(DAY), end: NOW, points: 96 }],
  [
    'what is no whole number of buckets, in the past',
    `start: "${iso(ago(5 * HOUR + 777))}", end: "${iso(ago(HOUR + 11))}", points: 7`,
    { start: ago(5 * HOUR + 777), end: ago(HOUR + 11), points: 7 },
  ],
  ['the longest', `start: "${iso(ago(14 * DAY))}", points: 96`, { start: ago(14 * DAY), end: NOW, points: 96 }],
] as const;

describe.each(windows)('over %s', (_what, asked, window) => {
  test.each([
    ['plain', plain],
    ['doubled', plain],
    ['staged', staged],
    ['bare', bare],
    ['long', long],
  ])('the steps of %s, what they took, and its loss are those that were reported', async (run, events) => {
    const told = await ask(
      run,
      `steps ${whole} stepSeconds ${whole} rate(counter: "tokens") ${whole} metrics(name: ["train/loss", "train/zero"]) { name series ${whole} }`,
      asked,
    );
    const metrics = ['train/loss', 'train/zero'].flatMap((name) => {
      const series = seriesOf(samplesOf(events, name), window);
      return series ? [{ name, series }] : [];
    });
    const truth = {
      steps: seriesOf(stepsOf(events), window),
      stepSeconds: seriesOf(samplesOf(events, 'runtime/step_seconds'), window),
      rate: seriesOf(samplesOf(events, 'rate/tokens'), window),
      metrics,
    };
    expect(differences(run, truth, told)).toEqual([]);
  });
});

test('a gap is null inside the values, and a zero is a zero', async () => {
  const { stepSeconds } = await ask('staged', 'stepSeconds { values mean }', 'range: LAST_6H, points: 72');
  expect(stepSeconds.values.filter((value: number | null) => value === null).length).toBeGreaterThan(30);
  const inner = stepSeconds.values.slice(stepSeconds.values.findIndex((value: number | null) => value !== null));
  expect(inner).toContain(null);
  const { metrics } = await ask('plain', 'metrics(name: ["train/zero"]) { series { values mean min max last } }');
  expect(metrics[0].series).toMatchObject({ values: Array(12).fill(0), mean: 0, min: 0, max: 0, last: 0 });
});

test('the left edge lies outside, the right one inside, to the millisecond', async () => {
  const { steps, stepSeconds, firstEventAt, lastEventAt } = await ask(
    'bare',
    'steps { min max } stepSeconds { min max mean } firstEventAt lastEventAt',
  );
  expect([steps, stepSeconds]).toEqual([
    { min: 2, max: 5 },
    { min: 3, max: 6, mean: 4.5 },
  ]);
  expect([firstEventAt, lastEventAt]).toEqual([iso(ago(HOUR)), iso(NOW)]);
});

describe('metrics', () => {
  test('a series is its name and its metadata together, and every metadata comes back exactly', async () => {
    const { metrics } = await ask('odd', 'metrics(name: ["probe/odd"]) { name metadata split series { last } }');
    const told = new Map(
      metrics.map((each: { metadata: Metadata; series: { last: number } }) => [
        canonical(each.metadata),
        each.series.last,
      ]),
    );
    expect(metrics).toHaveLength(odd.length);
    expect(told).toEqual(new Map(odd.map((metadata, i) => [canonical(metadata), 100 + i])));
    expect(
      metrics.filter(({ split }: { split: string | null }) => split !== null).map((m: { split: string }) => m.split),
    ).toEqual(expect.arrayContaining(['train', '']));
  });

  test('without their numbers they are the same', async () => {
    const { metrics: bare } = await ask('odd', 'metrics { name metadata split pass stage param }');
    const { metrics } = await ask('odd', 'metrics { name metadata split pass stage param series { last } }');
    expect(bare).toEqual(metrics.map(({ series: _series, ...rest }: { series: object }) => rest));
    expect(bare).toHaveLength(odd.length);
  });

  test.each([
    ['a name', 'name: ["train/loss"]', ['train/loss']],
    ['several', 'name: ["train/zero", "train/loss", "train/none"]', ['train/loss', 'train/zero']],
    ['no name', 'name: []', []],
    ['a split', 'split: "train", name: ["rate/tokens"]', ['rate/tokens']],
    ['another split', 'split: "eval"', []],
    ['those without a stage', 'stage: "", name: ["rate/tokens"]', ['rate/tokens']],
    ['a stage', 'stage: "easy"', []],
    ['all', 'pass: ""', ['counter/tokens', 'rate/tokens', 'runtime/step_seconds', 'train/loss', 'train/zero']],
  ])('narrowed to %s', async (_what, args, names) => {
    for (const more of ['', 'series { mean }']) {
      const { metrics } = await ask('plain', `metrics(${args}) { name ${more} }`);
      expect(metrics.map(({ name }: { name: string }) => name)).toEqual(names);
    }
  });

  test.each([
    ['stage: "easy"', 300],
    ['stage: "hard"', 300],
  ])('a stage is its own series: %s', async (args) => {
    const { metrics } = await ask('staged', `metrics(${args}) { stage series { mean } }`, 'range: LAST_6H');
    const stage = /"(.*)"/.exec(args)![1];
    const own = staged.filter(({ metadata }) => (metadata as Metadata)['stage'] === stage);
    const truth = seriesOf(samplesOf(own, 'runtime/step_seconds'), { start: ago(6 * HOUR), end: NOW })!;
    expect(differences('metrics', [{ stage, series: { mean: truth.mean } }], metrics)).toEqual([]);
  });
});
