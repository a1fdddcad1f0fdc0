import { expect, test } from 'vitest';
import { reported, spelled } from '../support/reported.ts';

test('a step and a pass report every name there is, with the metadata of each', async () => {
  const { reporter, clock, events } = await reported({
    stages: ['easy', 'hard'],
    counters: { tokens: 1000 },
    diagnostics: { 'update-rms': 1 },
  });
  reporter.enterStage('hard');
  const step = reporter.step(7);
  step.objective(3);
  step.metric('train/loss', 2);
  step.diagnostic('update-rms', 0.5, { param: 'embed' });
  step.count('tokens', 600);
  clock.ms += 2000;
  step.end({ peakBytes: 1e9 });
  const pass = reporter.evaluation('probe');
  pass.metric('eval/loss', 4);
  clock.ms += 500;
  pass.end();

  expect(events().map(spelled)).toEqual([
    'train/objective{split=train,stage=hard} 3',
    'train/loss{split=train,stage=hard} 2',
    'diagnostics/update-rms{param=embed,split=train,stage=hard} 0.5',
    'counter/tokens{split=train,stage=hard} 1600',
    'rate/tokens{split=train,stage=hard} 300',
    'runtime/step_seconds{split=train,stage=hard} 2',
    'runtime/train_seconds{split=train,stage=hard} 2',
    'runtime/peak_bytes{split=train,stage=hard} 1000000000',
    'eval/loss{pass=probe,split=eval,stage=hard} 4',
    'runtime/eval_seconds{pass=probe,split=eval,stage=hard} 0.5',
    'curriculum/stage{pass=probe,split=eval,stage=hard} 1',
  ]);
  expect(new Set(events().map(({ step }) => step))).toEqual(new Set([7]));
});

test('with one stage there is no key for it, and every evaluation is of stage 0', async () => {
  const { reporter, events } = await reported({ stages: ['only'] });
  reporter.evaluation('eval').end();
  expect(events().map(spelled)).toEqual([
    'runtime/eval_seconds{pass=eval,split=eval} 0',
    'curriculum/stage{pass=eval,split=eval} 0',
  ]);
  expect(events()[0]!.step).toBeNull();
});

test('an author keeps a split, pass or stage of his own, and series with others stay apart', async () => {
  const { reporter, events } = await reported({ stages: ['easy', 'hard'] });
  const step = reporter.step(0);
  step.metric('loss', 1, { split: 'holdout', stage: 'warm-up' });
  step.metric('loss', 2);
  step.end();
  const pass = reporter.evaluation('eval');
  pass.metric('loss', 3, { pass: 'ema', split: 'test' });
  pass.metric('loss', 4);
  pass.end();
  expect(
    events()
      .map(spelled)
      .filter((line) => line.startsWith('loss')),
  ).toEqual([
    'loss{split=holdout,stage=warm-up} 1',
    'loss{split=train,stage=easy} 2',
    'loss{pass=ema,split=test,stage=easy} 3',
    'loss{pass=eval,split=eval,stage=easy} 4',
  ]);
});

test('what a model reports is of the graph that it runs in', async () => {
  const { reporter, clock, events } = await reported();
  const model = (value: number): number => reporter.metric('probe/rms', value, { layer: 'out' });
  const step = reporter.step(3);
  expect(model(1)).toBe(1);
  const pass = reporter.evaluation('eval');
  clock.ms += 5000;
  model(10);
  pass.end();
  model(2);
  clock.ms += 1000;
  step.end();
  expect(events().map(spelled)).toEqual([
    'probe/rms{layer=out,pass=eval,split=eval} 10',
    'runtime/eval_seconds{pass=eval,split=eval} 5',
    'curriculum/stage{pass=eval,split=eval} 0',
    'probe/rms{layer=out,split=train} 1.5',
    // Evaluation is not of the step.
    'runtime/step_seconds{split=train} 1',
    'runtime/train_seconds{split=train} 1',
  ]);
  expect(() => model(1)).toThrow('neither a step nor an evaluation pass is open');
});

test('a pass that is open across two steps is in neither of them', async () => {
  const { reporter, clock, events } = await reported();
  const first = reporter.step(0);
  clock.ms += 1000;
  const pass = reporter.evaluation('eval');
  clock.ms += 10_000;
  first.end();
  const second = reporter.step(1);
  clock.ms += 10_000;
  pass.end();
  clock.ms += 2000;
  second.end();
  const seconds = events().filter(({ name }) => name === 'runtime/step_seconds');
  expect(seconds.map(spelled)).toEqual(['runtime/step_seconds{split=train} 1', 'runtime/step_seconds{split=train} 2']);
});

test('a counter that is declared is told at every step, also where it did not grow', async () => {
  const { reporter, clock, events } = await reported({ counters: { tokens: 5 } });
  for (const amounts of [[], [10, 20], []]) {
    const step = reporter.step(0);
    for (const amount of amounts) step.count('tokens', amount);
    if (amounts.length > 0) step.count('images', 4);
    clock.ms += 500;
    step.end();
  }
  const of = (name: string) =>
    events().flatMap((event) => (event.name === name ? [(event as { value: number }).value] : []));
  expect(of('counter/tokens')).toEqual([5, 35, 35]);
  expect(of('rate/tokens')).toEqual([0, 60, 0]);
  expect(of('counter/images')).toEqual([4, 4]);
  expect(of('runtime/train_seconds')).toEqual([0.5, 1, 1.5]);
});

test('a device that times its steps better than the caller is believed, for the rate too', async () => {
  const { reporter, clock, events } = await reported();
  const step = reporter.step(0);
  step.count('tokens', 8);
  clock.ms += 9000;
  step.end({ seconds: 4 });
  expect(events().map(spelled)).toContain('rate/tokens{split=train} 2');
  expect(events().map(spelled)).toContain('runtime/train_seconds{split=train} 4');
});

test('a diagnostic costs nothing on a step that is not sampled, or where it was not selected', async () => {
  const { reporter, events } = await reported({ diagnostics: { norm: 3 } });
  const computed: string[] = [];
  for (let index = 0; index < 7; index++) {
    const step = reporter.step(index);
    for (const value of [index, index + 10])
      step.diagnostic('norm', () => (computed.push(`norm ${index}`), value), { param: 'w' }, 'max');
    step.diagnostic('other', () => (computed.push('other'), 1));
    step.end();
  }
  expect([...new Set(computed)]).toEqual(['norm 0', 'norm 3', 'norm 6']);
  const found = events().filter(({ name }) => name.startsWith('diagnostics/'));
  expect(found.map((event) => [event.step, spelled(event)])).toEqual([
    [0, 'diagnostics/norm{param=w,split=train} 10'],
    [3, 'diagnostics/norm{param=w,split=train} 13'],
    [6, 'diagnostics/norm{param=w,split=train} 16'],
  ]);
});

test('annotations: what interrupts a run, its checkpoints, and those of an author, at the step of their time', async () => {
  const { reporter, events } = await reported();
  reporter.annotate('warm-up', { from: 'scratch' });
  reporter.step(41).end();
  reporter.checkpoint({ seconds: 31.5, path: '/ckpt/41' });
  await reporter.interrupt({ signal: 'SIGTERM' });
  const found = events().filter(({ kind }) => kind === 'annotation');
  expect(found.map((event) => [event.step, spelled(event)])).toEqual([
    [null, 'warm-up{from=scratch}'],
    [41, 'checkpoint{path=/ckpt/41,seconds=31.5}'],
    [41, 'interrupted{signal=SIGTERM}'],
  ]);
});

test.each([
  ['runtime/step_seconds', 'measured by the reporter'],
  ['train/objective', 'objective(value)'],
  ['curriculum/stage', 'every evaluation'],
  ['counter/tokens', 'count(counter, amount)'],
  ['rate/tokens', 'count(counter, amount)'],
  ['diagnostics/norm', 'diagnostic(name, value)'],
])('%s is written by nobody else', async (name, instead) => {
  const { reporter } = await reported();
  expect(() => reporter.step(0).metric(name, 1)).toThrow(instead);
  expect(() => reporter.evaluation('eval').metric(name, 1)).toThrow(instead);
});
