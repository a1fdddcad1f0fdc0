import { execFileSync } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDelivery } from '../../src/report/deliver.ts';
import { pollStatus } from '../../src/forward/status-poller.ts';
import { fakeGateway, refuse } from '../support/fake-gateway.ts';
import { folder, lines, startForward, until } from './forwarder.ts';

async function polling() {
  const gateway = await fakeGateway();
  const at = await folder();
  const path = join(at.path, 'status.json');
  const said: string[] = [];
  const over = new AbortController();
  const delivery = createDelivery({ url: gateway.url, cluster: 'c', run: 'r' }, { say: () => {} });
  const polled = pollStatus({ path, delivery, say: (line) => said.push(line), signal: over.signal, pollMs: 20 });
  return {
    path,
    gateway,
    said,
    states: () => gateway.requests.map(({ variables }) => variables.status!.state),
    rest: () => new Promise((resolve) => void setTimeout(resolve, 120)),
    end: () => (over.abort(), polled),
    async [Symbol.asyncDispose]() {
      over.abort();
      await polled;
      await gateway.close();
      await at[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['lists', (deep: number) => `{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`],
  ['objects', (deep: number) => '{"a":'.repeat(deep) + '1' + '}'.repeat(deep)],
])('%s that are too deep to be written are said, and events go on', async (_, of) => {
  await using at = await polling();
  await writeFile(at.path, of(9_000));
  await until(
    () => at.said.length > 0,
    () => at.said.join(),
  );
  await writeFile(at.path, '{"step":2}');
  await at.end();
  expect(at.said).toEqual([expect.stringMatching(/too deep in each other: no status is kept/)]);
  expect(at.states()).toEqual([{ step: 2 }]);
});

test.each(['fifo', 'folder', '/dev/zero'])('of a %s no status is read, and it keeps nothing waiting', async (kind) => {
  await using gateway = await fakeGateway();
  await using at = await folder();
  const path = kind.startsWith('/') ? kind : join(at.path, kind);
  if (kind === 'fifo') execFileSync('mkfifo', [path]);
  if (kind === 'folder') await mkdir(path);
  const run = startForward(gateway.url, ['--status', path]);
  run.stdin.end(lines(0, 3));
  expect(await run.ended()).toBe(0);
  expect(run.said()).toMatch(/is no file: no status is kept with the run/);
  expect(gateway.steps()).toEqual([0, 1, 2]);
});

test('a status is sent when it changed, and whole', async () => {
  await using at = await polling();
  await at.rest();
  expect(at.states()).toEqual([]);
  await writeFile(at.path, '{"step":1,"loss":NaN}');
  await until(
    () => at.states().length === 1,
    () => at.said.join(),
  );
  for (const unfinished of ['', '{"step":', '[1]', '1']) {
    await writeFile(at.path, unfinished);
    await at.rest();
  }
  await writeFile(at.path, '{"step":2}');
  await at.end();
  expect(at.states()).toEqual([{ step: 1, loss: 'NaN' }, { step: 2 }]);
  expect(at.said).toEqual([]);
});

test.each([
  ['is not there', null, 'no status is'],
  ['holds no whole JSON object', '{"step":', 'no status is'],
  ['holds no whole JSON object', '[1]', 'no status is'],
  ['holds no whole JSON object', '{"step":', 'an older status stays'],
])('a file that %s is told at the end: %s, %s kept', async (fault, text, kept) => {
  await using at = await polling();
  if (kept.startsWith('an older')) {
    await writeFile(at.path, '{"step":1}');
    await until(
      () => at.states().length === 1,
      () => at.said.join(),
    );
  }
  if (text !== null) await writeFile(at.path, text);
  await at.rest();
  expect(at.said).toEqual([]);
  await at.end();
  expect(at.said).toEqual([`${at.path} ${fault}: ${kept} kept with the run.`]);
});

test('one that is too large, or is not taken, is told once and hinders nothing', async () => {
  await using at = await polling();
  await writeFile(at.path, JSON.stringify({ text: 'x'.repeat(70_000) }));
  await at.rest();
  expect(at.said).toEqual([expect.stringMatching(/has 70011 bytes, and a status has 65536 at most/)]);
  at.gateway.fail(refuse(422, 'BAD_REQUEST', 'No.'));
  await writeFile(at.path, '{"a":1}');
  await at.rest();
  expect(at.said).toHaveLength(2);
  await writeFile(at.path, '{"a":2}');
  await until(
    () => at.states().length === 2,
    () => at.said.join(),
  );
});

test('gpuql forward --status keeps the last state', async () => {
  await using gateway = await fakeGateway();
  await using at = await folder();
  const path = join(at.path, 'status.json');
  await writeFile(path, '{"step":1}');
  const run = startForward(gateway.url, ['--status', path]);
  run.stdin.write(lines(0, 2));
  await until(() => gateway.requests.some(({ variables }) => variables.status), run.said);
  await writeFile(`${path}.new`, '{"step":2}');
  await rename(`${path}.new`, path);
  run.stdin.end();
  expect(await run.ended()).toBe(0);
  const states = gateway.requests.flatMap(({ variables: { status } }) => (status ? [status.state] : []));
  expect(states).toEqual([{ step: 1 }, { step: 2 }]);
});
