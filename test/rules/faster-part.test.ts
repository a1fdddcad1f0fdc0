import { expect, test } from 'vitest';

import { fasterPart } from '../../src/rules/faster-part.ts';
import { streamOf } from '../../src/samples/stream.ts';

/** Steps end to end, so many of each length. */
function stepsOf(...lengths: readonly (readonly [count: number, seconds: number])[]) {
  let at = 0;
  const all = lengths.flatMap(([count, seconds]) => Array.from({ length: count }, () => seconds));
  return streamOf(all.map((seconds) => [(at += seconds), seconds] as const));
}

test.each([
  ['first', stepsOf([300, 4], [700, 6]), { from: 0, to: 200, medianS: 4, usualS: 6 }],
  ['last', stepsOf([900, 6], [100, 4]), { from: 5400, to: 5600, medianS: 4, usualS: 6 }],
  ['in between', stepsOf([20, 9], [10, 3], [10, 9]), { from: 180, to: 210, medianS: 3, usualS: 9 }],
])('where most steps were slow, the faster part is told: %s', (_where, steps, part) => {
  expect(fasterPart(steps, 1.2)).toEqual(part);
});

test.each([
  ['all steps alike', stepsOf([1000, 6])],
  ['a slow minority, which is told elsewhere', stepsOf([700, 4], [300, 6])],
  ['faster by the factor alone', stepsOf([300, 5], [700, 6])],
  ['steps long and short in turn', stepsOf(...Array.from({ length: 219 }, (_, i) => [1, i % 2 ? 6 : 4] as const))],
  [
    'some short steps here and there',
    stepsOf(
      ...Array.from(
        { length: 50 },
        () =>
          [
            [9, 6],
            [2, 1],
          ] as const,
      ).flat(),
    ),
  ],
  ['too few steps to tell', stepsOf([9, 4], [10, 6])],
  ['no steps', stepsOf()],
])('none is told of %s', (_what, steps) => {
  expect(fasterPart(steps, 1.2)).toBeNull();
});
