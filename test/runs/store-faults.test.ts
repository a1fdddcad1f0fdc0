import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startStore } from '../../src/embedded/store.ts';
import {
  delay,
  type Fault,
  type FaultyStore,
  hang,
  html,
  pass,
  type RecordedRequest,
  refuse,
  startFaultyStore,
  status,
  warnings,
} from '../support/faulty-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { configOver, isVictoriaMetrics, rawOf, report, type RunWorld, startRuns } from '../support/runs.ts';

let world: RunWorld;
let store: FaultyStore;
let gateway: Gateway;
const now = Date.now();
let runs = 0;
let run = '';

const gatewayOver = async (settings: object = {}): Promise<Gateway> => {
  const prometheus = { url: store.url, writeUrl: `${store.url}/api/v1/write`, timeoutS: 1, ...settings };
  const config = configOver('', undefined, { islands: [{ name: 'north', prometheus }] });
  const made = await startGateway({ config, now: () => now / 1000 });
  onTestFinished(() => made.close());
  return made;
};

beforeAll(async () => {
  world = await startRuns();
  store = await startFaultyStore(world.store.url);
});
beforeEach(async () => {
  store.always(() => undefined);
  gateway = await gatewayOver();
  run = `r${(runs += 1)}`;
});
afterAll(async () => {
  await store.close();
  await world.close();
});

const isWrite = ({ path }: RecordedRequest): boolean => path === '/api/v1/write';
const onWrites = (fault: Fault): void => store.always((request) => (isWrite(request) ? fault : undefined));
const writesSince = (from: number): number => store.requests.slice(from).filter(isWrite).length;

const events = [3, 2, 1].map((seconds) => ({
  kind: 'metric',
  ts_ms: now - seconds * 1000,
  step: 10 - seconds,
  name: 'train/loss',
  value: seconds,
}));
const send = (more: object = {}) => report(gateway, { run, events, ...more });
const heldOf = async (): Promise<number[]> => {
  const series = await rawOf(world.store.url, run);
  return series.filter(({ labels }) => labels['metric']).flatMap(({ samples }) => samples.map(([, value]) => value));
};

describe('a store that does not take it: nothing is counted, and the same again works', () => {
  test.each<[string, Fault, string, number]>([
    ['it fails', status(500, 'panic: at http://10.0.0.7:9090/'), 'METRICS_UNAVAILABLE', 1],
    ['it is away for a moment', status(503), 'METRICS_UNAVAILABLE', 1],
    ['a gateway before it fails', status(502, '<html>'), 'METRICS_UNAVAILABLE', 1],
    ['it does not know who writes', status(401, 'no credentials for 10.0.0.7'), 'METRICS_UNAVAILABLE', 1],
    ['it is somebody else’s page', status(302, '', { location: 'http://10.0.0.7/' }), 'METRICS_UNAVAILABLE', 1],
    ['it refuses it in words that are not known', status(400, 'snappy: corrupt input'), 'METRICS_UNAVAILABLE', 1],
    ['it is too much for it', status(413, 'too large'), 'METRICS_UNAVAILABLE', 1],
    ['it never answers', hang, 'METRICS_UNAVAILABLE', 1],
    ['it loses the connection, and again', refuse, 'METRICS_UNAVAILABLE', 2],
    ['it takes no more', status(429, 'slow down', { 'retry-after': '7' }), 'THROTTLED', 1],
    ['it takes no more of what is out of order', status(429, 'out of order'), 'THROTTLED', 1],
  ])('%s', async (_how, fault, code, requests) => {
    onWrites(fault);
    const before = store.requests.length;
    const { data, errors, status: http } = await send();
    expect(data ?? { reportRun: null }).toEqual({ reportRun: null });
    expect(errors).toMatchObject([{ extensions: { code, status: code === 'THROTTLED' ? 429 : 503 } }]);
    expect(http).toBe(code === 'THROTTLED' ? 429 : 503);
    expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|10\.0\.0\.7|http:/);
    expect(writesSince(before)).toBe(requests);
    expect(await heldOf()).toEqual([]);
    store.always(() => undefined);
    const { data: again } = await send();
    expect(again.reportRun).toMatchObject({ written: 3, repeated: 0 });
    expect(await heldOf()).toEqual([3, 2, 1]);
  });

  test('the wait is that of the store', async () => {
    onWrites(status(429, '', { 'retry-after': '7' }));
    const { errors } = await send();
    expect(errors![0]).toMatchObject({
      message: expect.stringMatching(/again in 7 s/),
      extensions: { retryAfterS: 7 },
    });
  });

  test('it cannot tell what it has', async () => {
    store.always((request) => (isWrite(request) ? undefined : status(503)));
    const before = store.requests.length;
    const { errors } = await send();
    expect([errors![0]!.extensions.code, writesSince(before)]).toEqual(['METRICS_UNAVAILABLE', 0]);
  });

  test('it tells a part of what it has', async () => {
    store.always((request) => (isWrite(request) ? undefined : warnings(['a replica did not answer'])));
    const before = store.requests.length;
    const { errors } = await send();
    expect([errors![0]!.extensions.code, writesSince(before)]).toEqual(['METRICS_UNAVAILABLE', 0]);
  });

  test('it is not there', async () => {
    const away = await startFaultyStore(world.store.url);
    await away.close();
    gateway = await gatewayOver({ writeUrl: `${away.url}/api/v1/write` });
    const { errors } = await send();
    expect(errors![0]!.extensions.code).toBe('METRICS_UNAVAILABLE');
    expect(errors![0]!.message).not.toMatch(/127/);
  });
});

test('a connection that is lost once is tried again, within the same report', async () => {
  const before = store.requests.length;
  let lost = false;
  store.always((request) => {
    if (!isWrite(request) || lost) return undefined;
    lost = true;
    return refuse;
  });
  const { data } = await send();
  expect([data.reportRun.written, writesSince(before)]).toEqual([3, 2]);
});

test('an answer that is slow is waited for', async () => {
  onWrites(delay(500, pass));
  expect((await send()).data.reportRun.written).toBe(3);
});

// VictoriaMetrics shows what it took only later, and its receiver knows no refusals.
test.skipIf(isVictoriaMetrics)(
  'an answer that was lost after the store had taken it: the same again is repeated',
  async () => {
    onWrites(async (response, answer) => {
      await answer();
      response.socket?.destroy();
    });
    expect((await send()).errors![0]!.extensions.code).toBe('METRICS_UNAVAILABLE');
    store.always(() => undefined);
    expect((await send()).data.reportRun).toMatchObject({ written: 0, repeated: 3 });
    expect(await heldOf()).toEqual([3, 2, 1]);
  },
);

test.skipIf(isVictoriaMetrics)('what a store takes of a request that it refuses is written', async () => {
  onWrites(async (response, answer) => {
    await answer();
    status(400, 'err-mimir-sample-out-of-order: the sample has been rejected')(response, answer);
  });
  expect((await send()).data.reportRun).toMatchObject({ written: 3, refused: 0, note: null });
});

test.each([
  ['400', 400, 'out of order sample', /behind|older than the newest/],
  ['500', 500, 'too old sample', /that old/],
  ['422', 422, 'err-mimir-sample-timestamp-too-old', /that old/],
  ['409', 409, 'add 3 samples: out of order', /older than the newest/],
  ['400', 400, 'err-mimir-too-far-in-future', /ahead of its clock/],
  ['400', 400, 'label value too long for metric', /longer than it takes/],
])('a refusal with %s %s %s is counted', async (_status, code, words, note) => {
  onWrites(status(code, words));
  const { data } = await send();
  expect(data.reportRun).toMatchObject({ written: 0, refused: 3, note: expect.stringMatching(note) });
  expect(data.reportRun.note).not.toMatch(/mimir/);
});

test('another value that was written meanwhile stands', async () => {
  onWrites(status(400, 'duplicate sample for timestamp'));
  expect((await send()).data.reportRun).toMatchObject({ written: 0, refused: 0, conflicting: 3 });
});

test.each<[string, Fault]>([
  ['404', status(404, 'remote write receiver needs to be enabled with --web.enable-remote-write-receiver')],
  ['405', status(405)],
])('a receiver that is switched off: it answers %s', async (_status, fault) => {
  onWrites(fault);
  expect((await send()).errors![0]).toMatchObject({
    message: expect.stringMatching(
      /takes no writes\. Its operator must switch on .*--web\.enable-remote-write-receiver/,
    ),
    extensions: { code: 'METRICS_UNAVAILABLE', status: 503 },
  });
});

test.skipIf(isVictoriaMetrics)('a Prometheus whose receiver is switched off', async () => {
  const off = await startStore({ tsdb: { receiver: false } });
  onTestFinished(() => off.close());
  gateway = await gatewayOver({ writeUrl: `${off.url}/api/v1/write` });
  expect((await send()).errors![0]!.message).toMatch(/takes no writes/);
});

test('a 200 of somebody else is taken for a receiver’s, as the protocol has it', async () => {
  onWrites(html);
  expect((await send()).data.reportRun.written).toBe(3);
});

test('writes wait for writes, and questions for questions', async () => {
  gateway = await gatewayOver({ concurrency: 1, timeoutS: 2 });
  onWrites(hang);
  const hanging = send();
  while (!store.requests.some((request) => isWrite(request) && request.path)) await new Promise(setImmediate);
  const { errors } = await gateway.query('{ cluster(name: "aurora") { nodes { totalCount } } }');
  expect(errors).toBeUndefined();
  expect((await hanging).errors![0]!.extensions.code).toBe('METRICS_UNAVAILABLE');
});

test('an island without an address for writes takes no runs', async () => {
  const plain = await startGateway({ config: configOver(store.url), now: () => now / 1000 });
  onTestFinished(() => plain.close());
  const { errors } = await report(plain, { run, events });
  expect(errors![0]).toMatchObject({
    message: expect.stringMatching(/takes no runs: set prometheus\.writeUrl for the island "north"/),
    extensions: { code: 'BAD_REQUEST' },
  });
  expect(errors![0]!.message).not.toMatch(/127/);
});

test.each([
  ['a pattern', { cluster: { op: '=~', value: 'aur.*' } }],
  ['an exclusion', { cluster: 'aurora', tenant: { op: '!=', value: 'x' } }],
  ['a label that runs have', { run: 'aurora' }],
  ['the name of a metric', { __name__: 'x' }],
])('a cluster that is told apart by %s takes none', async (_what, match) => {
  const organizations = [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia', match }] }];
  const config = configOver(store.url, `${store.url}/api/v1/write`, { organizations });
  const odd = await startGateway({ config, now: () => now / 1000 });
  onTestFinished(() => odd.close());
  const before = store.requests.length;
  const { errors } = await report(odd, { run, events });
  expect(errors![0]).toMatchObject({
    message: expect.stringMatching(/^The cluster "aurora" takes no runs: it is told apart by/),
    extensions: { code: 'BAD_REQUEST' },
  });
  expect(store.requests.length).toBe(before);
});

test('what is written has exactly the labels of its cluster', async () => {
  const match = { cluster: 'blue', tenant: 'a"b', empty: '' };
  const organizations = [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia', match }] }];
  const other = await startGateway({
    config: configOver(store.url, `${store.url}/api/v1/write`, { organizations }),
    now: () => now / 1000,
  });
  onTestFinished(() => other.close());
  for (const wanted of ['written', 'repeated']) {
    expect((await report(other, { run, events })).data.reportRun[wanted]).toBe(3);
  }
  const series = await rawOf(world.store.url, run);
  for (const { labels } of series) expect(labels).toMatchObject({ cluster: 'blue', tenant: 'a"b', run });
  expect(new Set(series.flatMap(({ labels }) => Object.keys(labels)))).toEqual(
    new Set(['__name__', 'cluster', 'tenant', 'run', 'metric']),
  );
});
