import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { forward } from '../../src/forward/forward.ts';
import { openPipe } from '../../src/forward/from-pipe.ts';
import { Tally } from '../../src/forward/tally.ts';
import { answer, fakeGateway, plain, refuse } from '../support/fake-gateway.ts';
import { line, lines, startForward, steps, until } from './forwarder.ts';

test('all that comes through a pipe arrives, in order, and the end says what became of it', async () => {
  await using gateway = await fakeGateway();
  const run = startForward(gateway.url, ['--workload', 'Job/train-llm', '--island', 'eu'], { GPUQL_TOKEN: 'tok' });
  run.stdin.end(`${lines(0, 1_200)}nonsense\n{"kind":"summary"}\n${line(3)}\n{"kind":"metric"}\n${line(1_200)}`);
  expect(await run.ended()).toBe(0);
  expect(gateway.steps()).toEqual(steps(0, 1_201));
  expect(run.out()).toBe('');
  expect(run.said()).toBe(
    'gpuql forward: 1202 events: 1201 new, 1 already there; skipped 1 of kind "summary"; 2 bad lines (line 1201: it is no JSON; ' +
      'line 1204: ts_ms is no whole number of milliseconds since 1970; name is no text; value is missing).\n',
  );
  expect(Math.max(...gateway.requests.map(({ variables }) => variables.events!.length))).toBe(500);
  expect(gateway.requests[0]).toMatchObject({
    authorization: 'Bearer tok',
    variables: {
      cluster: 'c',
      island: 'eu',
      run: 'r',
      workload: { kind: 'JOB', namespace: 'default', name: 'train-llm' },
    },
  });
});

test('an event does not wait for others', async () => {
  await using gateway = await fakeGateway();
  const run = startForward(gateway.url, []);
  run.stdin.write(`${line(0)}\n`);
  await until(() => gateway.steps().length === 1, run.said);
  run.stdin.end();
  expect(await run.ended()).toBe(0);
});

test('SIGTERM delivers what was read, and what the program says at once', async () => {
  await using gateway = await fakeGateway();
  const run = startForward(gateway.url, []);
  run.stdin.write(lines(0, 10));
  await until(() => gateway.steps().length === 10, run.said);
  run.stdin.write(lines(10, 20));
  run.kill('SIGTERM');
  run.stdin.write(lines(20, 30));
  expect(await run.ended()).toBe(0);
  expect(gateway.steps()).toEqual(steps(0, 30));
  expect(run.said()).toMatch(/Stopped: .*not forwarded/);
});

/** In this process: the end shall not wait for half a minute. */
async function forwardText(url: string, text: string | Iterable<Buffer>, endMs = 300) {
  const said: string[] = [];
  const stream = Readable.from(typeof text === 'string' ? [Buffer.from(text)] : text);
  const isWhole = await forward({
    destination: { url, cluster: 'c', run: 'r' },
    source: { stream },
    say: (line) => said.push(line),
    stop: new AbortController().signal,
    endMs,
  });
  return { isWhole, said };
}

test('what is not taken in time is lost, and counted exactly', async () => {
  await using gateway = await fakeGateway();
  gateway.fail((response, { variables }) => answer(response, { written: variables.events!.length }));
  gateway.failAlways(plain(503));
  const { isWhole, said } = await forwardText(gateway.url, lines(0, 1_234));
  expect(isWhole).toBe(false);
  expect(said.at(-1)).toBe('1234 events: 500 new, 734 lost.');
});

test('a gateway that does not take it loses what it refused, and what comes later is tried', async () => {
  await using gateway = await fakeGateway();
  gateway.fail(refuse(401, 'UNAUTHENTICATED', 'No token.'));
  const { isWhole, said } = await forwardText(gateway.url, lines(0, 700));
  expect(isWhole).toBe(false);
  expect(gateway.steps()).toEqual(steps(500, 700));
  expect(said).toEqual([
    'No token. Set GPUQL_TOKEN to a token that the gateway knows.',
    '700 events: 200 new, 500 lost.',
  ]);
});

test.each([
  [{ written: 1, refused: 2, note: 'Two are older than the store takes.' }, false, /1 new, 2 refused/],
  [{ written: 2, conflicting: 1 }, true, /2 new, 1 conflicting/],
  [
    { written: 2, rejected: [{ index: 1, reason: 'too far ahead' }] },
    false,
    /2 new, 1 rejected by the gateway \(line 2: too far ahead\)/,
  ],
  [{ written: 1, skipped: [{ kind: 'x', count: 2 }] }, true, /skipped 2 of kind "x"/],
  [{ written: 2 }, false, /2 new, 1 lost/],
])('an answer of %j', async (report, expected, words) => {
  await using gateway = await fakeGateway();
  gateway.failAlways((response) => answer(response, report));
  const { isWhole, said } = await forwardText(gateway.url, lines(0, 3));
  expect(isWhole).toBe(expected);
  expect(said.at(-1)).toMatch(words);
  expect(said.slice(0, -1)).toEqual('note' in report ? [report.note] : []);
});

test('a queue that is full stops the reading, and says so once', async () => {
  let read = 0;
  const stream = Readable.from(
    (function* () {
      for (let i = 0; i < 100; i += 1) {
        read += 1;
        yield Buffer.from(lines(i * 1_000, (i + 1) * 1_000));
      }
    })(),
    { highWaterMark: 1 },
  );
  const said: string[] = [];
  const tally = new Tally(false);
  const signal = new AbortController().signal;
  const { outbox, readAll } = openPipe({ stream, tally, say: (line) => said.push(line), signal, mostBytes: 1_048_576 });
  const all = readAll();
  await until(
    () => said.length > 0,
    () => `${read}`,
  );
  await new Promise((resolve) => void setTimeout(resolve, 100));
  // A thousand lines have about 95 kB.
  expect(read).toBeLessThan(16);
  let events = 0;
  for (let parcel = await outbox.take(); parcel !== null; parcel = await outbox.take()) events += parcel.lines.length;
  await all;
  expect(events).toBe(100_000);
  expect(said).toEqual([expect.stringMatching(/1 MiB wait for the gateway/)]);
});
