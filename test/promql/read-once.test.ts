import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { freeForm, reachesOf } from '../../src/scope/free-form.ts';

const refusalOf = (query: string): unknown => {
  try {
    return freeForm(query, null);
  } catch (error) {
    return error;
  }
};

test('a text is read once, however many fields of a document ask it', () => {
  const query = `sum(${Array.from({ length: 99 }, (_, i) => `m${i}`).join(' + ')})`;
  expect(reachesOf(query)).toHaveLength(99);
  expect(reachesOf(query)).toBe(reachesOf(query));
  expect(freeForm(query, null).reaches).toBe(reachesOf(query));
});

test('and so is one that is refused', () => {
  expect(refusalOf('rate(m)')).toBeInstanceOf(Refusal);
  expect(refusalOf('rate(m)')).toBe(refusalOf('rate(m)'));
  expect(reachesOf('rate(m)')).toBeNull();
});

test('for each that it is confined to', () => {
  const sent = (...values: string[]): string => freeForm('m', { label: 'cluster', values }).query;
  expect([sent('a'), sent('b'), sent('a', 'b'), freeForm('m', null).query]).toEqual([
    'm{cluster=~"^(a)$"}',
    'm{cluster=~"^(b)$"}',
    'm{cluster=~"^(a|b)$"}',
    'm',
  ]);
});
