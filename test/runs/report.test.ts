import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { configOver, report, type RunWorld, startRuns } from '../support/runs.ts';

let world: RunWorld;
const now = Date.now();
beforeAll(async () => {
  world = await startRuns({ now: () => now / 1000 });
});
afterAll(() => world.close());

interface Told {
  readonly kind: string;
  readonly ts_ms: number;
  readonly step?: number | null;
  readonly name: string;
  readonly value?: number | string | null;
  readonly metadata?: Record<string, string | number | boolean>;
}

const metric = (seconds: number, name: string, value: Told['value'], more: Partial<Told> = {}): Told => ({
  kind: 'metric',
  ts_ms: now - seconds * 1000,
  step: 1000 - seconds,
  name,
  value: value!,
  ...more,
});

const sum = ({ written, repeated, conflicting, refused, skipped, rejected }: ReturnType<typeof JSON.parse>): number =>
  written +
  repeated +
  conflicting +
  refused +
  rejected.length +
  skipped.reduce((all: number, { count }: { count: number }) => all + count, 0);

/** What is to become of events, told without any of the gateway's code: what a series and moment has, and how often. */
class Truth {
  readonly held = new Map<string, number>();

  report(events: readonly Told[]): { written: number; repeated: number; conflicting: number } {
    const counts = { written: 0, repeated: 0, conflicting: 0 };
    for (const { kind, name, metadata = {}, ts_ms, value, step } of events) {
      const finding = kind === 'metric' && typeof value !== 'number' ? String(value) : '';
      const told = Object.entries(metadata).map(([key, own]) => [key, String(own)]);
      const key = JSON.stringify([kind, name, finding, ts_ms, told.sort(([a], [b]) => (a! < b! ? -1 : 1))]);
      const number = kind === 'metric' && finding === '' ? (value as number) : (step ?? -1);
      const before = this.held.get(key);
      counts[before === undefined ? 'written' : before === number ? 'repeated' : 'conflicting'] += 1;
      if (before === undefined) this.held.set(key, number);
    }
    return counts;
  }
}

/** Samples of everything but the moments, and how often a moment of one series is there twice. */
async function heldBy(run: string): Promise<{ samples: number; doubled: number; moments: number }> {
  const series = await world.raw(run);
  const own = series.filter(({ labels }) => labels['__name__'] !== 'gpuql_run_event');
  const count = (of: typeof series) => of.reduce((all, { samples }) => all + samples.length, 0);
  const distinct = series.reduce((all, { samples }) => all + new Set(samples.map(([tsMs]) => tsMs)).size, 0);
  return { samples: count(own), doubled: count(series) - distinct, moments: count(series) - count(own) };
}

/** Made-up numbers that are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

function madeUp(count: number, random: () => number): Told[] {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  return Array.from({ length: count }, () => {
    const seconds = Math.floor(random() * 60);
    const metadata = pick([{}, { split: 'train' }, { split: 'eval', pass: 2 }, { 'a.b': true }]);
    if (random() < 0.1)
      return { kind: 'annotation', ts_ms: now - seconds * 1000, step: 7, name: 'checkpoint', metadata };
    const value = pick([1, 2, 0.1 + 0.2, -1e-9, 1e300, 'NaN', '+Inf', 'null']);
    return metric(seconds, pick(['train/loss', 'rate/tokens', 'ü']), value === 'null' ? null : value, {
      metadata,
      step: pick([null, 5, 6]),
    });
  });
}

test.each([1, 2, 3])('the counts are those of the input, and nothing is doubled (%i)', async (seed) => {
  const run = `counted-${seed}`;
  const random = numbers(seed);
  const truth = new Truth();
  const [first, second] = [madeUp(300, random), madeUp(300, random)];
  // Overlapping: half of the one with the other.
  for (const events of [first, first, [...second, ...first.slice(150)], second]) {
    const expected = truth.report(events);
    const { data } = await world.report({ run, events });
    expect(data.reportRun).toMatchObject({ ...expected, refused: 0, skipped: [], rejected: [] });
    expect(sum(data.reportRun)).toBe(events.length);
  }
  const moments = new Set([...first, ...second].map(({ ts_ms }) => ts_ms)).size;
  expect(await heldBy(run)).toEqual({ samples: truth.held.size, doubled: 0, moments });
});

test('reports of one run that come at once are told apart, and written once', async () => {
  const events = [1, 2, 3].map((seconds) => metric(seconds, 'train/loss', seconds));
  const all = await Promise.all(Array.from({ length: 6 }, () => world.report({ run: 'at-once', events })));
  const count = (of: string) => all.reduce((total, { data }) => total + data.reportRun[of], 0);
  expect([count('written'), count('repeated')]).toEqual([3, 15]);
  expect(await heldBy('at-once')).toEqual({ samples: 3, doubled: 0, moments: 3 });
});

test('a gateway that has just begun knows from the store what is there', async () => {
  const events = [1, 2].map((seconds) => metric(seconds, 'train/loss', 1 / 3));
  await world.report({ run: 'restarted', events });
  // VictoriaMetrics shows it only when it was written to disk.
  await world.raw('restarted');
  const other = await startAnother();
  const { data } = await other.report({ run: 'restarted', events: [...events, metric(0, 'train/loss', 1)] });
  expect(data.reportRun).toMatchObject({ written: 1, repeated: 2, conflicting: 0 });
  const { data: next } = await other.report({ run: 'restarted', events: [metric(1, 'train/loss', 0.5)] });
  expect(next.reportRun).toMatchObject({ written: 0, conflicting: 1, note: expect.stringMatching(/and stands\.$/) });
  const loss = (await world.raw('restarted')).find(({ labels }) => labels['metric']);
  expect(loss!.samples.map(([, value]) => value)).toEqual([1 / 3, 1 / 3, 1].map((each) => expect.closeTo(each, 12)));
});

async function startAnother() {
  const { url } = world.store;
  const gateway = await startGateway({ config: configOver(url, `${url}/api/v1/write`), now: () => now / 1000 });
  onTestFinished(() => gateway.close());
  return { report: (variables: object) => report(gateway, variables) };
}

test('a batch of good and bad: each is told with its place, and the good ones are written', async () => {
  const events: unknown[] = [
    metric(9, 'train/loss', 1),
    { kind: 'summary', value: 3 },
    'text',
    metric(8, 'train/loss', 'much'),
    null,
    [],
    { kind: 'summary' },
    { kind: 'heartbeat', ts_ms: now },
    metric(-601, 'train/loss', 1),
    metric(-599, 'train/loss', 1),
    { ...metric(7, 'train/loss', 1), metadata: { key: {} } },
    { ...metric(7, 'train/loss', 1), metadata: null },
  ];
  const { data } = await world.report({ run: 'mixed', events });
  expect(data.reportRun).toEqual({
    written: 3,
    repeated: 0,
    conflicting: 0,
    refused: 0,
    skipped: [
      { kind: 'summary', count: 2 },
      { kind: 'heartbeat', count: 1 },
    ],
    rejected: [
      { index: 2, reason: 'it is no JSON object' },
      { index: 3, reason: 'value is no number' },
      { index: 4, reason: 'it is no JSON object' },
      { index: 5, reason: 'it is no JSON object' },
      { index: 8, reason: "ts_ms lies more than 10 minutes ahead of the gateway's clock" },
      { index: 10, reason: expect.stringMatching(/^metadata has a value of "key"/) },
    ],
    note: 'Not events, and left out: 2 of kind "summary", 1 of kind "heartbeat". 6 events could not be taken, the first as it is no JSON object.',
  });
  expect(await heldBy('mixed')).toEqual({ samples: 3, doubled: 0, moments: 3 });
});

describe('nothing that a client names leads out of its cluster, or makes two series one', () => {
  const hostile = [
    'a"b',
    'a\\b',
    'a\nb',
    'a\u0000b',
    '"}',
    '",cluster="pool',
    '{cluster="pool"}',
    '__name__',
    '__proto__',
    'constructor',
    'cluster',
    'run',
    '.*|.+',
    'ü',
    'ü',
    '😀',
    '\u2028',
    '\u007f',
    ' ',
    'x'.repeat(512),
    'é'.repeat(256),
  ];

  test('as a name', async () => {
    const events = hostile.map((name, i) => metric(i, name, i));
    for (const wanted of ['written', 'repeated']) {
      const { data } = await world.report({ run: 'names', events });
      expect(data.reportRun).toMatchObject({ [wanted]: hostile.length, note: null });
    }
    const held = (await world.raw('names')).filter(({ labels }) => labels['__name__'] === 'gpuql_run_value');
    expect(new Set(held.map(({ labels }) => labels['metric']))).toEqual(new Set(hostile));
    expect(held.map(({ labels }) => Object.keys(labels).sort())).toEqual(
      held.map(() => ['__name__', 'cluster', 'metric', 'run']),
    );
    expect(new Set(held.map(({ labels }) => labels['cluster']))).toEqual(new Set(['aurora']));
  });

  test('as keys and values of metadata, lone surrogates among them', async () => {
    const keys = [
      ...hostile.filter((text) => Buffer.byteLength(text) <= 128),
      'split',
      'SPLIT',
      'Split',
      'a.b',
      'a_b',
      'a-b',
      '',
      '\ud800',
      '\udfff',
    ];
    const all = [...keys.map((key) => ({ [key]: 'v' })), ...[...hostile, '\ud800', ''].map((own) => ({ split: own }))];
    const made = all.map((metadata) => Object.fromEntries(Object.entries(metadata)));
    const events = made.map((metadata, i) => metric(1, 'train/loss', i, { metadata }));
    const distinct = new Set(made.map((metadata) => JSON.stringify(metadata))).size;
    const { data } = await world.report({ run: 'metadata', events });
    expect(data.reportRun).toMatchObject({ written: distinct, repeated: 0, conflicting: events.length - distinct });
    const held = (await world.raw('metadata')).filter(({ labels }) => labels['__name__'] === 'gpuql_run_value');
    const texts = held.map(({ labels }) => labels['metadata']!);
    expect(new Set(texts.map((text) => JSON.stringify(JSON.parse(text))))).toEqual(
      new Set(made.map((metadata) => JSON.stringify(metadata))),
    );
    const own = new Set(['__name__', 'cluster', 'metadata', 'metric', 'run', 'split']);
    expect(held.flatMap(({ labels }) => Object.keys(labels)).filter((name) => !own.has(name))).toEqual([]);
    expect(new Set(held.map(({ labels }) => labels['cluster']))).toEqual(new Set(['aurora']));
  });

  test('metadata as large as may be, and what is larger is rejected', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 32 }, (_, i) => [`k${String(i).padStart(2, '0')}`, 'x'.repeat(119)]),
    );
    const room = 4096 - Buffer.byteLength(JSON.stringify(metadata));
    const largest = { ...metadata, k00: 'x'.repeat(119 + room) };
    expect(JSON.stringify(largest)).toHaveLength(4096);
    const events = [
      metric(2, 'train/loss', 1, { metadata: largest }),
      metric(1, 'train/loss', 1, { metadata: { ...largest, k01: 'x'.repeat(120) } }),
    ];
    const { data } = await world.report({ run: 'largest', events });
    expect(data.reportRun).toMatchObject({
      written: 1,
      rejected: [{ index: 1, reason: expect.stringMatching(/4096/) }],
    });
    const held = (await world.raw('largest')).find(({ labels }) => labels['metric']);
    expect(JSON.parse(held!.labels['metadata']!)).toEqual(largest);
  });

  test.each([
    ['a run', { run: 'a"b' }],
    ['a run without a name', { run: '' }],
    ['a cluster', { cluster: 'aurora"' }],
    ['a workload', { workload: { kind: 'JOB', name: 'a/b' } }],
    ['a namespace', { workload: { kind: 'JOB', name: 'a', namespace: 'x"' } }],
  ])('%s that can be none is refused', async (_what, variables) => {
    const { errors, status } = await world.report({ events: [metric(1, 'a', 1)], ...variables });
    expect([status, errors![0]!.extensions.code]).toEqual([422, 'BAD_REQUEST']);
  });

  test.each(['zeta', 'pool'])('the cluster %s is not there, and neither is somebody else’s', async (cluster) => {
    const { errors, status } = await world.report({ cluster, events: [metric(1, 'a', 1)] });
    expect([status, errors![0]!.extensions.code]).toEqual([404, 'NOT_FOUND']);
    expect(errors![0]!.message).toBe(`There is no cluster "${cluster}" here.`);
    expect((await world.raw()).filter(({ labels }) => labels['cluster'] !== 'aurora')).toEqual([]);
  });
});

test('the workload is told with the moments, and only there', async () => {
  const workload = { kind: 'JOB', namespace: 'ml', name: 'train-llm' };
  await world.report({
    run: 'owned',
    workload,
    events: [metric(1, 'a', 1, { step: 3 }), metric(1, 'b', 1, { step: 8 })],
  });
  const held = await world.raw('owned');
  const moments = held.filter(({ labels }) => labels['__name__'] === 'gpuql_run_event');
  expect(moments).toEqual([
    {
      labels: expect.objectContaining({ workload_kind: 'JOB', workload_namespace: 'ml', workload: 'train-llm' }),
      samples: [[now - 1000, 8]],
    },
  ]);
  expect(held.filter(({ labels }) => labels['workload'])).toHaveLength(1);
});

test('more than 500 events are too many, by how many', async () => {
  const events = Array.from({ length: 501 }, () => metric(1, 'a', 1));
  const { errors } = await world.report({ run: 'many', events });
  expect(errors![0]).toMatchObject({
    message: 'The report has 501 events, 1 more than the 500 that are allowed. Send several.',
    extensions: { code: 'QUERY_TOO_LARGE', status: 422 },
  });
});

describe('the state of a run', () => {
  const leavesOf = async (run: string) =>
    (await world.raw(run)).map(({ labels: { path = '', type, text = '' }, samples }) => [path, type, text, samples]);

  test('is written as its leaves, all of one moment, and repeated when sent again', async () => {
    const at = now - 5000;
    const state = { step: 7, phase: 'train', done: false, error: null, gpus: [0.5, {}], 'a/b~': '' };
    for (const _again of [1, 2]) {
      const { data } = await world.report({ run: 'state', status: { at, state } });
      expect(data.reportRun).toMatchObject({ written: 0, repeated: 0, note: null });
    }
    const one = (...leaf: unknown[]) => [...leaf.slice(0, 3), [[at, leaf[3] ?? 1]]];
    expect(new Set((await leavesOf('state')).map((leaf) => JSON.stringify(leaf)))).toEqual(
      new Set(
        [
          one('/step', 'number', '', 7),
          one('/phase', 'string', 'train'),
          one('/done', 'boolean', 'false'),
          one('/error', 'null', ''),
          one('/gpus/0', 'number', '', 0.5),
          one('/gpus/1', 'empty', '{}'),
          one('/a~1b~0', 'string', ''),
        ].map((leaf) => JSON.stringify(leaf)),
      ),
    );
  });

  test('another state of the same moment is not mixed with the first', async () => {
    const at = now - 5000;
    await world.report({ run: 'states', status: { at, state: { a: 1, b: 2 } } });
    for (const state of [{ a: 1 }, { a: 1, b: 3 }, { a: 1, b: 2, c: 3 }]) {
      const { data } = await world.report({ run: 'states', status: { at, state } });
      expect(data.reportRun.note).toBe('The store has another state of that very millisecond, which stands.');
    }
    expect(await leavesOf('states')).toEqual([
      ['/a', 'number', '', [[at, 1]]],
      ['/b', 'number', '', [[at, 2]]],
    ]);
  });

  test('of a time that has not come is not written, and the events are', async () => {
    const status = { at: now + 700_000, state: { a: 1 } };
    const { data } = await world.report({ run: 'ahead', events: [metric(1, 'a', 1)], status });
    expect(data.reportRun).toMatchObject({
      written: 1,
      note: expect.stringMatching(/status\.at lies more than 10 min/),
    });
    expect((await leavesOf('ahead')).filter(([path]) => path !== '')).toEqual([]);
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', [1], /no JSON object/],
    ['text', 'x', /no JSON object/],
    ['too many values', Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, i])), /more than 200/],
    ['a long text', { a: 'x'.repeat(513) }, /513 bytes/],
    ['a long path', { a: { ['x'.repeat(511)]: 1 } }, /514 bytes/],
    ['what is no Unicode text', { a: '\ud800' }, /no Unicode/],
    ['a key that is none', { '\udc00': 1 }, /no Unicode/],
  ])('is refused where it is %s', async (_what, state, words) => {
    const { errors } = await world.report({ status: { at: now, state } });
    expect(errors![0]).toMatchObject({ message: expect.stringMatching(words), extensions: { code: 'BAD_REQUEST' } });
  });
});
