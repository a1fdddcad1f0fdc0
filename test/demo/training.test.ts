import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoTraining } from '../../src/commands/demo-training.ts';
import { demoConfig } from '../../src/demo/demo-config.ts';
import { history } from '../../src/demo/history.ts';
import { trainingJob, trainingSchedule } from '../../src/demo/training-schedule.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

// The demo's training job, as the demo has it: reported by the library, through the mutation, read beside its GPUs.

const t0 = Math.floor(Date.now() / 1000);
const done = [...untilNow()];
const [sixHours, hour] = [6 * 3600, 3600];
let store: EmbeddedStore;
let gateway: Gateway;
let training: Awaited<ReturnType<typeof demoTraining>>;

function* untilNow() {
  for (const happening of trainingSchedule()) {
    if (happening.to > 0) return;
    yield happening;
  }
}

beforeAll(async () => {
  store = await startStore();
  await store.load(history(t0, 7));
  training = await demoTraining(store.url, t0);
  gateway = await startGateway({ config: demoConfig(store.url), now: () => t0 });
});
afterAll(async () => {
  await gateway.close();
  await training.stop();
  await store.close();
});

const ask = async (range: string, inner: string) => {
  const { data, errors } = await gateway.query(
    `{ cluster(name: "aurora-prod", window: { range: ${range} }) { window { start end } ${inner} } }`,
  );
  expect(errors).toBeUndefined();
  return data.cluster;
};
const inside = (from: number, end: number, kind: string) =>
  done.filter((each) => each.kind === kind && t0 + each.to > from && t0 + each.to <= end);

test('nothing that it did by now is missing', async () => {
  const { window, run } = await ask(
    'LAST_6H',
    'run(name: "train-llm") { note stepSeconds { mean max } pauses { kind } }',
  );
  const end = Date.parse(window.end) / 1000;
  // The clock of events is in milliseconds.
  const steps = inside(end - sixHours, end, 'step').map(({ from, to }) => Math.round((to - from) * 1000) / 1000);
  expect(steps.length).toBeGreaterThan(4_000);
  expect(run.note).toBeNull();
  expect(run.stepSeconds.mean).toBeCloseTo(steps.reduce((sum, s) => sum + s, 0) / steps.length, 2);
  expect(run.stepSeconds.max).toBeCloseTo(Math.max(...steps), 2);
  const passes = inside(end - sixHours, end, 'evaluation').length;
  expect(run.pauses.filter(({ kind }: { kind: string }) => kind === 'EVALUATION')).toHaveLength(passes);
});

test('its steps are those of its last hour, and its workload is the job', async () => {
  const { window, run } = await ask(
    'LAST_1H',
    'run(name: "train-llm") { steps { min max } workload { kind namespace name } }',
  );
  const end = Date.parse(window.end) / 1000;
  const steps = inside(end - hour, end, 'step').map(({ step }) => step);
  expect(run.steps).toEqual({ min: Math.min(...steps), max: Math.max(...steps) });
  const [, name] = trainingJob.top;
  expect(run.workload).toEqual({ kind: 'JOB', namespace: trainingJob.namespace, name });
});

test('it was slow twice: once with a hot GPU, once while the platform saw nothing', async () => {
  const { run } = await ask(
    'LAST_6H',
    'run(name: "train-llm") { slowdowns { minutes flags { kind node { name } gpu { index } } cleanNodes { name } } }',
  );
  expect(run.slowdowns).toMatchObject([
    { flags: [], cleanNodes: [{ name: 'aurora-prod-n1' }, { name: 'aurora-prod-n2' }] },
    {
      flags: [{ kind: 'THERMAL_THROTTLE', node: { name: 'aurora-prod-n2' }, gpu: { index: 3 } }],
      cleanNodes: [{ name: 'aurora-prod-n1' }],
    },
  ]);
  const [starved, hot] = run.slowdowns as [{ minutes: number }, { minutes: number }];
  expect(starved.minutes).toBeCloseTo(12, 0);
  // 41 minutes less a checkpoint and an evaluation.
  expect(hot.minutes).toBeCloseTo(39, 0);
});
