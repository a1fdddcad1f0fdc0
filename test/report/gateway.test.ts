import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToGateway } from '../../src/report/to-gateway.ts';
import type { ReporterOptions } from '../../src/report/index.ts';
import { answer, recordingGateway, type RecordingGateway } from '../support/recording-gateway.ts';
import { reported } from '../support/reported.ts';

const run = (gateway: Pick<RecordingGateway, 'url'>, env = {}, options: ReporterOptions = {}) =>
  reported({
    argv: ['--metrics', 'gpuql:my-run'],
    env: { GPUQL_URL: gateway.url, GPUQL_TOKEN: 'to-ken', ...env },
    ...options,
  });
const refuse = (code: string, status: number) => (_: number, response: Parameters<typeof answer>[0]) => {
  answer(response, { errors: [{ message: `Because ${code}.`, extensions: { code } }] }, status);
  return null;
};

test('events arrive in order, all of them, with the run that they belong to', async () => {
  const gateway = await recordingGateway();
  const { reporter } = await run(gateway, { GPUQL_WORKLOAD: 'Job/default/train-llm' });
  for (let index = 0; index < 700; index++) reporter.step(index).end();
  expect(await reporter.finish()).toMatchObject({ events: 1401, delivered: 1401, lost: 0, lost_to: {} });
  expect(gateway.events().map(({ step }) => step)).toEqual(
    [...Array(1401).keys()].map((index) => Math.min(699, Math.floor(index / 2))),
  );
  const reports = gateway.requests.slice(1);
  expect(reports.every(({ variables }) => (variables?.events?.length ?? 0) <= 500)).toBe(true);
  expect(gateway.requests.every(({ authorization }) => authorization === 'Bearer to-ken')).toBe(true);
  expect(reports[0]!.variables).toMatchObject({
    cluster: 'aurora-prod',
    island: 'north',
    run: 'my-run',
    workload: { kind: 'JOB', namespace: 'default', name: 'train-llm' },
  });
});

test('what the gateway counts is what the summary tells', async () => {
  const gateway = await recordingGateway({
    report: (events) =>
      events === 0 ? {} : { repeated: 1, conflicting: 2, refused: 3, rejected: 4, note: 'Three were too old.' },
  });
  const { reporter, said } = await run(gateway);
  for (let index = 0; index < 20; index++) reporter.step(index).end();
  expect(await reporter.finish()).toMatchObject({
    events: 41,
    delivered: 32,
    lost: 9,
    lost_to: { conflicting: 2, refused: 3, rejected: 4 },
  });
  expect(said).toContain('The gateway: Three were too old.');
  expect(said.at(-1)).toMatch(
    /^metrics: 9 of 41 events were lost: 2 have another value.*; 3 are older.*; 4 were no events/,
  );
});

test('an answer that counts fewer than it was given is not taken for success', async () => {
  const gateway = await recordingGateway();
  const { reporter } = await run(
    gateway,
    {},
    {
      fetch: async (...request) => {
        const response = await fetch(...request);
        return new Response((await response.text()).replace(/"written":\d+/, '"written":1'), {
          status: response.status,
        });
      },
    },
  );
  reporter.step(0).end();
  expect(await reporter.finish()).toMatchObject({ events: 3, delivered: 1, lost: 2, lost_to: { unconfirmed: 2 } });
});

test('a gateway that will never take it: told once with what to change, and every event is counted', async () => {
  const gateway = await recordingGateway({ report: refuse('UNAUTHENTICATED', 401) });
  const { reporter, said } = await run(gateway);
  for (let index = 0; index < 600; index++) reporter.step(index).end();
  expect(await reporter.finish()).toMatchObject({ events: 1201, delivered: 0, lost_to: { not_taken: 1201 } });
  expect(
    said.filter((line) => line.includes('what the run reports: Because UNAUTHENTICATED. Set GPUQL_TOKEN')),
  ).toHaveLength(1);
});

test('the state of the run goes with it, and a gateway that does not take it takes the events all the same', async () => {
  const gateway = await recordingGateway();
  const { reporter } = await run(gateway);
  reporter.status({ owner: 'ada' });
  reporter.step(5).end();
  await reporter.finish();
  expect(gateway.states().at(-1)).toMatchObject({
    owner: 'ada',
    phase: 'finished',
    step: 5,
    metrics: reporter.metrics,
  });
  const refusing = await recordingGateway({
    report: (events, response) => (events > 0 ? {} : refuse('BAD_REQUEST', 422)(0, response)),
  });
  const other = await run(refusing);
  other.reporter.step(5).end();
  expect(await other.reporter.finish()).toMatchObject({ events: 3, delivered: 3, lost: 0 });
  expect(other.said.filter((line) => line.includes('does not take the state of the run'))).toHaveLength(1);
});

test.each([
  ['the only one', [{ name: 'a', island: 'x' }], {}, { cluster: 'a', island: 'x' }],
  [
    'the one that is named',
    [
      { name: 'a', island: 'x' },
      { name: 'b', island: 'x' },
    ],
    { GPUQL_CLUSTER: 'b' },
    { cluster: 'b', island: 'x' },
  ],
  [
    'the one of the island',
    [
      { name: 'a', island: 'x' },
      { name: 'a', island: 'y' },
    ],
    { GPUQL_ISLAND: 'y' },
    { cluster: 'a', island: 'y' },
  ],
])('the cluster is %s', async (_, clusters, env, expected) => {
  const gateway = await recordingGateway({ clusters });
  const { reporter } = await run(gateway, env);
  await reporter.finish();
  expect(gateway.requests.at(-1)!.variables).toMatchObject(expected);
});

const two = [
  { name: 'a', island: 'x' },
  { name: 'b', island: 'y' },
];
test.each([
  [
    'several, none named',
    two,
    {},
    'GPUQL_CLUSTER is not set, and there are several clusters; set it to one of them. There are: a (island x), b (island y).',
  ],
  [
    'none of that name',
    two,
    { GPUQL_CLUSTER: 'c' },
    'There is no cluster "c"; set GPUQL_CLUSTER to one of yours. There are: a (island x), b (island y).',
  ],
  ['none on that island', two, { GPUQL_CLUSTER: 'a', GPUQL_ISLAND: 'y' }, 'There is no cluster "a" on the island "y"'],
  [
    'two of that name',
    [two[0]!, { name: 'a', island: 'y' }],
    { GPUQL_CLUSTER: 'a' },
    'set GPUQL_ISLAND to the island of one of them. There are: a (island x), a (island y).',
  ],
  ['none at all', [], {}, 'There is no cluster for a run of yours.'],
])('an error at the start: %s', async (_, clusters, env, words) => {
  const gateway = await recordingGateway({ clusters });
  await expect(run(gateway, env)).rejects.toMatchObject({
    name: 'CannotReport',
    message: expect.stringContaining(words),
  });
});

test.each<[string, Parameters<typeof recordingGateway>[0] & object, RegExp]>([
  [
    'a gateway that knows only its own documents',
    { clusters: (response) => answer(response, { errors: [{ message: 'Only trusted documents.' }] }, 403) },
    /answers "Only trusted documents\."/,
  ],
  [
    'a store that does not answer',
    { clusters: (response) => answer(response, { data: { clusters: null }, errors: [{ message: 'No.' }] }) },
    /answers "No\."/,
  ],
  ['what is no gateway', { clusters: (response) => void response.writeHead(502).end('<html>') }, /HTTP 502/],
])('%s does not stop a run whose cluster is named, and stops one whose cluster is not', async (_, options, words) => {
  const gateway = await recordingGateway(options);
  await expect(run(gateway)).rejects.toThrow(/GPUQL_CLUSTER is not set.*Set GPUQL_CLUSTER/);
  await expect(run(gateway)).rejects.toThrow(words);
  const { reporter, said } = await run(gateway, { GPUQL_CLUSTER: 'aurora-prod' });
  expect(said[0]).toMatch(words);
  expect(said[1]).toBe(`metrics: ${gateway.url}, run my-run of cluster aurora-prod`);
  expect(await reporter.finish()).toMatchObject({ events: 1, delivered: 1 });
});

test('a token that nobody knows is an error at the start, also where the cluster is named', async () => {
  const gateway = await recordingGateway({
    clusters: (response) =>
      answer(response, { errors: [{ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } }] }, 401),
  });
  await expect(run(gateway, { GPUQL_CLUSTER: 'a' })).rejects.toThrow('set GPUQL_TOKEN');
});

test('a gateway that is not there yet gets everything when it comes', async () => {
  const gateway = await recordingGateway();
  let isThere = false;
  const { reporter, said } = await run(
    gateway,
    { GPUQL_CLUSTER: 'aurora-prod' },
    {
      fetch: (...request) => (isThere ? fetch(...request) : Promise.reject(new TypeError('fetch failed'))),
    },
  );
  expect(said[0]).toMatch(/it cannot be reached/);
  reporter.step(0).end();
  await vi.waitFor(() => expect(said.some((line) => line.includes('trying again'))).toBe(true), 5000);
  isThere = true;
  reporter.step(1).end();
  expect(await reporter.finish()).toMatchObject({ events: 5, delivered: 5, lost: 0 });
  expect(gateway.events().map(({ name }) => name)).toEqual([
    'runtime/step_seconds',
    'runtime/train_seconds',
    'runtime/step_seconds',
    'runtime/train_seconds',
    'finished',
  ]);
});

const clusters = '{"data":{"clusters":[{"name":"a","island":"x"}]}}';

test('no answer within five seconds of the start', async () => {
  const gateway = await recordingGateway({ clusters: () => {} });
  const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(5000);
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  });
  await expect(run(gateway)).rejects.toThrow('it did not answer within 5 s. Set GPUQL_CLUSTER');
  asked.mockRestore();
});

/** A gateway that holds every report until it is stopped; timers are moved by hand. */
const holding = () => {
  const asked: string[] = [];
  const fetch = (_: unknown, { body, signal }: { body: string; signal: AbortSignal }): Promise<Response> => {
    if (body.includes('{ clusters')) return Promise.resolve(new Response(clusters));
    asked.push(body);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  return { asked, fetch: fetch as unknown as typeof globalThis.fetch };
};

beforeEach(({ task }) => {
  if (task.name.startsWith('timers: ')) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

test('timers: a step never waits, and the end waits thirty seconds and no longer', async () => {
  const { asked, fetch } = holding();
  const { reporter } = await run({ url: 'http://127.0.0.1:1/graphql' }, {}, { fetch });
  for (let index = 0; index < 600; index++) reporter.step(index).end();
  let summary: unknown;
  const ended = reporter.finish().then((it) => (summary = it));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(summary).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  expect(asked).toHaveLength(1);
  expect(summary).toMatchObject({
    events: 1201,
    delivered: 0,
    lost: 1201,
    lost_to: { time_up: 701, unconfirmed: 500 },
  });
});

test('timers: events of one second go together, and a full report goes at once', async () => {
  const { asked, fetch } = holding();
  const sink = new ToGateway('there', { url: 'http://127.0.0.1:1', cluster: 'a', run: 'r' }, { say() {}, fetch });
  sink.put('{}', 7);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(0);
  sink.put('{}', 7);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('"events":[{},{}]');
  const full = new ToGateway('there', { url: 'http://127.0.0.1:1', cluster: 'a', run: 'r' }, { say() {}, fetch });
  for (let index = 0; index < 500; index++) full.put('{}', 7);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(2);
});

test('timers: a full queue keeps the oldest, and counts what came later', async () => {
  const { asked, fetch } = holding();
  const said: string[] = [];
  const settings = { say: (line: string) => said.push(line), fetch, mostQueued: 3 };
  const sink = new ToGateway('there', { url: 'http://127.0.0.1:1', cluster: 'a', run: 'r' }, settings);
  for (let index = 0; index < 5; index++) sink.put(`{"step":${index}}`, 7);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked[0]).toContain('"events":[{"step":0},{"step":1},{"step":2}]');
  expect(said).toEqual([expect.stringContaining('3 wait: newer ones are lost until there is room')]);
  // There is room again.
  sink.put('{"step":5}', 7);
  const closed = sink.close();
  await vi.advanceTimersByTimeAsync(30_000);
  await closed;
  expect(sink.tally).toMatchObject({ events: 6, delivered: 0, lostTo: { queue_full: 2, unconfirmed: 3, time_up: 1 } });
});
