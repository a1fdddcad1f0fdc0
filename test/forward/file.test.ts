import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeGateway, plain, refuse } from '../support/fake-gateway.ts';
import { folder, line, lines, startForward, steps, until } from './forwarder.ts';

async function setUp() {
  const gateway = await fakeGateway();
  const at = await folder();
  const file = join(at.path, 'x.jsonl');
  const start = (...args: string[]) => startForward(gateway.url, ['--file', file, ...args]);
  return {
    gateway,
    file,
    start,
    state: async () =>
      JSON.parse(await readFile(`${file}.gpuql-forward.json`, 'utf8')) as { offset: number; line: number },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await at[Symbol.asyncDispose]();
    },
  };
}

test('a file goes on where it stopped', async () => {
  await using at = await setUp();
  await writeFile(at.file, `${lines(0, 1_100)}x\n${line(1_100).slice(0, 30)}`);
  const first = at.start();
  expect(await first.ended()).toBe(0);
  expect(first.said()).toMatch(/Line 1102 of .* has no end yet; it is left for the next time/);
  expect(first.said()).toMatch(/1100 events: 1100 new; 1 bad line \(line 1101: it is no JSON\)/);
  expect(await at.state()).toMatchObject({ line: 1_101, offset: lines(0, 1_100).length + 2 });
  const requests = at.gateway.requests.length;
  await appendFile(at.file, `${line(1_100).slice(30)}\ny\n${lines(1_101, 1_103)}`);
  const second = at.start();
  expect(await second.ended()).toBe(0);
  expect(second.said()).toMatch(
    /^gpuql forward: Going on behind line \d+ of .*: what comes before is taken, as .* has it\.\ngpuql forward: 3 events: 3 new; 1 bad line \(line 1103: it is no JSON\)\.\n$/,
  );
  expect(at.gateway.steps()).toEqual(steps(0, 1_103));
  expect(at.gateway.requests).toHaveLength(requests + 1);
});

test('a forwarder that is killed again and again loses and doubles nothing', async () => {
  await using at = await setUp();
  await writeFile(at.file, '');
  let written = 0;
  for (let life = 0; life < 4; life += 1) {
    const run = at.start('--follow');
    await appendFile(at.file, lines(written, written + 3_000));
    written += 3_000;
    const before = at.gateway.requests.length;
    await until(() => at.gateway.requests.length > before + life, run.said);
    run.kill('SIGKILL');
    await run.ended();
  }
  const last = at.start();
  expect(await last.ended()).toBe(0);
  expect(at.gateway.steps()).toEqual(steps(0, written));
});

test('a gateway that is gone for a while loses nothing', async () => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 2_000));
  at.gateway.failAlways(plain(503));
  const run = at.start('--follow');
  await until(() => at.gateway.requests.length > 1, run.said);
  expect(at.gateway.steps()).toEqual([]);
  at.gateway.failAlways(null);
  await until(() => at.gateway.steps().length === 2_000, run.said);
  run.kill('SIGINT');
  expect(await run.ended()).toBe(0);
  expect(run.said()).toMatch(/2000 events: 2000 new\./);
});

test('a gateway that does not take it leaves the rest for the next time', async () => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 900));
  at.gateway.fail(refuse(404, 'NOT_FOUND', 'There is no cluster "c".'));
  const run = at.start();
  expect(await run.ended()).toBe(1);
  expect(run.said()).toMatch(/There is no cluster "c"\./);
  expect(run.said()).toMatch(/900 events: 0 new, 900 not taken, with which the next start goes on/);
  expect(await at.start().ended()).toBe(0);
  expect(at.gateway.steps()).toEqual(steps(0, 900));
});

test('--follow waits for a file, and says so once', async () => {
  await using at = await setUp();
  const run = at.start('--follow');
  await until(() => run.said().includes('waiting for it'), run.said);
  await writeFile(at.file, lines(0, 3));
  await until(() => at.gateway.steps().length === 3, run.said);
  run.kill('SIGTERM');
  expect(await run.ended()).toBe(0);
  expect(run.said().match(/waiting/g)).toHaveLength(1);
  await rm(at.file);
  const without = at.start();
  expect(await without.ended()).toBe(1);
  expect(without.said()).toMatch(/there is no such file; --follow waits for it/);
});

test.each(['while it runs', 'while it does not'])('rotation by rename %s', async (when) => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 10));
  let run = at.start('--follow');
  await until(() => at.gateway.steps().length === 10, run.said);
  if (when === 'while it does not') {
    run.kill('SIGTERM');
    await run.ended();
  }
  await appendFile(at.file, lines(10, 20));
  await rename(at.file, `${at.file}.1`);
  // Who writes it has the old one open for a while.
  await appendFile(`${at.file}.1`, lines(20, 25));
  await writeFile(at.file, lines(25, 30));
  if (when === 'while it does not') run = at.start('--follow');
  await until(() => at.gateway.steps().length === 30, run.said);
  await appendFile(at.file, lines(30, 35));
  await until(() => at.gateway.steps().length === 35, run.said);
  run.kill('SIGTERM');
  expect(await run.ended()).toBe(0);
  expect(at.gateway.steps()).toEqual(steps(0, 35));
  expect(await at.state()).toMatchObject({ line: 10, offset: lines(25, 35).length });
});

test.each([
  ['shorter', false, 'while it runs'],
  ['longer', false, 'while it runs'],
  ['longer', true, 'while it runs'],
  ['shorter', false, 'while it does not'],
  ['longer', false, 'while it does not'],
  ['longer', true, 'while it does not'],
])('a truncated file that is %s now (copied before: %s) %s', async (size, isCopied, when) => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 20));
  let run = at.start('--follow');
  await until(() => at.gateway.steps().length === 20, run.said);
  run.kill(when === 'while it runs' ? 'SIGSTOP' : 'SIGTERM');
  if (when !== 'while it runs') await run.ended();
  const expected = steps(0, 20);
  if (isCopied) {
    await appendFile(at.file, lines(20, 30));
    await copyFile(at.file, `${at.file}.1`);
    expected.push(...steps(20, 30));
  }
  await truncate(at.file);
  const to = size === 'longer' ? 80 : 35;
  await appendFile(at.file, lines(30, to));
  expected.push(...steps(30, to));
  if (when === 'while it runs') run.kill('SIGCONT');
  else run = at.start('--follow');
  await until(() => at.gateway.steps().length === expected.length, run.said);
  await appendFile(at.file, lines(100, 105));
  await until(() => at.gateway.steps().length === expected.length + 5, run.said);
  run.kill('SIGTERM');
  expect(await run.ended()).toBe(0);
  expect(at.gateway.steps()).toEqual([...expected, ...steps(100, 105)]);
  expect(/is gone|no longer there/.test(run.said())).toBe(!isCopied);
});

test('a state of another destination, or none, is told', async () => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 3));
  expect(await at.start().ended()).toBe(0);
  for (const other of [
    ['--run', 's'],
    ['--cluster', 'd'],
    ['--island', 'i'],
    ['--url', 'http://u:pw@127.0.0.1:9/'],
  ]) {
    const run = at.start(...other);
    expect(await run.ended()).toBe(1);
    expect(run.said()).toMatch(
      /belongs to run "r" of cluster "c" at http:\S+\/graphql: give another file as --state, or delete it/,
    );
    expect(run.said()).not.toContain('pw');
  }
  await writeFile(`${at.file}.gpuql-forward.json`, '{');
  const broken = at.start();
  expect(await broken.ended()).toBe(1);
  expect(broken.said()).toMatch(/does not hold how far a file was forwarded: delete it/);
  const elsewhere = at.start('--state', `${at.file}.mine`);
  expect(await elsewhere.ended()).toBe(0);
  expect(elsewhere.said()).toMatch(/3 already there/);
});

test.each(['pipe', '/dev/zero'])('a %s is no file that can be read again', async (kind) => {
  await using at = await setUp();
  const path = kind.startsWith('/') ? kind : `${at.file}.pipe`;
  if (kind === 'pipe') execFileSync('mkfifo', [path]);
  const run = startForward(at.gateway.url, ['--file', path, '--state', `${at.file}.state`]);
  expect(await run.ended()).toBe(1);
  expect(run.said()).toMatch(/no file that can be read again; what comes through a pipe goes to standard input/);
});

test('a link beside the file that leads to itself is passed over', async () => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 3));
  expect(await startForward(at.gateway.url, ['--file', at.file]).ended()).toBe(0);
  await symlink(`${at.file}.1`, `${at.file}.1`);
  await appendFile(at.file, lines(3, 5));
  const run = startForward(at.gateway.url, ['--file', at.file]);
  expect([await run.ended(), run.said()]).toEqual([0, expect.stringMatching(/2 events: 2 new/)]);
});

test.each([
  ['more of the beginning than is looked at', { file: { device: '1', inode: '1', headBytes: 9e15, headSha256: '' } }],
  ['control characters', { destination: { url: 'http://h/', island: null, cluster: 'c', run: 'r\u001b[2J' } }],
  ['no line', { line: -1 }],
])('a state with %s is none', async (_, wrong) => {
  await using at = await setUp();
  await writeFile(at.file, lines(0, 3));
  const destination = { url: at.gateway.url, island: null, cluster: 'c', run: 'r' };
  const file = { device: '1', inode: '1', headBytes: 5, headSha256: '' };
  await writeFile(`${at.file}.state`, JSON.stringify({ destination, file, offset: 5, line: 1, ...wrong }));
  const run = startForward(at.gateway.url, ['--file', at.file, '--state', `${at.file}.state`]);
  expect([await run.ended(), run.said()]).toEqual([1, expect.stringMatching(/does not hold how far .*: delete it/)]);
});

test('a folder is no file', async () => {
  await using at = await setUp();
  const run = startForward(at.gateway.url, ['--file', join(at.file, '..')]);
  expect(await run.ended()).toBe(1);
  expect(run.said()).toMatch(/no file that can be read again/);
});
