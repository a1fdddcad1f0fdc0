import { expect, test } from 'vitest';
import { confine } from '../../src/promql/confine.ts';

/** Each ended VictoriaMetrics 1.79 or 1.145, confined as it was: the fuzz over real stores found them. */
test.each([
  ['a metric that a store writes out as a number', 'up or {__name__="Inf",job="x"}', 'query_reserved_name'],
  ['the same in quotes and in another case', 'up == bool {"nan",job="x"}', 'query_reserved_name'],
  ['a label that it writes out with an escape that it does not read', 'up{"\u0378"!="x"} + up', 'query_charset'],
  ['a metric of that kind', 'up or {"a\u{10ffff}",job="x"}', 'query_charset'],
  ['such a label to join on', 'up * on ("\u0378") up', 'query_charset'],
  ['a range in hexadecimal', 'rate(up[0x10])', 'query_time_bounds'],
  ['an offset in hexadecimal', 'up offset 0x1f', 'query_time_bounds'],
  ['a step in hexadecimal', 'max_over_time(up[5m:0x10])', 'query_time_bounds'],
  ['a number that is a duration beyond counting', 'up / 99999999999999y', 'query_time_bounds'],
  ['the same with a sign', 'up + -9999999999y', 'query_time_bounds'],
])('is not passed on: %s', (_what, query, reason) => {
  expect(() => confine(query, [])).toThrow(expect.objectContaining({ details: expect.objectContaining({ reason }) }));
});

test('the same characters are fine where they are values and numbers', () => {
  expect(confine('up{job="Inf\u0378"} + 0x1d + Inf > 90d', []).text).toBe('up{job="Inf\u0378"} + 0x1d + Inf > 90d');
});
