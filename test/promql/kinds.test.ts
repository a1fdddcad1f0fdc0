import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { confine } from '../../src/promql/confine.ts';

// Prometheus has the say on what takes what; VictoriaMetrics takes nearly anything anywhere.
let store: EmbeddedStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store?.close());

const isTaken = async (query: string): Promise<boolean> =>
  (await fetch(`${store.url}/api/v1/query`, { method: 'POST', body: new URLSearchParams({ query }) })).ok;
const refusalOf = (query: string): unknown => {
  try {
    confine(query, []);
    return null;
  } catch (error) {
    return error;
  }
};

test.each([
  ['rate(m)', 'rate() takes a range (like m[5m]), not an instant vector'],
  ['sum(m[5m])', 'sum() takes an instant vector, not a range'],
  ['abs("a")', 'abs() takes an instant vector, not a text'],
  ['sum(m, m)', 'sum() takes 1 argument, not 2'],
  ['round(m, 1, 2)', 'round() takes 1 to 2 arguments, not 3'],
  ['label_join(m, "a")', 'label_join() takes 3 or more arguments, not 2'],
  ['label_join(m, "a", "b", 1)', 'label_join() takes a text, not a number'],
  ['topk(m, m)', 'topk() takes a number, not an instant vector'],
  ['TOPK("a", m)', 'takes a number, not a text'],
  ['count_values(m, m)', 'count_values() takes a text'],
  ['quantile(m)', 'quantile() takes 2 arguments, not 1'],
  ['time(1)', 'time() takes 0 arguments, not 1'],
  ['vector(m)', 'vector() takes a number'],
  ['scalar(1)', 'scalar() takes an instant vector'],
  ['m and 1', 'and takes an instant vector, not a number'],
  ['1 or m', 'or takes an instant vector, not a number'],
  ['1 > 2', 'two numbers are compared with > bool'],
  ['scalar(m) == 1', 'two numbers are compared with == bool'],
  ['m + bool m', 'bool stands behind a comparison alone'],
  ['m + on (a) 1', 'on and ignoring match two vectors'],
  ['"a" + m', '+ takes a number or an instant vector, not a text'],
  ['m[5m] + 1', '+ takes a number or an instant vector, not a range'],
  ['max_over_time(m + m[5m:1m])', 'put what the subquery is of into parentheses'],
  ['max_over_time(-m[5m:1m])', 'put what the subquery is of into parentheses'],
  ['max_over_time(-rate(m[5m])[1h:])', 'put what the subquery is of into parentheses'],
  ['-"a"', 'a sign stands before a number or an instant vector'],
  ['max_over_time((m)[5m])', 'a range is of a selector'],
  ['max_over_time(m[5m][5m])', 'a range is of a selector'],
  ['max_over_time(1[5m:1m])', 'a subquery is of an instant vector, not a number'],
  ['(m) offset 5m', 'offset and @ stand behind a selector'],
  ['sum(m) @ 5', 'offset and @ stand behind a selector'],
  ['m > 2 offset 5m', 'offset and @ stand behind a selector'],
  ['m{__name__="m"}', 'a selector has one metric name'],
  ['m{__name__!="n"}', 'a selector has one metric name'],
])('%s is refused, as Prometheus does', async (query, words) => {
  const refusal = refusalOf(query);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({
    message: expect.stringContaining(words),
    details: { reason: 'query_syntax', position: { line: 1 } },
  });
  expect(await isTaken(query)).toBe(false);
});

test.each([
  'rate((m[5m]))',
  'rate(m[5m] offset 1h @ end())',
  'a - m offset 5m',
  '-m offset 5m',
  '-(m) + -1 ^ 2',
  'm @ start() offset 5m > bool 2',
  'max_over_time((a - b)[1h:5m] offset 5m)',
  'max_over_time((-rate(m[5m]))[1h:])',
  'quantile_over_time(scalar(m), m[5m])',
  'predict_linear(m[1h], 4 * 3600)',
  'clamp(m, 0, 1) or clamp_min(m, time())',
  'round(m) - round(m, 0.1)',
  'hour() + day_of_week(vector(time()))',
  'label_join(m, "a", "-")',
  'label_join(m, "a", "-", "b", "c")',
  'histogram_quantile(0.9, sum by (le) (rate(m_bucket[5m])))',
  'Topk(2, m) unless on (a) count_values("v", m)',
  '1 > bool 2',
  'm > 2 < bool 3',
  'm + ignoring () 1',
  '(1) / pi()',
  '{__name__="m",__name__!="n"}',
  'sum without () (m)',
])('%s is passed on, as Prometheus takes it', async (query) => {
  expect(refusalOf(query)).toBeNull();
  expect(await isTaken(query)).toBe(true);
});
