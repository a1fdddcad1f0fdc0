import { describe, expect, test } from 'vitest';
import { changesSince, type Look } from '../../src/live/changes.ts';
import { cursorOf, knownAfter } from '../../src/live/cursor.ts';
import { type Known, nothing } from '../../src/live/known.ts';
import { stepAfter } from '../../src/schema/flag-steps.ts';
import type { FlagLook } from '../../src/schema/live-flags.ts';

interface Seen {
  readonly to?: number;
  readonly severity?: 'WARN' | 'HIGH';
  readonly heard?: boolean;
}
/** An evaluation at a time; a flag burns for 100 s after its last evidence. */
const look = (at: number, flags: Record<string, Seen>, more: Partial<Look<string>> = {}): Look<string> => ({
  at,
  burnsForS: 100,
  isWhole: true,
  flags: Object.entries(flags).map(([key, { to = at, severity = 'WARN' }]) => ({
    key,
    subject: { kind: 'COMM_ERRORS', node: key, gpu: 0, resource: null },
    severity,
    to,
    burns: to > at - 100,
    flag: key,
  })),
  hears: ({ node }) => flags[node]?.heard ?? true,
  ...more,
});

/** What is told on the way through evaluations, and what is known in the end. */
function through(looks: readonly Look<string>[], from: Known = nothing, least: 'WARN' | 'HIGH' = 'WARN') {
  const words: string[] = [];
  let known = from;
  for (const each of looks) {
    const { changes, known: next } = changesSince(known, each, least);
    words.push(...changes.map(({ type, key }) => `${type} ${key}`));
    known = next;
  }
  return { words, known };
}

describe('what is told', () => {
  test('of an old flag nothing, to who comes; of one that begins and ends between two evaluations both', () => {
    expect(through([look(1000, { old: { to: 800 } })]).words).toEqual([]);
    expect(through([look(1000, {}), look(2000, { old: { to: 800 }, brief: { to: 1500 } })]).words).toEqual([
      'RAISED brief',
      'CLEARED brief',
    ]);
    expect(
      through([look(1000, {}), look(2000, { brief: { to: 1500 } }), look(2030, { brief: { to: 1500 } })]).words,
    ).toHaveLength(2);
  });

  test('nothing is cleared by an evaluation that lacks something, and nothing is lost by it', () => {
    const partial = look(1030, {}, { isWhole: false });
    const { words, known } = through([look(1000, { a: {}, b: {} }), partial]);
    expect(words).toEqual(['RAISED a', 'RAISED b']);
    expect(known.at).toBe(1000);
    // What it left out had begun and was over before the next one.
    expect(through([look(1200, { a: {}, c: { to: 1050 } })], known).words).toEqual([
      'CLEARED b',
      'RAISED c',
      'CLEARED c',
    ]);
  });

  test('what is not heard is silent, once, until it is heard', () => {
    const silent = { a: { to: 1000, heard: false } };
    expect(through([look(1000, { a: {} }), look(1150, silent), look(1180, silent), look(1210, {})]).words).toEqual([
      'RAISED a',
      'SILENT a',
      'CLEARED a',
    ]);
    expect(through([look(1000, { a: {} }), look(1150, silent), look(1180, { a: {} })]).words.at(-1)).toBe('CHANGED a');
    expect(through([look(1000, {}), look(1300, { a: { to: 1100, heard: false } })]).words).toEqual([
      'RAISED a',
      'SILENT a',
    ]);
  });

  test('what was told is followed, though it is not serious any more', () => {
    const looks = [look(1000, { a: { severity: 'HIGH' }, b: {} }), look(1030, { a: {}, b: {} }), look(1300, {})];
    expect(through(looks, nothing, 'HIGH').words).toEqual(['RAISED a', 'CHANGED a', 'CLEARED a']);
  });

  test('what goes on after it was called cleared is raised again', () => {
    expect(through([look(1000, { a: {} }), look(1150, { a: { to: 1000 } }), look(1180, { a: {} })]).words).toEqual([
      'RAISED a',
      'CLEARED a',
      'RAISED a',
    ]);
  });
});

test('wherever a connection breaks, the cursor of the last event leads to the same, and through no event twice', () => {
  const looks = [
    look(1000, { a: {}, b: {} }),
    look(1030, { a: { severity: 'HIGH' }, b: {}, c: { to: 1020 } }),
    look(1060, { b: {} }, { isWhole: false }),
    look(1400, { b: {}, c: { to: 1020 }, d: { to: 1200 }, e: {}, f: { to: 1250, heard: false } }),
  ];
  const whole = through(looks);
  expect(whole.words).toHaveLength(11);
  let known = nothing;
  let told = 0;
  for (const [i, each] of looks.entries()) {
    const { changes, known: next } = changesSince(known, each, 'WARN');
    for (const change of changes) {
      told += 1;
      const after = knownAfter(cursorOf(change.known(), 'mark'), 'mark');
      const rest = through(looks.slice(i), after);
      expect(rest.words, `after ${change.type} ${change.key} of evaluation ${i}`).toEqual(whole.words.slice(told));
      expect(rest.known).toEqual(whole.known);
    }
    known = next;
  }
});

test('a cursor that says too much is not unpacked', () => {
  const flags = new Map(
    Array.from({ length: 40_000 }, (_, i) => [
      `north/c/COMM_ERRORS/node-${i}/gpu 0/${'0'.repeat(40)}`,
      {
        subject: { kind: 'COMM_ERRORS', node: `node-${i}`, gpu: 0, resource: null },
        severity: 'WARN',
        state: 'burning',
      } as const,
    ]),
  );
  const cursor = cursorOf({ at: 1, seen: 1, flags }, 'mark');
  expect(() => knownAfter(cursor, 'mark')).toThrow('no cursor');
});

test('who knows the same is told the same objects, whenever each of them came', () => {
  const looks = [
    look(1000, { a: {} }),
    look(1030, { a: {} }),
    look(1060, { a: { severity: 'HIGH' } }),
  ] as unknown as FlagLook[];
  const [first, second, third] = looks as [FlagLook, FlagLook, FlagLook];
  const step = (known: Known, each: FlagLook, mark = 'mark') => stepAfter(known, each, 'WARN', mark);
  const early = step(step(nothing, first).known, second).known;
  const late = step(nothing, second).known;
  expect(late).toBe(early);
  expect(step(late, third)).toBe(step(early, third));
  expect(step(early, third).moments[0]!.value).toMatchObject({ type: 'CHANGED', key: 'a' });
  expect(step(early, third, 'other')).not.toBe(step(early, third));
});
