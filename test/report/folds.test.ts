import { expect, test } from 'vitest';
import { reported, spelled } from '../support/reported.ts';

const meanOf = async (...values: number[]): Promise<string> => {
  const { reporter, lines } = await reported();
  const step = reporter.step(0);
  for (const value of values) step.metric('x', value);
  step.end();
  return JSON.stringify((JSON.parse(lines[0]!) as { value: unknown }).value);
};

test('a step reports the mean of its microbatches', async () => {
  expect(await meanOf(1, 2, 6)).toBe('3');
  expect(await meanOf(0.1)).toBe('0.1');
  expect(await meanOf(-0)).toBe('0');
});

test.each([
  [[1, NaN], '"NaN"'],
  [[1, Infinity], '"Infinity"'],
  [[-Infinity, 5], '"-Infinity"'],
  [[Infinity, -Infinity], '"NaN"'],
])('what is no finite number is reported as what it is: %j', async (values, shown) => {
  expect(await meanOf(...values)).toBe(shown);
});

test('finite numbers have a finite mean, however large their sum is', async () => {
  expect(await meanOf(1.5e308, 1.5e308)).toBe('1.5e+308');
  expect(await meanOf(1.5e308, 1.5e308, -1.5e308, -1.5e308)).toBe('0');
});

test('a pass reports the mean of its batches, and hands it to the caller', async () => {
  const { reporter, events } = await reported();
  const pass = reporter.evaluation('eval');
  for (const loss of [2, 4, 9]) pass.metric('eval/loss', loss);
  for (const hits of [1, 0]) pass.metric('eval/accuracy', hits, { k: 5 });
  expect(pass.end()).toEqual([
    { name: 'eval/loss', value: 5, metadata: { split: 'eval', pass: 'eval' } },
    { name: 'eval/accuracy', value: 0.5, metadata: { split: 'eval', pass: 'eval', k: '5' } },
  ]);
  expect(events().map(spelled)[0]).toBe('eval/loss{pass=eval,split=eval} 5');
});

test.each([
  ['mean', 2],
  ['sum', 6],
  ['min', 1],
  ['max', 3],
  ['last', 2],
] as const)('several of a diagnostic become one by their %s', async (fold, expected) => {
  const { reporter, events } = await reported({ diagnostics: { norm: 1 } });
  const step = reporter.step(0);
  for (const value of [3, 1, 2]) step.diagnostic('norm', value, undefined, fold);
  step.end();
  expect(events().map(spelled)).toContain(`diagnostics/norm{split=train} ${expected}`);
});
