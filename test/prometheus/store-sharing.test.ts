import { expect, test } from 'vitest';
import type { Question } from '../../src/reads/ask.ts';
import { delay, hang, pass, refuse, type Fault } from '../support/faulty-store.ts';
import { cannedStore, clientOf, manySamples, oneSample, query, temperature, temperatures } from './canned-store.ts';

const metric = (name: string): Question => ({ kind: 'instant', query: query(name), time: 1_758_456_000 });
const arrived = async (requests: readonly unknown[], count: number): Promise<void> => {
  await expect.poll(() => requests.length).toBe(count);
};
/** Answers when it is told to. */
function gate(): { readonly fault: Fault; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { fault: async (response, answer) => promise.then(() => pass(response, answer)), open: resolve };
}

test('identical questions in flight are sent once and answered alike', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url);
  store.next(delay(30));
  const answers = await Promise.all([
    ask(temperature),
    ask({ ...temperature }),
    ask(temperature, new AbortController().signal),
  ]);
  expect(store.requests).toHaveLength(1);
  expect(new Set(answers).size).toBe(1);
  await ask(temperature);
  expect(store.requests).toHaveLength(2);
});

test('identical questions of two organizations are sent for each of them', async () => {
  const store = await cannedStore(oneSample);
  const { askFor } = clientOf(store.url);
  const held = gate();
  store.always(() => held.fault);
  const asked = ['acme', 'zeta', 'acme'].map((organization) => askFor(organization)(temperature));
  await arrived(store.requests, 2);
  held.open();
  const [acme, zeta, acmeToo] = await Promise.all(asked);
  expect(acmeToo).toBe(acme);
  expect(zeta).not.toBe(acme);
  expect(zeta!.rows).toEqual(acme!.rows);
  expect(store.requests).toHaveLength(2);
});

test('questions that differ in anything are not shared', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url);
  await Promise.all([
    ask(metric('a')),
    ask(metric('b')),
    ask({ ...metric('a'), kind: 'instant', time: 1 } as Question),
  ]);
  expect(store.requests).toHaveLength(3);
});

test('a failure is shared too, and not kept', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url);
  store.next(refuse, refuse);
  const [first, second] = await Promise.allSettled([ask(temperature), ask(temperature)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'METRICS_UNAVAILABLE' } });
  expect(second).toEqual(first);
  expect(await ask(temperature)).toMatchObject({ partial: false });
});

test('a caller that leaves is rejected at once with its reason; the others are answered', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url);
  const held = gate();
  store.next(held.fault);
  const leaving = new AbortController();
  const left = ask(temperature, leaving.signal);
  const staying = ask(temperature);
  await arrived(store.requests, 1);
  leaving.abort('gone');
  await expect(left).rejects.toBe('gone');
  held.open();
  expect((await staying).rows).toHaveLength(1);
  expect(await store.requests[0]!.abandoned).toBe(false);
});

test('when the last caller has left, the store sees the connection close', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { timeoutS: 300 });
  store.next(hang);
  const callers = [new AbortController(), new AbortController()];
  const answers = callers.map(({ signal }) => ask(temperature, signal));
  await arrived(store.requests, 1);
  for (const caller of callers) caller.abort(new Error('gone'));
  for (const answer of answers) await expect(answer).rejects.toThrow('gone');
  expect(await store.requests[0]!.abandoned).toBe(true);
});

test('a question asked again after everyone left is sent anew', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url);
  store.next(hang);
  const leaving = new AbortController();
  const left = ask(temperature, leaving.signal);
  await arrived(store.requests, 1);
  leaving.abort();
  const again = ask(temperature);
  await expect(left).rejects.toThrow('aborted');
  expect((await again).rows).toHaveLength(1);
  expect(store.requests).toHaveLength(2);
});

test('a question whose signal is already aborted is not sent', async () => {
  const store = await cannedStore(oneSample);
  await expect(clientOf(store.url).ask(temperature, AbortSignal.abort('never'))).rejects.toBe('never');
  expect(store.requests).toHaveLength(0);
});

test('no more requests are in flight than the store is given', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { concurrency: 3 });
  let inFlight = 0;
  let most = 0;
  store.always(() => async (response, answer) => {
    most = Math.max(most, (inFlight += 1));
    await delay(5)(response, answer);
    inFlight -= 1;
  });
  await Promise.all(Array.from({ length: 20 }, (_, i) => ask(metric(`m${i}`))));
  expect(store.requests).toHaveLength(20);
  expect(most).toBe(3);
});

test('a caller can leave while its question waits for a slot, and it is never sent', async () => {
  const store = await cannedStore(oneSample);
  const { ask, counts } = clientOf(store.url, { concurrency: 1 });
  const held = gate();
  store.next(held.fault);
  const first = ask(metric('first'));
  await arrived(store.requests, 1);
  const leaving = new AbortController();
  const queued = ask(metric('queued'), leaving.signal);
  const third = ask(metric('third'));
  leaving.abort('gone');
  await expect(queued).rejects.toBe('gone');
  held.open();
  await Promise.all([first, third]);
  expect(store.requests.map(({ parameters }) => parameters.get('query'))).toEqual(['first', 'third']);
  expect(counts.requests).toBe(2);
});

test('waiting for a slot does not use up the time of a question', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { concurrency: 1, timeoutS: 1 });
  store.always(() => delay(400));
  const answers = await Promise.all(Array.from({ length: 3 }, (_, i) => ask(metric(`m${i}`))));
  expect(answers).toHaveLength(3);
});

test('behind a store that hangs nobody waits longer than for a slot and an answer', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { concurrency: 2, timeoutS: 0.3 });
  store.always(() => hang);
  const since = performance.now();
  const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => ask(metric(`m${i}`))));
  expect(performance.now() - since).toBeLessThan(900);
  for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'METRICS_UNAVAILABLE' } });
});

test('whoever gave up waiting leaves the slot to the next', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { concurrency: 1, timeoutS: 0.4 });
  let fault: Fault = hang;
  store.always(() => fault);
  await Promise.allSettled([ask(metric('a')), ask(metric('b')), ask(metric('c'))]);
  fault = pass;
  expect(await Promise.all([ask(metric('d')), ask(metric('e'))])).toHaveLength(2);
});

test('closing ends what is in flight and what waits, at once', async () => {
  const store = await cannedStore(oneSample);
  const { ask, close } = clientOf(store.url, { concurrency: 1 });
  store.always(() => hang);
  const asked = [ask(metric('in flight')), ask(metric('waiting'))];
  const answers = Promise.allSettled(asked);
  await arrived(store.requests, 1);
  const since = performance.now();
  await close();
  for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 'METRICS_UNAVAILABLE' } });
  expect(performance.now() - since).toBeLessThan(500);
  expect(await store.requests[0]!.abandoned).toBe(true);
  await expect(ask(metric('afterwards'))).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
});

test('a lost connection is tried once more on a fresh one', async () => {
  const store = await cannedStore(oneSample);
  const { ask, counts, log } = clientOf(store.url, { concurrency: 1 });
  await ask(metric('before'));
  store.next(refuse);
  expect((await ask(temperature)).rows).toHaveLength(1);
  expect(store.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  expect(log.map(({ event }) => event)).toEqual(['retry']);
  expect(counts.requests).toBe(3);
});

test('a connection lost twice is not tried a third time', async () => {
  const store = await cannedStore(oneSample);
  store.always(() => refuse);
  await expect(clientOf(store.url).ask(temperature)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(store.requests).toHaveLength(2);
});

test('a connection lost inside the headers of an answer is not tried again', async () => {
  const store = await cannedStore(oneSample);
  const { ask } = clientOf(store.url, { concurrency: 1 });
  await ask(metric('before'));
  store.next((response) => void response.socket!.end('HTTP/1.1 200 OK\r\ncontent-ty'));
  await expect(ask(temperature)).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(store.requests.map(({ connection }) => connection)).toEqual([1, 1]);
});

test('requests, bytes and samples are counted exactly', async () => {
  const large = manySamples(100);
  const store = await cannedStore(large);
  const { ask, counts } = clientOf(store.url);
  await ask(temperatures);
  expect(counts).toEqual({ requests: 1, responseBytes: Buffer.byteLength(large), samples: 200 * 20 });
  store.next((response) => void response.writeHead(500).end('twelve bytes'));
  await ask(temperatures).catch(() => undefined);
  expect(counts).toEqual({ requests: 2, responseBytes: Buffer.byteLength(large) + 12, samples: 200 * 20 });
});

test('a connection that nobody takes counts no request', async () => {
  const store = await cannedStore(oneSample);
  await store.close();
  const { ask, counts } = clientOf(store.url);
  await ask(temperature).catch(() => undefined);
  expect(counts.requests).toBe(0);
});
