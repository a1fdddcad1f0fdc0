import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/embedded/free-port.ts';
import { CannotReport, openReporter } from '../../src/report/index.ts';
import { type MortalStore, mortalStore } from '../support/reported/mortal-store.ts';
import { configOf, type MortalGateway, mortalGateway, run, type Running } from '../support/reported/processes.ts';
import { differences, heldBy } from '../support/reported/raw.ts';
import { ask, expectMetrics, wholeRun } from '../support/reported/read-back.ts';
import { heldOf, lineOf, textOf, type Told } from '../support/reported/told.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpuql-run-edges-'));
let [store, gateway]: [MortalStore, MortalGateway] = [undefined!, undefined!];
beforeAll(async () => {
  store = await mortalStore();
  gateway = await mortalGateway(folder, await freePort(), configOf(store, ['aurora-prod', 'boreas']));
});
afterAll(async () => {
  await gateway?.kill();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});
const isPrometheus = !process.env['GPUQL_ENGINE']?.startsWith('victoria');

/** Each test has moments of its own, none of the future. */
const begun = Math.floor(Date.now() / 1000) * 1000 - 600_000;
const window = { start: begun / 1000 - 60, end: begun / 1000 + 600, points: 12 };
const value = (later: number, name: string, number: Told['value'], more: Partial<Told> = {}): Told => ({
  kind: 'metric',
  ts_ms: begun + later,
  step: 1,
  name,
  value: number!,
  ...more,
});

const report = async (name: string, events: readonly unknown[], more: object = {}) => {
  const { data, errors } = await gateway.query(
    `mutation ($cluster: String!, $run: String!, $events: [RunEvent], $workload: RunWorkloadInput, $status: RunStatusInput) {
      reportRun(cluster: $cluster, run: $run, events: $events, workload: $workload, status: $status) {
        written repeated conflicting refused skipped { kind count } rejected { index reason } note } }`,
    { cluster: 'aurora-prod', run: name, events, ...more },
  );
  return errors?.[0]?.extensions.code ?? data.reportRun;
};
const counts = (counted: object): object => ({
  written: 0,
  repeated: 0,
  conflicting: 0,
  refused: 0,
  skipped: [],
  rejected: [],
  note: null,
  ...counted,
});
const said = expect.stringMatching(/./);
const read = async (name: string, cluster = 'aurora-prod', selection = wholeRun, over = window) => {
  await store.flush();
  const query: typeof gateway.query = (document, variables) => gateway.query(document, { ...variables, cluster });
  return (await ask(query, selection, over, { run: name })).run;
};
const stored = async (name: string, told: readonly Told[], more: object = {}): Promise<string[]> =>
  differences(heldOf(told, name, more), await heldBy(store, name));
const forward = (name: string, ...words: string[]): Running =>
  run(['forward', '--run', name, '--cluster', 'aurora-prod', ...words], { GPUQL_URL: gateway.url });
const piped = async (name: string, text: string, ...words: string[]): Promise<string> => {
  const forwarder = forward(name, ...words);
  forwarder.process.stdin!.end(text);
  await forwarder.ended;
  return forwarder.said();
};

test('a resumed run repeats its steps, and keeps both', async () => {
  const step = (later: number, index: number, seconds: number): Told =>
    value(later, 'runtime/step_seconds', seconds, { step: index, metadata: { split: 'train' } });
  const first = [0, 1, 2, 3, 4, 5].map((index) => step(index * 2000, index, 1.5));
  const stopped: Told = { kind: 'annotation', ts_ms: begun + 11_000, step: 5, name: 'interrupted' };
  const second = [3, 4, 5, 6].map((index) => step(40_000 + index * 2000, index, 1.75));
  expect(await report('resumed', [...first, stopped])).toEqual(counts({ written: 7 }));
  expect(await report('resumed', second)).toEqual(counts({ written: 4 }));
  const told = [...first, stopped, ...second];
  expect(await stored('resumed', told)).toEqual([]);
  const { resumes, ...back } = await read(
    'resumed',
    'aurora-prod',
    wholeRun.replace('note', 'note resumes { fromStep toStep }'),
  );
  expectMetrics(told, back.metrics, window);
  expect(resumes).toEqual([{ fromStep: 5, toStep: 3 }]);
  expect([back.steps.min, back.steps.max, back.steps.last]).toEqual([0, 6, 6]);
});

test('late events: what the store takes is kept, what it does not is told, and nothing else is lost with it', async () => {
  const [first, newer] = [value(20_000, 'loss', 1), value(30_000, 'loss', 2)];
  const [late, other] = [value(10_000, 'loss', 3), value(11_000, 'other', 4)];
  expect(await report('late', [first])).toEqual(counts({ written: 1 }));
  const told = await report('late', [late, newer, other]);
  // A Prometheus without a window for it takes nothing behind a series' newest sample.
  expect(told).toEqual(isPrometheus ? counts({ written: 2, refused: 1, note: said }) : counts({ written: 3 }));
  const again = await report('late', [late, newer, other]);
  expect(again).toEqual(isPrometheus ? counts({ repeated: 2, refused: 1, note: said }) : counts({ repeated: 3 }));
  const { metrics } = await read('late');
  expectMetrics(isPrometheus ? [first, newer, other] : [first, newer, other, late], metrics, window);
});

test('events older than a store takes do not take a hundred new ones with them', async () => {
  const ancient = [1, 2, 3].map((n) => value(-40 * 86_400_000 + n, `old/${n}`, n));
  const fresh = Array.from({ length: 100 }, (_, n) => value(n * 10, `new/${n % 7}`, n));
  const told = await report('ancient', [...ancient, ...fresh]);
  // The store of these tests that is no Prometheus keeps a hundred years.
  expect(told).toEqual(isPrometheus ? counts({ written: 100, refused: 3, note: said }) : counts({ written: 103 }));
  const inWindow = (await read('ancient')).metrics;
  expectMetrics(fresh, inWindow, window);
});

test('of two values for one series and moment the first stands, in a report and in the store', async () => {
  const [one, two] = [value(0, 'loss', 1), value(0, 'loss', 2)];
  expect(await report('rivals', [one, two, one])).toEqual(
    counts({ written: 1, repeated: 1, conflicting: 1, note: said }),
  );
  expect(await report('rivals', [two])).toEqual(counts({ conflicting: 1, note: said }));
  expect(await report('rivals', [one])).toEqual(counts({ repeated: 1 }));
  expect(await stored('rivals', [one])).toEqual([]);
});

const lines = (count: number, name = 'loss'): Told[] =>
  Array.from({ length: count }, (_, n) => value(n * 7, name, n / 8, { step: n, metadata: { split: 'train' } }));
const newIn = (text: string): number => Number(/(\d+) new/.exec(text)?.[1]);

test('two forwarders on one file, with a state each and with one for both', async () => {
  const told = lines(2500);
  for (const [name, states] of [
    ['two-states', ['one', 'two']],
    ['one-state', ['both', 'both']],
  ] as const) {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, told.map((one) => `${lineOf(one)}\n`).join(''));
    const both = states.map((state) => forward(name, '--file', path, '--state', join(folder, `${name}-${state}`)));
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(await stored(name, told)).toEqual([]);
    // Each event is new to one of them, and to one only.
    expect(both.map(({ said }) => newIn(said())).reduce((a, b) => a + b)).toBe(told.length);
  }
});

test('a file that is rotated while nobody forwards it is read to its end, and then the next', async () => {
  const path = join(folder, 'rotated.jsonl');
  const told = lines(90);
  const write = (from: number, to: number): void =>
    appendFileSync(
      path,
      told
        .slice(from, to)
        .map((one) => `${lineOf(one)}\n`)
        .join(''),
    );
  write(0, 30);
  const first = forward('rotated', '--file', path);
  expect([await first.ended, newIn(first.said())]).toEqual([0, 30]);
  write(30, 60);
  renameSync(path, `${path}.1`);
  write(60, 90);
  const second = forward('rotated', '--file', path);
  expect([await second.ended, newIn(second.said())]).toEqual([0, 60]);
  expect(await stored('rotated', told)).toEqual([]);
});

test('two runs of one name on two clusters are two', async () => {
  const [here, there] = [lines(3), lines(4).map((one) => ({ ...one, value: -1 }))];
  expect(await report('namesake', here)).toEqual(counts({ written: 3 }));
  expect(await report('namesake', there, { cluster: 'boreas' })).toEqual(counts({ written: 4 }));
  expectMetrics(here, (await read('namesake')).metrics, window);
  expectMetrics(there, (await read('namesake', 'boreas')).metrics, window);
  const { errors } = await gateway.query('{ cluster(name: "boreas") { run(name: "two-states") { name } } }');
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a run that tells its workload only later has its numbers once', async () => {
  const told = lines(6);
  const train = { workload: { kind: 'JOB', name: 'train' } };
  expect(await report('placed-later', told.slice(0, 4))).toEqual(counts({ written: 4 }));
  expect(await report('placed-later', told, train)).toEqual(counts({ repeated: 4, written: 2 }));
  const { metrics, steps, firstEventAt, note } = await read('placed-later');
  expectMetrics(told, metrics, window);
  expect([steps.min, steps.max, Date.parse(firstEventAt)]).toEqual([0, 5, begun]);
  // It is named, and that the store knows none of its pods.
  expect(note).toContain('train');
});

/** As JSON has it: in a literal, __proto__ would be no key. */
const odd = JSON.parse(
  `{"größe 😀":"é","a.b":"1","a-b":"2","a_b":"3","":"no key","__name__":"up","__proto__":"p","constructor":"c","1st":"x","10":"ten","9":"nine","q\\"uo\\\\te":"new\\nline","\\ud800":"\\udfff","run":"other","metadata":"{}","split":""}`,
);

describe('metadata', () => {
  const series: readonly Told['metadata'][] = [
    odd,
    {},
    { 'a.b': '1' },
    { a_b: '1' },
    { 'a-b': '1' },
    { split: '' },
    { split: 'train' },
    { Split: 'train' },
    { 'split ': 'train' },
    { n: 1, yes: true },
    { n: '1.0', yes: 'true' },
  ];
  const told = series.map((metadata, n) => value(n, 'odd', n + 0.5, { metadata: metadata! }));

  test('that is no label’s name survives exactly, and no two keys become one', async () => {
    expect(await report('odd', told)).toEqual(counts({ written: told.length }));
    expect(await piped('odd', told.map(lineOf).join('\n'))).toContain(`${told.length} already there`);
    expect(await stored('odd', told)).toEqual([]);
    const { metrics } = await read('odd');
    expectMetrics(told, metrics, window);
    const whole = metrics.find(({ metadata }: Told) => Object.keys(metadata!).length > 5);
    expect(Object.entries(whole.metadata).sort()).toEqual(Object.entries(textOf(odd)).sort());
    expect(Object.keys(whole.metadata)).toContain('__proto__');
  });

  test('with an empty text is not metadata without the key', async () => {
    const { metrics } = await read('odd');
    const split = (of: object) =>
      metrics.find(({ metadata }: Told) => JSON.stringify(metadata) === JSON.stringify(of)).split;
    expect([split({ split: '' }), split({}), split({ split: 'train' })]).toEqual(['', null, 'train']);
  });

  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
  /** So many bytes of canonical JSON, in values that are short enough. */
  const bytes = (count: number) => {
    const whole: Record<string, string> = {};
    for (let n = 0; n < 9; n++) whole[`k${n}`] = '';
    let left = count - JSON.stringify(whole).length;
    for (let n = 0; n < 9; n++) {
      whole[`k${n}`] = 'v'.repeat(Math.min(512, left));
      left -= whole[`k${n}`]!.length;
    }
    expect(JSON.stringify(whole)).toHaveLength(count);
    return whole;
  };
  const limits: readonly (readonly [what: string, fits: Record<string, string>, tooMuch: Record<string, string>])[] = [
    ['keys', keys(32), keys(33)],
    ['bytes of a key', { ['k'.repeat(128)]: 'v' }, { ['k'.repeat(129)]: 'v' }],
    ['bytes of a key that are not its characters', { ['é'.repeat(64)]: 'v' }, { [`${'é'.repeat(64)}k`]: 'v' }],
    ['bytes of a value', { k: 'v'.repeat(512) }, { k: 'v'.repeat(513) }],
    ['bytes of a value that are not its characters', { k: '😀'.repeat(128) }, { k: `${'😀'.repeat(128)}v` }],
    ['bytes of JSON', bytes(4096), bytes(4097)],
  ];

  test.each(limits)('at its limit of %s, and one more', async (what, fits, tooMuch) => {
    const name = `limit-${what.replaceAll(' ', '-')}`;
    const [good, bad] = [value(0, 'm', 1, { metadata: fits }), value(1, 'm', 2, { metadata: tooMuch })];
    expect(await report(name, [good, bad])).toEqual(
      counts({ written: 1, rejected: [{ index: 1, reason: expect.stringMatching(/^metadata /) }], note: said }),
    );
    const words = await piped(name, `${lineOf(bad)}\n${lineOf(good)}\n`);
    expect(words).toMatch(/1 event: 0 new, 1 already there; 1 bad line \(line 1: metadata /);
    expect(await stored(name, [good])).toEqual([]);
    expectMetrics([good], (await read(name)).metrics, window);
    const reporter = await openReporter({ argv: [], env: {}, say: () => {} });
    reporter.step(0);
    // With what the runtime adds itself, a series at the limit is over it.
    expect(() => reporter.metric('m', 1, tooMuch)).toThrow(/metadata/);
    await reporter.finish();
  });
});

test('numbers at the ends of what a double holds, and what is none', async () => {
  const numbers = [
    0,
    -0,
    5e-324,
    -5e-324,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    2 ** 53 + 2,
    0.1 + 0.2,
    1 / 3,
  ];
  const told = [
    ...(isPrometheus ? numbers : [0, 1 / 4]).map((number, n) => value(n, `n/${n}`, number)),
    ...(['NaN', 'Infinity', '-Infinity', null] as const).map((number, n) => value(n, 'x', number, { step: n })),
  ];
  const text = [...told.map(lineOf), lineOf(value(9, 'x', 1)).replace('"value":1', '"value":1e999')].join('\n');
  const all = [...told, value(9, 'x', 'Infinity')];
  expect(await piped('doubles', text)).toContain(`${all.length} new`);
  expect(await piped('doubles', text)).toContain(`0 new, ${all.length} already there`);
  expect(await stored('doubles', all)).toEqual([]);
  const { metrics } = await read('doubles');
  expect(metrics.find(({ name }: Told) => name === 'x')).toMatchObject({
    series: null,
    findings: [
      { step: 0, value: 'NaN' },
      { step: 1, value: '+Inf' },
      { step: 2, value: '-Inf' },
      { step: 3, value: 'null' },
      { step: 1, value: '+Inf' },
    ],
  });
});

test('names and moments at their limits, and one more', async () => {
  const now = Date.now();
  const told = [
    value(0, 'é'.repeat(256), 1),
    value(0, `${'é'.repeat(256)}x`, 1),
    value(now + 590_000 - begun, 'soon', 1),
  ];
  const outcome = await report('limits', [...told, value(now + 660_000 - begun, 'later', 1)]);
  expect([outcome.written, outcome.rejected.map(({ index }: { index: number }) => index)]).toEqual([2, [1, 3]]);
  expect(await report('r'.repeat(121), [told[0]])).toMatchObject({ written: 1 });
  expect(await report('r'.repeat(122), [told[0]])).toBe('BAD_REQUEST');
  expect(await report('no name', [told[0]])).toBe('BAD_REQUEST');
  expect(await report('full', lines(500))).toEqual(counts({ written: 500 }));
  expect(await report('full', lines(501))).toBe('QUERY_TOO_LARGE');
});

test('what is no event is told with its place, and keeps no other from being taken', async () => {
  const items = [
    null,
    3,
    [],
    {},
    { kind: 'metric' },
    { kind: 'summary' },
    { kind: 'log', ts_ms: 1 },
    value(0, 'ok', 1),
  ];
  const outcome = await report('others', items);
  expect(outcome).toMatchObject({
    written: 1,
    skipped: [
      { kind: 'summary', count: 1 },
      { kind: 'log', count: 1 },
    ],
  });
  expect(outcome.rejected.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4]);
});

test('the last state of a status file is kept with its run, while the file is written again and again', async () => {
  const path = join(folder, 'status.json');
  const state = (phase: string) => ({ phase, step: 3, deep: { list: [1, 'two', null, true], none: {} }, 'a/b~c': '' });
  writeFileSync(path, JSON.stringify(state('training')));
  const forwarder = forward('states', '--status', path);
  forwarder.process.stdin!.write(`${lineOf(value(Date.now() - begun, 'loss', 1))}\n`);
  await sleep(1500);
  writeFileSync(path, JSON.stringify(state('finished')));
  forwarder.process.stdin!.end();
  expect([await forwarder.ended, forwarder.said()]).toEqual([0, expect.stringContaining('1 new')]);
  // A window that has ended: near the present VictoriaMetrics gives the value before the last for the last.
  await sleep(2500);
  const until = { ...window, end: Math.floor(Date.now() / 1000) - 1 };
  const back = await read('states', 'aurora-prod', 'run(name: $run) { status { at state } }', until);
  expect([back.status?.state, forwarder.said()]).toEqual([state('finished'), said]);
});

test('whatever the length of a window, what lies at its end is in it', async () => {
  const kept = lines(4, 'runtime/step_seconds');
  expect(await report('lengths', kept, { status: { at: kept.at(-1)!.ts_ms, state: { phase: 'done' } } })).toMatchObject(
    {
      written: 4,
    },
  );
  const end = begun / 1000 + 1;
  const lengths = Array.from({ length: 65 }, (_, n) => 200 + n);
  const selection = 'run(name: $run) { steps { last } stepSeconds { last } status { state } }';
  const found: unknown[] = [];
  for (const length of lengths) {
    const over = { start: end - length, end, points: 3 };
    const back = await read('lengths', 'aurora-prod', selection, over);
    found.push([length, back.steps?.last, back.stepSeconds?.last, back.status?.state.phase]);
  }
  expect(found).toEqual(lengths.map((length) => [length, 3, 3 / 8, 'done']));
});

test('a target that cannot be is told before the training starts', async () => {
  const open = (metrics: string) =>
    openReporter({
      argv: ['--metrics', metrics],
      env: { GPUQL_URL: gateway.url, GPUQL_CLUSTER: 'nowhere' },
      say: () => {},
    });
  await expect(open('gpuql:run')).rejects.toThrow(/aurora-prod/);
  await expect(open('gpuql:no name')).rejects.toThrow(CannotReport);
  await expect(open(`jsonl:${folder}`)).rejects.toThrow(CannotReport);
});
