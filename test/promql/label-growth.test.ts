import { expect, test } from 'vitest';
import { confine } from '../../src/promql/confine.ts';

const chained = (times: number, around: (inner: string) => string): string =>
  Array.from({ length: times }).reduce<string>((inner) => around(inner), 'up');
const replaced = (replacement: string, inner: string): string =>
  `label_replace(${inner}, "x", ${replacement}, "x", "(.*)")`;

test.each([
  ['four copies, a dozen times', chained(12, (inner) => replaced('"$1$1$1$1"', inner))],
  ['by the name of the group', chained(7, (inner) => replaced('"${1}${1}"', inner))],
  ['many copies once', replaced(`"${'$1'.repeat(65)}"`, 'up')],
  ['written with an escape', replaced(`"${'\\x241'.repeat(65)}"`, 'up')],
  ['in parentheses', replaced(`("${'$1'.repeat(65)}")`, 'up')],
  ['joined with itself', chained(7, (inner) => `label_join(${inner}, "x", "", "x", "x")`)],
  ['in turns', chained(4, (inner) => replaced('"$1$1"', `label_join(${inner}, "x", "", "x", "x")`))],
  ['inside an aggregation', `count(${chained(7, (inner) => `sum by (x) (${replaced('"$1$1"', inner)})`)})`],
])('labels that grow are refused: %s', (_what, query) => {
  expect(() => confine(query, [])).toThrow(/labels up to .* times as long as they are, and 64 times is the most/);
});

test.each([
  chained(30, (inner) => replaced('"$1"', inner)),
  chained(3, (inner) => replaced('"$1-$2-$3"', inner)),
  'label_join(up, "id", "/", "cluster", "Hostname", "gpu", "UUID")',
  `count_values("x", up{a="${'$'.repeat(100)}"})`,
])('what dashboards make of labels passes: %s', (query) => {
  expect(() => confine(query, [])).not.toThrow();
});
