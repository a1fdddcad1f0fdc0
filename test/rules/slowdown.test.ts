import { describe, expect, test } from 'vitest';

import { type SlowRule, slowStretches, type SlowStretch } from '../../src/rules/slowdown.ts';
import type { Span } from '../../src/rules/span.ts';
import { streamOf } from '../../src/samples/stream.ts';

const usual: SlowRule = { factor: 1.2, forAtLeastS: 120 };
const hour = { from: 0, to: 3600, isOver: false };

type Step = readonly [end: number, seconds: number];

/** Steps end to end from one moment to another, each as long as `seconds` says of its beginning. */
const steady = (seconds: (from: number) => number, from = 0, until = 3600): Step[] => {
  const found: Step[] = [];
  for (let at = from; at + seconds(at) <= until; at += seconds(at)) found.push([at + seconds(at), seconds(at)]);
  return found;
};
/** A second each, and longer between two moments. */
const slower = (from: number, to: number, seconds = 2) => steady((at) => (at >= from && at < to ? seconds : 1));

const judge = (
  steps: readonly Step[],
  { pauses = [], rule = {}, judged = {} }: { pauses?: Span[]; rule?: Partial<SlowRule>; judged?: object } = {},
): SlowStretch[] => slowStretches(streamOf(steps), pauses, { ...usual, ...rule }, { ...hour, ...judged });
const spans = (found: readonly SlowStretch[]) => found.map(({ from, to, slowS }) => [from, to, slowS]);

describe('what is slow', () => {
  test('a stretch has the numbers of its own steps, and the median of all', () => {
    const [found, ...others] = judge(slower(600, 1200));
    expect(others).toEqual([]);
    expect(found).toEqual({
      from: 600,
      to: 1200,
      clipped: { start: false, end: false },
      steps: 300,
      medianS: 1,
      meanS: 2,
      worstS: 2,
      slowS: 600,
      coveredS: 600,
      silent: { before: null, after: null },
    });
  });

  test.each([
    ['as long as the factor', 1.25, 1.25, 0],
    ['a little longer', 1.2501, 1.25, 1],
    ['as a factor of 100 has it', 99, 100, 0],
  ])('a step %s', (_what, seconds, factor, stretches) => {
    expect(judge(slower(600, 1200, seconds), { rule: { factor } })).toHaveLength(stretches);
  });

  test.each([
    ['118 s', 718, 0],
    ['two minutes', 720, 1],
    ['122 s', 722, 1],
  ])('slow steps for %s', (_what, to, stretches) => {
    expect(judge(slower(600, to))).toHaveLength(stretches);
  });

  test('a single step that took ten minutes is a stretch', () => {
    expect(spans(judge(slower(600, 601, 600)))).toEqual([[600, 1200, 600]]);
  });

  test('with no least length one slow step is one', () => {
    expect(spans(judge(slower(600, 601), { rule: { forAtLeastS: 0 } }))).toEqual([[600, 602, 2]]);
  });

  test('one step that is not slow ends a stretch', () => {
    const steps = steady((at) => (at >= 600 && at < 1200 && Math.abs(at - 800) > 1 ? 2 : 1));
    expect(judge(steps)).toHaveLength(2);
  });

  test.each([
    ['milliseconds', 0.02, 0.05, 400],
    ['minutes', 90, 200, 40_000],
  ])('steps of %s', (_what, fast, slow, until) => {
    const [from, to] = [until / 2, until / 2 + until / 20];
    const steps = steady((at) => (at >= from && at < to ? slow : fast), 0, until);
    const found = judge(steps, { rule: { forAtLeastS: 10 }, judged: { to: until } });
    expect(found).toHaveLength(1);
    expect(Math.abs(found[0]!.slowS - until / 20)).toBeLessThan(slow);
  });

  test('without a step nothing is, nor with one', () => {
    expect([judge([]), judge([[600, 500]])]).toEqual([[], []]);
  });

  test('of two steps the median lies between', () => {
    expect(
      spans(
        judge([
          [100, 100],
          [400, 300],
        ]),
      ),
    ).toEqual([[100, 400, 300]]);
  });
});

describe('the run’s own median', () => {
  test('slow for most of the time, but not for most of the steps, is slow', () => {
    const steps = slower(600, 2760, 3);
    expect(steps.filter(([, seconds]) => seconds > 2).length).toBeLessThan(steps.length / 2);
    expect(spans(judge(steps))).toEqual([[600, 2760, 2160]]);
  });

  test('slow for most of the steps is what is usual', () => {
    expect(judge(slower(600, 3400))).toEqual([]);
  });
});

describe('what is no step', () => {
  test.each([
    ['nothing', 0],
    ['less than nothing', -5],
    ['more than the longest window', 15 * 86_400],
    ['no number', NaN],
    ['for ever', Infinity],
  ])('one that took %s', (_what, seconds) => {
    const steps = slower(600, 1200);
    expect(judge([...steps, [900.5, seconds]])).toEqual(judge(steps));
  });
});

describe('the edges of the window', () => {
  test('a step that began before it counts from its edge, and for its length as a whole', () => {
    const found = judge([[60, 600], ...steady(() => 1, 60)]);
    expect(found).toMatchObject([{ from: 0, to: 60, slowS: 60, worstS: 600, clipped: { start: true, end: false } }]);
  });

  test('a step that ended before it, or at its very start, is not of it', () => {
    const steps: Step[] = [[0, 600], [-1, 600], ...steady(() => 1)];
    expect(judge(steps)).toEqual([]);
    expect(judge([...steps, [3601, 600]])).toEqual([]);
  });

  test.each([
    ['from the first step on', slower(0, 600), { start: true, end: false }],
    ['after one that was not', slower(1, 600), { start: false, end: false }],
    ['to the last step', slower(3000, 3600), { start: false, end: true }],
    ['to the last but one', slower(3000, 3598), { start: false, end: false }],
  ])('slow %s', (_what, steps, clipped) => {
    expect(judge(steps)).toMatchObject([{ clipped }]);
  });

  test('a run that said nothing before its slow first step is not clipped', () => {
    const steps = steady((at) => (at < 1200 ? 2 : 1), 600);
    expect(judge(steps)).toMatchObject([{ clipped: { start: false, end: false }, silent: { before: null } }]);
  });

  test('a run that hangs after a slow step may be slow still: the silence is told, and is no slow time', () => {
    const steps = steady((at) => (at >= 2400 ? 2 : 1), 0, 3000);
    expect(judge(steps)).toMatchObject([
      { to: 3000, slowS: 600, clipped: { end: false }, silent: { after: { from: 3000, to: 3600 } } },
    ]);
  });

  test('one that said it had finished is neither clipped nor silent', () => {
    const steps = slower(3000, 3600);
    expect(judge(steps, { judged: { isOver: true } })).toMatchObject([
      { clipped: { start: false, end: false }, silent: { after: null } },
    ]);
  });
});

describe('silence', () => {
  /** Two minutes slow, a silence, two minutes slow. */
  const around = (silenceS: number, seconds = 2): Step[] => [
    ...steady(() => 1, 0, 600),
    ...steady(() => seconds, 600, 840),
    ...steady(() => seconds, 840 + silenceS, 1080 + silenceS),
    ...steady(() => 1, 1080 + silenceS, 3600),
  ];

  test.each([
    ['30 s between steps of 2 s', 30, 2, 1],
    ['31 s between steps of 2 s', 31, 2, 2],
    ['three steps of a minute', 180, 60, 1],
    ['more than three steps of a minute', 181, 60, 2],
  ])('%s', (_what, silenceS, seconds, stretches) => {
    expect(judge(around(silenceS, seconds))).toHaveLength(stretches);
  });

  test('that breaks a stretch is told on both sides, and is no slow time', () => {
    const silence = { from: 840, to: 1140 };
    expect(judge(around(300))).toMatchObject([
      { from: 600, to: 840, silent: { before: null, after: silence } },
      { from: 1140, to: 1380, silent: { before: silence, after: null } },
    ]);
  });

  test('where every tenth step is told, what lies between is not silence', () => {
    const all = slower(600, 1800);
    const tenth = all.filter((_, i) => i % 10 === 0);
    expect(judge(tenth)).toMatchObject([{ steps: 60, silent: { before: null, after: null } }]);
    const [found] = judge(tenth);
    expect(found!.slowS).toBeGreaterThan(1170);
    expect(found!.coveredS).toBe(120);
    const long = steady((at) => (at >= 6000 && at < 18_000 ? 40 : 20), 0, 36_000).filter((_, i) => i % 10 === 0);
    expect(judge(long, { judged: { to: 36_000 } })).toMatchObject([{ steps: 30 }]);
  });
});

describe('pauses', () => {
  /** Slow from 600 to 1200, but for what a pause takes. */
  const paused = (from: number, to: number): Step[] => [
    ...steady((at) => (at >= 600 ? 2 : 1), 0, from),
    ...steady((at) => (at < 1200 ? 2 : 1), to),
  ];

  test('of any length break nothing, and are no slow time', () => {
    const found = judge(paused(800, 1100), { pauses: [{ from: 800, to: 1100 }] });
    expect(spans(found)).toEqual([[600, 1200, 300]]);
    expect(spans(judge(paused(800, 1100)))).toEqual([[600, 800, 200]]);
  });

  test('explain no more than they cover', () => {
    const pauses = [{ from: 800, to: 900 }];
    expect(judge(paused(800, 930), { pauses })).toHaveLength(1);
    expect(spans(judge(paused(800, 932), { pauses, rule: { forAtLeastS: 0 } }))).toEqual([
      [600, 800, 200],
      [932, 1200, 268],
    ]);
  });

  test('that overlap each other count once', () => {
    const pauses = [
      { from: 800, to: 1000 },
      { from: 900, to: 1100 },
      { from: 850, to: 860 },
    ];
    expect(spans(judge(paused(800, 1100), { pauses }))).toEqual([[600, 1200, 300]]);
  });

  test('of which only the end is told explain the silence before it', () => {
    expect(spans(judge(paused(800, 1000), { pauses: [{ from: 1000, to: 1000 }] }))).toEqual([[600, 1200, 400]]);
    expect(judge(paused(800, 1000), { pauses: [{ from: 900, to: 900 }], rule: { forAtLeastS: 0 } })).toHaveLength(2);
  });

  test('are no slowness of the step that they fell in', () => {
    const steps: Step[] = [...steady(() => 1, 0, 600), [800, 200], ...steady(() => 1, 800)];
    expect(judge(steps)).toHaveLength(1);
    expect(judge(steps, { pauses: [{ from: 650, to: 780 }] })).toEqual([]);
    expect(judge(steps, { pauses: [{ from: 780, to: 780 }] })).toEqual([]);
    expect(judge(steps, { pauses: [{ from: 800, to: 820 }] })).toHaveLength(1);
  });

  test('a step in which one fell ends no stretch, and begins none', () => {
    const steps = steady((at) => (at >= 600 && at < 1200 && at !== 800 ? 2 : 1));
    const quick = steps.find(([, seconds], i) => seconds === 1 && steps[i - 1]?.[1] === 2)!;
    expect(judge(steps)).toHaveLength(2);
    const [found, ...others] = judge(steps, { pauses: [{ from: quick[0], to: quick[0] }] });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ from: 600, silent: { before: null, after: null } });
    const first = judge(slower(600, 1200), { pauses: [{ from: 601, to: 602 }] });
    expect(spans(first)).toEqual([[602, 1200, 598]]);
  });

  test('after each step, a millisecond into the next one, hide nothing', () => {
    const steps = slower(600, 1200);
    const pauses = steps.map(([end]) => ({ from: end - 0.05, to: end + 0.001 }));
    const spaced = steps.map(([end, seconds]): Step => [end - 0.05, seconds - 0.05]);
    expect(judge(spaced, { pauses })).toHaveLength(1);
    expect(judge(spaced, { pauses })[0]!.slowS).toBeCloseTo(600 - 300 * 0.051, 0);
  });
});

describe('the same time told twice', () => {
  test('by two reporters a moment apart is slow once', () => {
    const once = slower(600, 1200);
    const [found, ...others] = judge([...once, ...once.map(([end, seconds]): Step => [end + 0.004, seconds])]);
    expect(others).toEqual([]);
    expect(found!.slowS).toBeCloseTo(600, 1);
    expect(found!.coveredS).toBeCloseTo(600, 1);
  });

  test('by a run that was resumed beside itself is one stretch', () => {
    expect(spans(judge([...slower(600, 1200), [1250.5, 400]]))).toEqual([[600, 1250.5, 650.5]]);
    const apart: Step[] = [...slower(600, 1200), [2250.5, 400]];
    expect(spans(judge(apart))).toEqual([
      [600, 1200, 600],
      [1850.5, 2250.5, 400],
    ]);
  });
});

test('slow runs that one long step joins are one, however many they are', () => {
  const count = 300_000;
  const times = Float64Array.from({ length: count }, (_, i) => i * 2);
  const values = Float64Array.from({ length: count }, (_, i) => (i === count - 1 ? 700_000 : i % 4 === 0 ? 2 : 1));
  const judged = { from: -10, to: count * 2, isOver: true };
  const found = slowStretches({ times, values }, [], { factor: 1.5, forAtLeastS: 0 }, judged);
  expect(found.map(({ steps, worstS }) => [steps, worstS])).toEqual([[count / 4 + 1, 700_000]]);
});
