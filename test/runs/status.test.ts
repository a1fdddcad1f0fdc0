import { describe, expect, test } from 'vitest';
import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { leavesOf, stateOf } from '../../src/runs/status.ts';
import { leafIn, statusLabels } from '../../src/runs/stored.ts';

/** As a store keeps it: labels that are empty are none. */
const kept = (state: unknown) => {
  const leaves = leavesOf(state).map((leaf) => {
    const labels = JSON.parse(JSON.stringify(statusLabels('r', leaf))) as Record<string, string>;
    return leafIn(labels, leaf.value)!;
  });
  return stateOf(leaves.toReversed());
};

describe('a state comes back as it was', () => {
  test.each<[string, object]>([
    ['of every kind', { a: 1, b: 'x', c: true, d: null, e: {}, f: [], g: [1, [2], { h: 0 }], i: '', j: false }],
    ['an empty one', {}],
    ['an object whose keys look like those of a list', { a: { 0: 'x', 1: 'y' }, b: { 0: {} } }],
    ['the same as the whole', { 0: 1, 1: 2 }],
    ['an object whose keys are numbers, but no list', { a: { 1: 'x', 2: 'y' } }],
    ['a list of more than ten', { a: Array.from({ length: 12 }, (_, i) => i) }],
    ['keys that are escaped', { 'a/b': { '~': 1, '~1': 2, '/': 3, '': { '': 4 } } }],
    ['names that objects have', JSON.parse('{"__proto__":{"x":1},"constructor":2,"a":{"__proto__":3}}')],
    ['numbers', { a: 0, b: -1.5, c: 1e300, d: 5e-324 }],
  ])('%s', (_what, state) => {
    expect(JSON.stringify(sorted(kept(state)))).toBe(JSON.stringify(sorted(state)));
  });

  test('whatever it is', () => {
    const value = jsonValue({ maxDepth: 4, noUnicodeString: false });
    assert(
      property(dictionary(string(), value, { maxKeys: 6 }), (made) => {
        const state = JSON.parse(JSON.stringify(made)) as object;
        const back = keptOrRefused(state);
        expect(back === 'BAD_REQUEST' ? back : sorted(back)).toEqual(back === 'BAD_REQUEST' ? back : sorted(state));
      }),
      { numRuns: 500 },
    );
  });
});

function keptOrRefused(state: object): unknown {
  try {
    return kept(state);
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

/** Keys in order, whatever the order in which they came. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => [key, sorted(own)]);
}

test('two hundred values are taken, and no more', () => {
  const state = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  expect(leavesOf(state(200))).toHaveLength(200);
  expect(() => leavesOf(state(201))).toThrow('more than 200 values');
  expect(() => leavesOf({ a: Array.from({ length: 201 }, () => 1) })).toThrow('more than 200 values');
});

test('what is nested deeper than a path may be long is refused, and overflows nothing', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as object;
  expect(() => leavesOf(deep)).toThrow(/bytes in a path/);
});
