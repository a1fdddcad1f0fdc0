import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventOf, reported } from '../support/reported.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuql-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = fileURLToPath(new URL('../support/training.ts', import.meta.url));
const train = (...args: string[]): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

const linesOf = (content: string): string[] => content.split('\n').slice(0, -1);

test('a file is appended to, and a line that was cut before stays one line', async () => {
  const path = join(folder, 'new', 'run.jsonl');
  const run = async (): Promise<void> => {
    const { reporter } = await reported({ argv: ['--metrics', `jsonl:${path}`] });
    reporter.annotate('here');
    await reporter.finish();
  };
  await run();
  await run();
  expect(linesOf(await readFile(path, 'utf8')).map((line) => eventOf(line).name)).toEqual([
    'here',
    'finished',
    'here',
    'finished',
  ]);
  await writeFile(path, '{"kind":"metric","ts_');
  await run();
  const [cut, ...whole] = linesOf(await readFile(path, 'utf8'));
  expect(cut).toBe('{"kind":"metric","ts_');
  expect(whole.map((line) => eventOf(line).name)).toEqual(['here', 'finished']);
});

test('each event is in the file when the call returns', async () => {
  const path = join(folder, 'at-once.jsonl');
  const { reporter } = await reported({ argv: ['--metrics', `jsonl:${path}`] });
  reporter.annotate('one');
  expect(linesOf(await readFile(path, 'utf8'))).toHaveLength(1);
  reporter.annotate('two');
  expect(linesOf(await readFile(path, 'utf8'))).toHaveLength(2);
  await reporter.finish();
});

test('a process that is killed leaves whole lines, in order', async () => {
  const path = join(folder, 'killed.jsonl');
  const child = train('1e9', '--metrics', `jsonl:${path}`);
  const size = () =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  while ((await size()) < 200_000) await wait(5);
  child.kill('SIGKILL');
  const [, signal] = (await once(child, 'exit')) as [unknown, string];
  expect(signal).toBe('SIGKILL');
  const content = await readFile(path, 'utf8');
  expect(content.endsWith('\n')).toBe(true);
  const events = linesOf(content).map(eventOf);
  expect(events.map(({ step }) => step)).toEqual(events.map((_, index) => Math.floor(index / 3)));
});

test('a disk without room: the training goes on, and each lost event is counted', async () => {
  const { reporter, said } = await reported({ argv: ['--metrics', 'jsonl:/dev/full'] });
  reporter.step(0).end();
  reporter.step(1).end();
  const summary = await reporter.finish();
  expect(summary).toMatchObject({ events: 5, delivered: 0, lost: 5, lost_to: { not_written: 5 } });
  expect(said).toEqual([
    'metrics: /dev/full',
    expect.stringContaining('/dev/full cannot be written to, and events are lost: ENOSPC'),
    'metrics: 5 of 5 events were lost: 5 could not be written.',
  ]);
});

test('standard output carries nothing but events, also through a full pipe that does not block', async () => {
  const child = train('2000', '--look', '--metrics', 'stdout');
  const errors = text(child.stderr);
  // The pipe fills up meanwhile.
  await wait(700);
  const events = linesOf(await text(child.stdout)).map(eventOf);
  expect(events).toHaveLength(6001);
  expect(events.map(({ step }) => step)).toEqual(
    [...events.keys()].map((index) => Math.min(1999, Math.floor(index / 3))),
  );
  expect(await errors).toBe('metrics: stdout\n');
});

test.each(['stdout', ''])(
  'with --json the last line of standard output is the summary, where metrics go to "%s"',
  async (target) => {
    const child = train('2', '--json', ...(target === '' ? [] : ['--metrics', target]));
    const lines = linesOf(await text(child.stdout));
    const summary = JSON.parse(lines.pop()!) as object;
    expect(summary).toMatchObject({ kind: 'summary', metrics: target || 'nowhere', outcome: 'finished', step: 1 });
    expect(summary).not.toHaveProperty('ts_ms');
    expect(lines.map((line) => eventOf(line).name)).toHaveLength(target === '' ? 0 : 7);
  },
);

test('a reader that goes away does not stop the training', async () => {
  const child = train('20000', '--metrics', 'stdout', '--json');
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  expect(await errors).toMatch(
    /events are lost: EPIPE[^]*of 60001 events were lost[^]*The summary could not be written/,
  );
});
