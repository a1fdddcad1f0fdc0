import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkloadId } from '../../src/domain/workload.ts';
import type { RunEvent } from '../../src/runs/event.ts';
import { ago, DAY, HOUR, iso, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import type { Gateway } from '../support/gateway.ts';
import { annotation, metric, runSeries, statusSeries, training } from '../support/run-samples.ts';

const job = (name: string): WorkloadId => ({ kind: 'JOB', namespace: 'default', name });
const pod = (name: string, owner: string) =>
  podSeries(
    { name, node: 'n1', owner: ['Job', owner], gpus: 1, created: ago(2 * HOUR), running: ago(2 * HOUR) },
    scrapes({ from: ago(2 * HOUR) }),
  );

const steps = (first: number, count: number, seconds = 10) =>
  Array.from({ length: count }, (_, i) => ({ step: first + i, seconds }));
/** An evaluation of an older checkpoint beside every tenth step: in the same moment, a moment later, and in many events. */
const evaluated = (at: number, step: number): RunEvent[] =>
  step % 10 === 0 && step >= 100
    ? [
        metric(at, step - 100, 'eval/loss', 2, { split: 'eval', pass: 'eval' }),
        metric(at + 2, step - 100, 'runtime/eval_seconds', 1.5, { split: 'eval', pass: 'eval' }),
        metric(at + 2.5, step - 100, 'eval/loss', 2, { split: 'eval', pass: 'probe' }),
        metric(at + 3, step, 'runtime/eval_seconds', 0.25, { split: 'eval', pass: 'probe' }),
      ]
    : [];
/** The same events as a run that does not tell what its steps take. */
const untimed = (events: readonly RunEvent[]): RunEvent[] =>
  events.map((event) => ({ ...event, name: event.name.replace('runtime/step_seconds', 'train/loss') }));

const steady = training(ago(50 * MINUTE), steps(100, 290), evaluated);
const back = [
  ...training(ago(55 * MINUTE), steps(100, 100), evaluated),
  annotation(ago(38 * MINUTE), 199, 'interrupted'),
  ...training(ago(30 * MINUTE), steps(150, 60), evaluated),
  ...training(ago(15 * MINUTE), steps(200, 80), evaluated),
];
const resumed = [
  { at: iso(ago(30 * MINUTE) + 10), fromStep: 199, toStep: 150 },
  { at: iso(ago(15 * MINUTE) + 10), fromStep: 209, toStep: 200 },
];

const eventful = [
  ...training(ago(40 * MINUTE), steps(0, 100)),
  metric(ago(35 * MINUTE), 29, 'train/loss', 'NaN', { split: 'train' }),
  metric(ago(34 * MINUTE), 35, 'train/loss', '+Inf', { split: 'train' }),
  metric(ago(33 * MINUTE) + 3, null, 'probe/norm', '-Inf'),
  metric(ago(32 * MINUTE), 47, 'probe/norm', 'null', { 'layer.name': 'out' }),
  // Before and after the window of an hour.
  metric(ago(2 * HOUR), 1, 'train/loss', 'NaN'),
  metric(ago(62 * MINUTE), null, 'runtime/eval_seconds', 60, { split: 'eval' }),
  metric(ago(59 * MINUTE), 0, 'runtime/eval_seconds', 90, { split: 'eval', pass: 'eval' }),
  annotation(ago(HOUR), 0, 'on the left edge'),
  metric(ago(HOUR), 0, 'train/loss', 'NaN'),
  annotation(ago(36 * MINUTE), 24, 'checkpoint', { path: '/ckpt/24', seconds: 31.5 }),
  annotation(ago(31 * MINUTE), 54, 'checkpoint', { path: '/ckpt/54' }),
  annotation(ago(30.5 * MINUTE), null, 'note from the author', { 'why?': 'lr' }),
  annotation(ago(20 * MINUTE), 99, 'finished'),
];

/** One finding at the beginning of each eighth of an hour, one a millisecond later; one status of a single moment. */
const eighths = Array.from({ length: 8 }, (_, i) => ago(HOUR) + i * 450);
const onEdges = eighths.map((at, i) => [`edge-${i}`, at] as const);
const afterEdges = eighths.map((at, i) => [`after-${i}`, at + 0.001] as const);

const hung = [
  ...training(ago(50 * MINUTE), steps(0, 60)),
  annotation(ago(40 * MINUTE), 59, 'interrupted'),
  metric(ago(40 * MINUTE) + 5, 59, 'train/loss', 1),
  ...training(ago(30 * MINUTE), steps(60, 30)),
];

const mostlySlow = [...training(ago(50 * MINUTE), steps(0, 150, 4)), ...training(ago(40 * MINUTE), steps(150, 395, 6))];

/** So many steps of each stage, one stage after the other, and how long each takes. */
const staged = (...stages: readonly (readonly [stage: string | null, count: number, seconds: number])[]) => {
  let [time, step] = [ago(50 * MINUTE), 0];
  return stages.flatMap(([stage, count, seconds]) =>
    Array.from({ length: count }, () =>
      metric((time += seconds), (step += 1), 'runtime/step_seconds', seconds, {
        split: 'train',
        ...(stage === null ? {} : { stage }),
      }),
    ),
  );
};

/** Steps of 20 s for twenty minutes, of 10 s before and after. */
const slowFor20 = (beside: RunEvent): RunEvent[] => [
  ...training(ago(55 * MINUTE), [...steps(0, 90), ...steps(90, 60, 20), ...steps(150, 60)]),
  beside,
];

/** Five hundred and some. */
const broken = Array.from({ length: 520 }, (_, i) =>
  metric(ago(50 * MINUTE) + i, i, 'train/loss', 'NaN', { split: 'train' }),
);

const states = statusSeries('stated', [
  [ago(90 * MINUTE), [['/phase', 'string', 'old']]],
  [
    ago(30 * MINUTE),
    [
      ['/phase', 'string', 'train'],
      ['/gone', 'number', 1],
    ],
  ],
  [
    ago(30 * MINUTE) + 0.001,
    [
      ['/phase', 'string', 'eval'],
      ['/step', 'number', 812],
      ['/loss', 'number', -0.5],
      ['/done', 'boolean', 'false'],
      ['/error', 'null', ''],
      ['/empty', 'string', ''],
      ['/list/0', 'string', 'a'],
      ['/list/1/deep', 'number', 2],
      ['/none', 'empty', '[]'],
      ['/nothing', 'empty', '{}'],
      ['/by~1path/~0key', 'number', 3],
      ['/like a list', 'empty', '{}'],
      ['/like a list/0', 'number', 4],
      ['/__proto__', 'string', 'own'],
    ],
  ],
  [ago(5 * MINUTE), [['', 'empty', '{}']]],
]);

/** Of somebody else, in the same store and under the same names. */
const theirs = [
  ...runSeries('steady', [
    metric(ago(5 * MINUTE), 999_999, 'train/loss', 'NaN'),
    annotation(ago(MINUTE), 9, 'finished'),
  ]),
  ...runSeries('only-theirs', [metric(ago(5 * MINUTE), 1, 'runtime/step_seconds', 77, { split: 'train' })]),
  ...statusSeries('steady', [[ago(MINUTE), [['/secret', 'string', 'theirs']]]]),
];

let world: World;
let gateway: Gateway;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'aurora',
      series: [
        ...pod('train-0', 'train'),
        ...runSeries('steady', steady.slice(0, 100), job('train')),
        ...runSeries('steady', steady.slice(100)),
        ...runSeries('steady-untimed', untimed(steady)),
        ...runSeries('back', back, job('old')),
        ...runSeries('back', [metric(ago(1), 279, 'train/loss', 1)], job('train')),
        ...runSeries('back-untimed', untimed(back), job('gone')),
        ...runSeries('eventful', eventful),
        ...runSeries('broken', broken),
        ...runSeries('hung', hung),
        ...runSeries('stated', training(ago(HOUR), steps(0, 360))),
        ...states,
        ...runSeries('mostly-slow', mostlySlow),
        ...runSeries('saved-beside', slowFor20(annotation(ago(20 * MINUTE) + 1, 160, 'checkpoint', { seconds: 1210 }))),
        ...runSeries(
          'saved-in-ms',
          slowFor20(annotation(ago(10 * MINUTE) + 1, 220, 'checkpoint', { seconds: 31_500 })),
        ),
        ...runSeries(
          'evaluated-beside',
          slowFor20(metric(ago(20 * MINUTE) + 1, 160, 'runtime/eval_seconds', 1210, { split: 'eval', pass: 'eval' })),
        ),
        ...runSeries('saved-within', [
          ...training(ago(50 * MINUTE), [...steps(0, 60), { step: 60, seconds: 300 }, ...steps(61, 60)]),
          annotation(ago(36 * MINUTE), 60, 'checkpoint', { seconds: 230 }),
        ]),
        ...runSeries('absurd', [
          ...training(ago(50 * MINUTE), steps(0, 100)),
          ...[-5, 0, 1e12].map((seconds, i) => metric(ago(20 * MINUTE) + i, 100 + i, 'runtime/step_seconds', seconds)),
        ]),
        ...runSeries('negative', [metric(ago(20 * MINUTE), 1, 'runtime/step_seconds', -1)]),
        ...runSeries('staged', staged(['easy', 600, 2], ['hard', 400, 4])),
        ...runSeries('staged-alike', staged(['easy', 600, 2], ['hard', 400, 2.4])),
        ...runSeries('staged-later', staged([null, 600, 2], ['hard', 400, 4])),
        ...runSeries('earlier', training(ago(3 * HOUR), steps(0, 100))),
        ...runSeries('done-earlier', [
          ...training(ago(4 * HOUR), steps(0, 100)),
          annotation(ago(3 * HOUR), 100, 'finished'),
        ]),
        ...runSeries('cut-off-earlier', [
          ...training(ago(26 * HOUR), steps(0, 100)),
          annotation(ago(24 * HOUR), 100, 'interrupted'),
        ]),
        ...runSeries('last-week', training(ago(7 * DAY), steps(0, 10))),
        ...runSeries('long-ago', training(ago(20 * DAY), steps(0, 10))),
      ],
    },
    {
      name: 'brink',
      series: [...onEdges, ...afterEdges].flatMap(([run, at]) => [
        ...runSeries(run, [metric(at, 7, 'train/loss', 'NaN')]),
        ...statusSeries(run, [[at, [['/run', 'string', run]]]]),
      ]),
    },
    { name: 'zeta', owner: 'others', series: theirs },
  ]);
  gateway = await world.gateway();
});
afterAll(() => world?.close());

const over = (selection: string, window = 'range: LAST_1H, points: 12') =>
  `{ cluster(name: "aurora", window: { ${window} }) { ${selection} } }`;
const answer = async (selection: string, window?: string) => {
  const { data, errors } = await gateway.query(over(selection, window));
  expect(errors).toBeUndefined();
  return data.cluster;
};
const ask = async (run: string, selection: string, window?: string) =>
  (await answer(`run(name: "${run}") { ${selection} }`, window)).run;

/** Of the last hour, and of the day before it without an end; not what finished there, or goes back further. */
const ofAnHour = [
  'absurd',
  'back',
  'back-untimed',
  'broken',
  'cut-off-earlier',
  'earlier',
  'evaluated-beside',
  'eventful',
  'hung',
  'mostly-slow',
  'negative',
  'saved-beside',
  'saved-in-ms',
  'saved-within',
  'staged',
  'staged-alike',
  'staged-later',
  'stated',
  'steady',
  'steady-untimed',
];

describe('which runs there are', () => {
  test('those of the window and those that were heard before it and did not finish, by name, page by page', async () => {
    const { runs } = await answer('runs { totalCount nodes { name cluster { name } } }');
    expect(runs.totalCount).toBe(ofAnHour.length);
    expect(runs.nodes).toEqual(ofAnHour.map((name) => ({ name, cluster: { name: 'aurora' } })));
    const found: string[] = [];
    for (let after = ''; ;) {
      const { runs: page } = await answer(
        `runs(first: 3${after}) { nodes { name } edges { cursor node { name } } pageInfo { hasNextPage endCursor } }`,
      );
      expect(page.edges.map(({ node }: { node: object }) => node)).toEqual(page.nodes);
      found.push(...page.nodes.map(({ name }: { name: string }) => name));
      if (!page.pageInfo.hasNextPage) break;
      after = `, after: "${page.pageInfo.endCursor}"`;
    }
    expect(found).toEqual(ofAnHour);
  });

  test('the window decides', async () => {
    const { runs } = await answer(
      'runs { nodes { name } }',
      `start: "${iso(ago(4 * HOUR))}", end: "${iso(ago(2 * HOUR))}"`,
    );
    expect(runs.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'cut-off-earlier',
      'done-earlier',
      'earlier',
      'eventful',
    ]);
  });

  test.each(['earlier', 'last-week'])('%s, which lies outside the window, is there with nulls', async (name) => {
    const found = await ask(
      name,
      `name note workload { name } firstEventAt lastEventAt steps { mean } stepSeconds { mean } rate(counter: "x") { mean }
       metrics { name } findings { at } annotations { at } pauses { from } resumes { at } status { at }`,
    );
    const [nothing, none] = [null, []];
    expect(found).toEqual({
      name,
      note: 'It reported nothing in the window, and something in the last 14 days: a window that holds its last report tells whether it finished, fell silent or has just begun (a window that ends now ends at a whole half minute).',
      workload: nothing,
      firstEventAt: nothing,
      lastEventAt: nothing,
      steps: nothing,
      stepSeconds: nothing,
      rate: nothing,
      status: nothing,
      metrics: none,
      findings: none,
      annotations: none,
      pauses: none,
      resumes: none,
    });
  });

  test('one that is not there, one of long ago and one of somebody else are refused in the same words', async () => {
    const refusals = await Promise.all(
      ['nowhere', 'long-ago', 'only-theirs'].map(async (name) => {
        const { data, errors } = await gateway.query(over(`run(name: "${name}") { name }`));
        expect(data.cluster.run).toBeNull();
        expect(errors![0]!.extensions).toMatchObject({ code: 'NOT_FOUND', status: 404 });
        return errors![0]!.message.replace(name, '…');
      }),
    );
    expect(new Set(refusals)).toEqual(new Set(['There is no run "…" here.']));
  });

  test('one that lies within the window is there, however long ago that is', async () => {
    const window = `start: "${iso(ago(21 * DAY))}", end: "${iso(ago(19 * DAY))}"`;
    expect(await ask('long-ago', 'steps { max }', window)).toEqual({ steps: { max: 9 } });
  });

  test.each([
    ['run(name: "a b") { name }', /can be no run name/],
    ['run(name: "") { name }', /can be no run name/],
    ['runs(first: 1001) { totalCount }', /first is 1001/],
    ['runs(after: "x") { totalCount }', /no cursor/],
    ['run(name: "steady") { rate(counter: "") { mean } }', /counter has 0 bytes/],
    [`run(name: "steady") { rate(counter: "${'x'.repeat(513)}") { mean } }`, /counter has 513 bytes/],
    [`run(name: "steady") { metrics(name: [${'"x",'.repeat(101)}]) { name } }`, /name has 101 items/],
    [`run(name: "steady") { metrics(split: "${'x'.repeat(513)}") { name } }`, /split has 513 bytes/],
  ])('what cannot be asked is refused: %#', async (selection, words) => {
    const { errors } = await gateway.query(over(selection));
    expect(errors!.map(({ message, extensions }) => [words.test(message), extensions.code])).toEqual([
      [true, 'BAD_REQUEST'],
    ]);
  });
});

describe('the workload', () => {
  test('is the one that it was reported for, though it was reported without one as well', async () => {
    const { workload, steps, note } = await ask(
      'steady',
      'workload { kind name placement { pod } } steps { min max } note',
    );
    expect(workload).toEqual({ kind: 'JOB', name: 'train', placement: [{ pod: 'train-0' }] });
    expect([steps, note]).toEqual([{ min: 0, max: 389 }, null]);
  });
  test('of several is the newest, and the note names the other', async () => {
    const { workload, note } = await ask('back', 'workload { name } note');
    expect(workload).toEqual({ name: 'train' });
    expect(note).toContain('other workloads too: JOB default/old');
  });
  test('of which the store tells no pod is null, and the note says so', async () => {
    const { workload, note } = await ask('back-untimed', 'workload { name } note');
    expect(workload).toBeNull();
    expect(note).toContain('for JOB default/gone, and the store tells of none of its pods');
  });
  test('that none was named is told apart', async () => {
    const { workload, note } = await ask('stated', 'workload { name } note');
    expect([workload, note]).toEqual([
      null,
      'It was reported for no workload, so nothing tells on which nodes it ran.',
    ]);
  });
  test('tells its runs', async () => {
    const { workload } = await answer('workload(kind: JOB, name: "train") { runs { name stepSeconds { max } } }');
    expect(workload.runs).toEqual(['back', 'steady'].map((name) => ({ name, stepSeconds: { max: 10 } })));
    const { workload: alone } = await answer('workload(kind: POD, name: "train-0") { runs { name } }');
    expect(alone.runs).toEqual([]);
  });
});

describe('a run that was slow for most of the window', () => {
  test('shows no stretch, and the note tells where it was faster', async () => {
    const { slowdowns, note } = await ask('mostly-slow', 'slowdowns { from } note');
    expect(slowdowns).toEqual([]);
    expect(note).toMatch(
      /Its median step took 6 s, and 4 s from .* to .* UTC: what more than half of its steps do is taken as usual/,
    );
  });
  test.each(['steady', 'back', 'hung'])('%s is none', async (run) => {
    expect((await ask(run, 'note')).note ?? '').not.toContain('median step');
  });
});

describe('a run whose stages take longer and longer', () => {
  const said =
    'Its median step took 2 s in stage "easy" and 4 s in stage "hard": slow is told against the steps of all stages';
  test('is not said to be slow without a word of it', async () => {
    const { slowdowns, note } = await ask('staged', 'slowdowns { steps note } note');
    expect(slowdowns).toMatchObject([{ steps: 400, note: expect.stringContaining(said) }]);
    expect(note).toContain(said);
  });
  test.each(['staged-alike', 'staged-later', 'steady'])('%s has none that differ', async (run) => {
    expect((await ask(run, 'note')).note ?? '').not.toContain('in stage');
  });
});

describe('what can be no length of a step', () => {
  test('is in no figure, and counted', async () => {
    const { stepSeconds, slowdowns, note } = await ask(
      'absurd',
      'stepSeconds { mean min max last } slowdowns { from } note',
    );
    expect([stepSeconds, slowdowns]).toEqual([{ mean: 10, min: 10, max: 10, last: 10 }, []]);
    expect(note).toContain('3 step times of 0 s or less, or of more than 14 days, are left out');
  });
  test('is told where there is nothing else', async () => {
    const { stepSeconds, slowdowns, note } = await ask('negative', 'stepSeconds { mean } slowdowns { from } note');
    expect([stepSeconds, slowdowns]).toEqual([null, null]);
    expect(note).toContain('1 step time of 0 s or less, or of more than 14 days, is left out. It reported no other');
  });
});

describe('slow steps during what was told as a pause', () => {
  test.each(['saved-beside', 'saved-in-ms', 'evaluated-beside'])(
    '%s: are not judged, and the note counts them',
    async (run) => {
      const { slowdowns, note } = await ask(run, 'slowdowns { from } note');
      expect(slowdowns).toEqual([]);
      expect(note).toContain(
        '60 steps of more than 1.2 times the median (20 min) lie inside evaluations or checkpoints, as those were reported, and are not judged',
      );
    },
  );
  test.each(['saved-within', 'steady', 'eventful'])('%s has none', async (run) => {
    expect((await ask(run, 'note')).note ?? '').not.toContain('not judged');
  });
});

describe('resumes', () => {
  test.each(['back', 'back-untimed'])('%s went back twice, whatever its evaluations showed', async (run) => {
    const { resumes, note } = await ask(run, 'resumes { at fromStep toStep } note');
    expect(resumes).toEqual(resumed);
    expect(note).toContain('went back to an earlier step 2 times, last from step 209 to 200');
  });
  test.each(['steady', 'steady-untimed'])('%s never did, though evaluations show older steps', async (run) => {
    const { resumes, steps, note } = await ask(run, 'resumes { at } steps { min max } note');
    expect([resumes, steps]).toEqual([[], { min: 0, max: 389 }]);
    expect(note ?? '').not.toContain('went back');
  });
});

describe('what happened to it', () => {
  test('findings, with what they were of; none is a number, and none is of before the window', async () => {
    const found = await ask(
      'eventful',
      'steps { min max } findings { at step name metadata value } metrics(name: ["train/loss", "probe/norm"]) { name metadata series { mean } findings { value } } note',
    );
    expect(found.steps, 'what has no step is no step').toEqual({ min: 0, max: 99 });
    expect(found.findings).toEqual([
      { at: iso(ago(35 * MINUTE)), step: 29, name: 'train/loss', metadata: { split: 'train' }, value: 'NaN' },
      { at: iso(ago(34 * MINUTE)), step: 35, name: 'train/loss', metadata: { split: 'train' }, value: '+Inf' },
      { at: iso(ago(33 * MINUTE) + 3), step: null, name: 'probe/norm', metadata: {}, value: '-Inf' },
      { at: iso(ago(32 * MINUTE)), step: 47, name: 'probe/norm', metadata: { 'layer.name': 'out' }, value: 'null' },
    ]);
    expect(found.metrics).toEqual([
      { name: 'probe/norm', metadata: {}, series: null, findings: [{ value: '-Inf' }] },
      { name: 'probe/norm', metadata: { 'layer.name': 'out' }, series: null, findings: [{ value: 'null' }] },
      {
        name: 'train/loss',
        metadata: { split: 'train' },
        series: null,
        findings: [{ value: 'NaN' }, { value: '+Inf' }],
      },
    ]);
    expect(found.note).toContain('4 values of train/loss, probe/norm were no numbers, the first at');
  });

  test('of very many findings the newest are shown, and the note counts the others', async () => {
    const { findings, note } = await ask('broken', 'findings { step } note');
    expect([findings.length, findings[0].step, findings.at(-1).step]).toEqual([500, 20, 519]);
    expect(note).toContain('20 older findings are not shown');
  });

  test('annotations, those that mean nothing to the gateway too', async () => {
    const { annotations } = await ask('eventful', 'annotations { at step name metadata }');
    expect(annotations).toEqual([
      { at: iso(ago(36 * MINUTE)), step: 24, name: 'checkpoint', metadata: { path: '/ckpt/24', seconds: '31.5' } },
      { at: iso(ago(31 * MINUTE)), step: 54, name: 'checkpoint', metadata: { path: '/ckpt/54' } },
      { at: iso(ago(30.5 * MINUTE)), step: null, name: 'note from the author', metadata: { 'why?': 'lr' } },
      { at: iso(ago(20 * MINUTE)), step: 99, name: 'finished', metadata: {} },
    ]);
  });

  test('pauses, cut to the window', async () => {
    const pauses = 'pauses { kind from to name }';
    expect((await ask('eventful', pauses)).pauses).toEqual([
      { kind: 'EVALUATION', from: iso(ago(HOUR)), to: iso(ago(59 * MINUTE)), name: 'eval' },
      { kind: 'CHECKPOINT', from: iso(ago(36 * MINUTE) - 31.5), to: iso(ago(36 * MINUTE)), name: null },
      { kind: 'CHECKPOINT', from: iso(ago(31 * MINUTE)), to: iso(ago(31 * MINUTE)), name: null },
    ]);
    // They ended only after this window.
    const window = `start: "${iso(ago(61 * MINUTE))}", end: "${iso(ago(60 * MINUTE))}"`;
    expect((await ask('eventful', pauses, window)).pauses).toEqual([
      { kind: 'EVALUATION', from: iso(ago(59 * MINUTE) - 90), to: iso(ago(60 * MINUTE)), name: 'eval' },
    ]);
  });

  test('evaluation passes are told by their pass', async () => {
    const { pauses } = await ask('steady', 'pauses { kind name }');
    const count = (name: string) => pauses.filter((pause: { name: string }) => pause.name === name).length;
    expect([count('eval'), count('probe'), pauses.length]).toEqual([29, 29, 58]);
  });

  test.each([
    ['eventful', false],
    ['broken', true],
    ['steady', false],
    ['stated', false],
  ])('whether %s fell silent', async (run, silent) => {
    const { note } = await ask(run, 'note');
    expect(/It reported nothing since/.test(note ?? '')).toBe(silent);
  });
  test.each([
    ['mostly-slow', 45, 39.6, 40],
    ['hung', 50, 5, 25],
    ['steady-untimed', 180, 1, 1],
  ])('of what came after a window of the past %s is not judged', async (run, start, end, lastAt) => {
    const window = `start: "${iso(ago(start * MINUTE))}", end: "${iso(ago(end * MINUTE))}"`;
    const { note } = await ask(run, 'note', window);
    expect(note ?? '').not.toMatch(/since|may hang/);
    const isQuiet = lastAt - end > 5;
    expect(/to the end of the window, and neither that it finished/.test(note ?? '')).toBe(isQuiet);
  });
  test('one that went on after an interruption, and then said no more, fell silent', async () => {
    const between = `start: "${iso(ago(HOUR))}", end: "${iso(ago(32 * MINUTE))}"`;
    expect((await ask('hung', 'note', between)).note).not.toContain('reported nothing since');
    expect((await ask('hung', 'note')).note).toContain(`It reported nothing since ${iso(ago(25 * MINUTE))}`);
  });
});

describe('the status', () => {
  const status = 'status { at state }';
  test('is the last one inside the window, rebuilt whole, without what earlier ones had', async () => {
    const window = `start: "${iso(ago(2 * HOUR))}", end: "${iso(ago(10 * MINUTE))}"`;
    const state = JSON.parse(
      `{"phase":"eval","step":812,"loss":-0.5,"done":false,"error":null,"empty":"","list":["a",{"deep":2}],"none":[],"nothing":{},
        "by/path":{"~key":3},"like a list":{"0":4},"__proto__":"own"}`,
    );
    const { status: told } = await ask('stated', status, window);
    expect(told.at).toBe(iso(ago(30 * MINUTE)));
    expect(JSON.stringify(sorted(told.state))).toBe(JSON.stringify(sorted(state)));
  });
  test('can be empty', async () => {
    expect((await ask('stated', status)).status).toEqual({ at: iso(ago(5 * MINUTE)), state: {} });
  });
  test('is null where none was kept, and is nobody else’s', async () => {
    expect((await ask('steady', status)).status).toBeNull();
  });
});

/** Members in one order; JSON keeps `__proto__` as a member. */
const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, below]) => [key, sorted(below)]);

describe('what happened at a single moment', () => {
  const told = async (run: string) => {
    const selection = 'firstEventAt findings { at } metrics { name series { last } } status { at state }';
    const { data, errors } = await gateway.query(
      `{ cluster(name: "brink", window: { range: LAST_1H, points: 12 }) { run(name: "${run}") { ${selection} } } }`,
    );
    expect(errors).toBeUndefined();
    return data.cluster.run;
  };
  test.each([...onEdges.slice(1), ...afterEdges])('is seen: %s', async (run, at) => {
    expect(await told(run)).toEqual({
      firstEventAt: iso(at),
      findings: [{ at: iso(at) }],
      metrics: [{ name: 'train/loss', series: null }],
      status: { at: iso(at), state: { run } },
    });
  });
  test('with which the window begins is not', async () => {
    expect(await told('edge-0')).toEqual({ firstEventAt: null, findings: [], metrics: [], status: null });
  });
});

test('nothing of another organization’s run of the same name is in any answer', async () => {
  const { data } = await gateway.query(
    over(`runs { nodes { name note steps { max } stepSeconds { max } findings { value } annotations { name } status { state }
      metrics { name series { max } findings { value } } pauses { to } resumes { toStep } lastEventAt } }`),
  );
  const own = data.cluster.runs.nodes.find(({ name }: { name: string }) => name === 'steady');
  expect([own.findings, own.annotations, own.status, own.note]).toEqual([[], [], null, null]);
  expect(JSON.stringify(data)).not.toMatch(/999999|theirs|secret|:77[,}]/);
});
