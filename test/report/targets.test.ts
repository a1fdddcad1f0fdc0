import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReporter } from '../../src/report/index.ts';
import { targetOf } from '../../src/report/target.ts';
import { recordingGateway } from '../support/recording-gateway.ts';
import { reported } from '../support/reported.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuql-targets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  [[], {}, { to: 'nowhere' }],
  [[], { GPUQL_METRICS: '', SEXPGPU_METRICS: '' }, { to: 'nowhere' }],
  [[], { SEXPGPU_METRICS: 'stdout' }, { to: 'stdout' }],
  [[], { GPUQL_METRICS: 'jsonl:/a/b:c.jsonl', SEXPGPU_METRICS: 'stdout' }, { to: 'file', path: '/a/b:c.jsonl' }],
  [['--metrics', 'stdout'], { GPUQL_METRICS: 'jsonl:/a' }, { to: 'stdout' }],
  [['train.ts', '--lr', '0.1', '--metrics=jsonl:/a'], {}, { to: 'file', path: '/a' }],
  [[], { GPUQL_METRICS: 'jsonl:a' }, { to: 'file', path: join(process.cwd(), 'a') }],
])('%j with %j goes to %j', (argv, env, target) => {
  expect(targetOf(argv, env)).toEqual({ target, json: false });
});

test('a run of a gateway: all that the environment tells of it', () => {
  const env = {
    GPUQL_URL: 'https://gpuql.example/graphql',
    GPUQL_TOKEN: 'secret',
    GPUQL_CLUSTER: 'aurora-prod',
    GPUQL_ISLAND: 'north',
    GPUQL_WORKLOAD: 'MPIJob/ml/hpc',
  };
  expect(targetOf(['--json', '--metrics', 'gpuql:my-run'], env)).toEqual({
    target: {
      to: 'gateway',
      run: 'my-run',
      url: 'https://gpuql.example/graphql',
      token: 'secret',
      cluster: 'aurora-prod',
      island: 'north',
      workload: { kind: 'MPI_JOB', namespace: 'ml', name: 'hpc' },
    },
    json: true,
  });
  expect(targetOf([], { GPUQL_METRICS: 'gpuql:r' }).target).toEqual({
    to: 'gateway',
    run: 'r',
    url: 'http://127.0.0.1:4000/graphql',
  });
});

test.each([
  [['--metrics', 'syvain'], {}, 'Use gpuql:<run>'],
  [
    [],
    { SEXPGPU_METRICS: 'syvain:folder-1' },
    'SEXPGPU_METRICS syvain:folder-1: numbers are not sent to Metrics by 041',
  ],
  [['--metrics', 'wandb'], {}, '--metrics "wandb" is no target. Possible are jsonl:<path>, stdout and gpuql:<run>'],
  [[], { GPUQL_METRICS: 'jsonl:' }, 'GPUQL_METRICS "jsonl:" is no target'],
  [['--metrics', 'jsonl'], {}, 'is no target'],
  [['--metrics', 'stdout:x'], {}, 'is no target'],
  [['--metrics'], {}, '--metrics names no target'],
  [['--metrics='], { GPUQL_METRICS: 'stdout' }, '--metrics names no target'],
  [['--metrics', 'gpuql:'], {}, '--metrics gpuql:"" can be no name of a run'],
  [['--metrics', 'gpuql:a/b'], {}, '"a/b" can be no name of a run'],
  [['--metrics', 'gpuql:r'], { GPUQL_CLUSTER: 'a b' }, 'GPUQL_CLUSTER "a b" can be no name of a cluster'],
  [['--metrics', 'gpuql:r'], { GPUQL_WORKLOAD: 'job/default/x' }, 'has to be Kind/namespace/name'],
  [['--metrics', 'gpuql:r'], { GPUQL_WORKLOAD: 'Job' }, 'one of Job, JobSet, MPIJob'],
  [['--metrics', 'gpuql:r'], { GPUQL_WORKLOAD: 'Job//x' }, 'has to be Kind/namespace/name'],
  [['--metrics', 'gpuql:r'], { GPUQL_WORKLOAD: 'Job/a/b/c' }, 'has to be Kind/namespace/name'],
  [['--metrics', 'gpuql:r'], { GPUQL_URL: 'nowhere' }, "GPUQL_URL: The gateway's URL is no address"],
  [['--metrics', 'jsonl:/dev/null/x'], {}, 'jsonl:/dev/null/x cannot be written to'],
  [['--metrics', `jsonl:${tmpdir()}`], {}, 'cannot be written to'],
])('%j with %j is an error at the start', async (argv, env, words) => {
  const said: string[] = [];
  const opened = openReporter({ argv, env, say: (line) => said.push(line) });
  await expect(opened).rejects.toMatchObject({ name: 'CannotReport', message: expect.stringContaining(words) });
  expect(said).toEqual([]);
});

test('where numbers go is said once, first, and the same in the summary and the status file', async () => {
  const gateway = await recordingGateway();
  const targets: [string, string][] = [
    [`jsonl:${join(folder, 'deep', 'er', 'run.jsonl')}`, join(folder, 'deep', 'er', 'run.jsonl')],
    ['stdout', 'stdout'],
    ['gpuql:my-run', `${gateway.url}, run my-run of cluster aurora-prod`],
  ];
  for (const [target, place] of [...targets, ['', 'nowhere'] as const]) {
    const status = join(folder, 'status', 'now.json');
    const env = { GPUQL_METRICS: target, GPUQL_URL: gateway.url.replace('//', '//user:pass-word@') };
    const { reporter, said } = await reported({ argv: [], env, status });
    expect(said).toEqual([`metrics: ${place}`]);
    const metrics = async () => (JSON.parse(await readFile(status, 'utf8')) as { metrics: unknown }).metrics;
    expect(await metrics()).toBe(place);
    reporter.step(0).end();
    const summary = await reporter.finish();
    expect(summary.metrics).toBe(place);
    expect(await metrics()).toBe(place);
    expect(summary).toMatchObject({ events: target === '' ? 0 : 3, delivered: target === '' ? 0 : 3, lost: 0 });
  }
});

test('the status file is the state as it is now, whole, and at the end what became of the events', async () => {
  const status = join(folder, 'whole', 'status.json');
  const { reporter, clock } = await reported({ status, stages: ['easy', 'hard'] });
  const state = async () => JSON.parse(await readFile(status, 'utf8')) as unknown;
  expect(await state()).toEqual({ metrics: 'stdout', phase: 'started', step: null, stage: 'easy', ts_ms: clock.ms });
  const notes = ['a'];
  reporter.status({ owner: 'ada', notes, phase: 'mine' });
  notes.push('b');
  clock.ms += 1500;
  reporter.step(4).end();
  expect(await state()).toMatchObject({ owner: 'ada', notes: ['a'], phase: 'training', step: 4, ts_ms: clock.ms });
  const pass = reporter.evaluation('eval');
  expect(await state()).toMatchObject({ phase: 'evaluating' });
  pass.end();
  await reporter.finish();
  expect(await state()).toMatchObject({ phase: 'finished', owner: 'ada', step: 4, events: 5, delivered: 5, lost: 0 });
});

test('who leaves without an end was interrupted, and a second end changes nothing', async () => {
  const { reporter, events } = await reported();
  {
    await using held = reporter;
    held.step(1).end();
  }
  expect(events().at(-1)).toMatchObject({ kind: 'annotation', name: 'interrupted', step: 1 });
  expect(await reporter.finish()).toMatchObject({ outcome: 'interrupted', events: 3 });
  expect(events()).toHaveLength(3);
});

test('what the start is given is looked at there', async () => {
  await expect(reported({ stages: ['a', 'a'] })).rejects.toThrow('same name');
  await expect(reported({ stages: ['s'.repeat(513)] })).rejects.toThrow('512 are the most');
  await expect(reported({ counters: { tokens: NaN } })).rejects.toThrow('a number from 0, not NaN');
  await expect(reported({ diagnostics: { norm: 0 } })).rejects.toThrow('from 1, not 0');
});
