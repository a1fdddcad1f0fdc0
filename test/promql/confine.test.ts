import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { confine } from '../../src/promql/confine.ts';

const own = [{ label: 'cluster', op: '=~', value: '^(a|b)$' }] as const;
const X = 'cluster=~"^(a|b)$"';
const sent = (query: string): string => confine(query, own).text;

describe('every selector is confined, and nothing else changes', () => {
  test.each([
    ['a bare name', 'up', `up{${X}}`],
    ['empty braces', 'up{}', `up{${X}}`],
    ['matchers, and a comma behind the last', "up{a='b', c!~`d\\.e`,}", `up{${X},a="b",c!~"d\\\\.e"}`],
    ['no name', '{job="x"}', `{${X},job="x"}`],
    ['a quoted name, as all stores spell it', '{"up",a="b"}', `{${X},__name__="up",a="b"}`],
    ['a quoted label that needs no quotes', 'up{"a"="b"}', `up{${X},a="b"}`],
    ['a quoted label that does', 'up{"a.b"="c"}', `up{${X},"a.b"="c"}`],
    ['a range', 'rate(up[5m])', `rate(up{${X}}[5m])`],
    ['a subquery', 'max_over_time(up[1h:5m])', `max_over_time(up{${X}}[1h:5m])`],
    ['a subquery at the step of the store', 'max_over_time(up[1h:])', `max_over_time(up{${X}}[1h:])`],
    ['offset and @', 'up offset -5m @ start()', `up{${X}} offset - 5m @ start()`],
    ['@ a number', 'up @ 1796097750.5', `up{${X}} @ 1796097750.5`],
    ['both sides of an operator', 'a / on (x) group_left (y) b', `a{${X}} / on(x) group_left(y) b{${X}}`],
    ['set operators', 'a and on () b or c unless d', `a{${X}} and on() b{${X}} or c{${X}} unless d{${X}}`],
    ['bool', 'a >= bool b', `a{${X}} >= bool b{${X}}`],
    ['the parameter of an aggregation', 'topk(scalar(k), a)', `topk(scalar(k{${X}}), a{${X}})`],
    ['a modifier behind the body, in capitals', 'SUM(a) BY (x, y)', `sum(a{${X}}) by(x, y)`],
    ['a modifier before the body', 'sum without (x) (a)', `sum without(x) (a{${X}})`],
    ['count_values and its label', 'count_values("v", a)', `count_values("v", a{${X}})`],
    [
      'texts of functions',
      `label_replace(a, 'x', "$1", "y", "(.*)")`,
      `label_replace(a{${X}}, "x", "$1", "y", "(.*)")`,
    ],
    ['signs and parentheses as they were', '-(1 - -2) ^ 2', '- (1 - - 2) ^ 2'],
    ['what binds otherwise in the tree than in the stores', 'a - b offset 5m', `a{${X}} - b{${X}} offset 5m`],
    ['a query without selectors', 'time() + vector(1) * NaN', 'time() + vector(1) * NaN'],
    ['words as names', 'sum by (by, offset) (by)', `sum by(by, offset) (by{${X}})`],
    ['comments and line ends', 'sum( # all\r\n  a)', `sum(a{${X}})`],
    ['a comment between a sign and its number', '- # x\n 5', '-5'],
    ['the own matcher on the same label, which stays', 'up{cluster="z"}', `up{${X},cluster="z"}`],
    ['a pattern that would break out of another', 'up{cluster=~"a)|(?:z"}', `up{${X},cluster=~"a)|(?:z"}`],
    ['values that are patterns of replacement', 'up{a="$&$\'$`"}', `up{${X},a="$&$'$\`"}`],
    [
      'braces and quotes in values',
      String.raw`up{a="\"} or secret{b=\""}`,
      String.raw`up{${X},a="\"} or secret{b=\""}`,
    ],
    [
      'names that objects have',
      'up{constructor="a",hasOwnProperty="b"}',
      `up{${X},constructor="a",hasOwnProperty="b"}`,
    ],
    ['escapes', String.raw`up{a="\x41\u00e9\U0001F600\101\t"}`, String.raw`up{${X},a="Aé😀A\u0009"}`],
    ['a line end in a raw text', 'up{a=`b\nc`}', String.raw`up{${X},a="b\u000ac"}`],
  ])('%s', (_what, query, text) => {
    expect(sent(query)).toBe(text);
    // What is sent is fit to be read again, and is then its own print.
    expect(confine(text, []).text).toBe(text);
  });

  test('a store that is the organization’s own is asked as the client asks', () => {
    expect(confine('sum by (a) (up{b="c"}) / up', []).text).toBe('sum by(a) (up{b="c"}) / up');
  });
});

const refusalOf = (query: string): Refusal => {
  try {
    sent(query);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`not refused: ${query}`);
};

describe('what is not understood is refused, with its place', () => {
  test.each([
    ['nothing', '', 'query_syntax'],
    ['a comment alone', '# up', 'query_syntax'],
    ['what is not closed', 'sum(up', 'query_syntax'],
    ['an unclosed text', 'up{a="b}', 'query_syntax'],
    ['two expressions', 'up up', 'query_syntax'],
    ['a list', '(up, secret)', 'query_syntax'],
    ['MetricsQL: ifnot', 'up ifnot secret', 'query_syntax'],
    ['MetricsQL: default', 'up default 0', 'query_syntax'],
    ['MetricsQL: or in braces', 'up{a="b" or cluster="z"}', 'query_syntax'],
    ['MetricsQL: WITH', 'WITH (x = up) x', 'query_syntax'],
    ['MetricsQL: keep_metric_names', 'rate(up[5m]) keep_metric_names', 'query_syntax'],
    ['MetricsQL: functions', 'label_set(secret, "a", "b")', 'query_syntax'],
    ['a matcher without its value', 'up{a}', 'query_syntax'],
    ['a name twice', 'up{"up"}', 'query_syntax'],
    ['two quoted names', '{"up", "down"}', 'query_syntax'],
    ['everything', '{}', 'query_syntax'],
    ['everything, by a pattern', '{job=~".*"}', 'query_syntax'],
    ['everything, by what it is not', '{cluster!="z"}', 'query_syntax'],
    ['an escape that Go has not', String.raw`up{a="\q"}`, 'query_syntax'],
    ['the escape of the other quote', String.raw`up{a="\'"}`, 'query_syntax'],
    ['half of a pair, escaped', String.raw`up{a="\ud800"}`, 'query_syntax'],
    ['a byte that is no character', String.raw`up{a="\xff"}`, 'query_syntax'],
    ['an octal byte', String.raw`up{a="\377"}`, 'query_syntax'],
    ['info', 'info(up)', 'query_unsupported'],
    ['an experimental function', 'mad_over_time(up[5m])', 'query_unsupported'],
    ['an experimental aggregation', 'limitk(1, up)', 'query_unsupported'],
    ['anchored', 'rate(up[5m] anchored)', 'query_unsupported'],
    ['fill', 'a + fill(0) b', 'query_unsupported'],
    ['trimming', 'a >/ b', 'query_unsupported'],
    ['arithmetic of durations', 'rate(up[5m + 1m])', 'query_time_bounds'],
    ['a duration in parentheses', 'up offset (5m)', 'query_unsupported'],
    ['a reserved label', 'up{__graphite__="a.*"}', 'query_reserved_name'],
    ['a reserved label, quoted', 'up{"__tenant_id__"="z"}', 'query_reserved_name'],
    ['a reserved label to group by', 'sum by (__query_shard__) (up)', 'query_reserved_name'],
    ['a reserved metric', '__embedded_queries__', 'query_reserved_name'],
    ['a reserved metric, quoted', '{"__embedded_queries__"}', 'query_reserved_name'],
    ['a reserved metric by its label', '{__name__="__embedded_queries__"}', 'query_reserved_name'],
    ['a reserved metric by its label, quoted', '{"__name__"=~"__embedded_queries__"}', 'query_reserved_name'],
    ['a reserved metric by escapes', String.raw`{__name__="\x5f\x5fqueries__"}`, 'query_reserved_name'],
    ['@ without end', '1 @ inf', 'query_time_bounds'],
    ['@ beyond all data', 'up @ 1e18', 'query_time_bounds'],
    ['@ before 1970', 'up @ -1', 'query_time_bounds'],
    ['@ in another spelling', 'up @ +1e300', 'query_time_bounds'],
    ['@ no number', 'up @ nan', 'query_time_bounds'],
    ['a range beyond all data', 'rate(up[99999999y])', 'query_time_bounds'],
    ['a range of nothing', 'rate(up[0s])', 'query_time_bounds'],
    ['a range without end', 'rate(up[inf])', 'query_time_bounds'],
    ['an offset beyond all data', 'up offset 922337203685477580s', 'query_time_bounds'],
    ['a step of nothing', 'max_over_time(up[5m:0s])', 'query_time_bounds'],
    ['a subquery of too many steps', 'max_over_time(up[1y:1s])', 'query_cost'],
    ['subqueries that multiply', 'max_over_time(max_over_time(up[1d:1m])[1d:1m])', 'query_cost'],
    ['subqueries at steps of the store', 'max_over_time(max_over_time(up[1d:])[1d:])', 'query_cost'],
    ['a comment that some stores end at CR', 'up # x\r or secret', 'query_charset'],
    ['NUL', 'up\0', 'query_charset'],
    ['a form feed', 'up\f', 'query_charset'],
    ['half of a pair', 'up{a="\ud83d"}', 'query_charset'],
    ['the sign of mangled bytes', 'up{a="\ufffd"}', 'query_charset'],
    ['a blank of Unicode', 'up\u00a0or secret', 'query_charset'],
    ['a line end of Unicode', 'up # x\n\u2028or secret', 'query_charset'],
    ['a text of 4,001 characters', `up # ${'x'.repeat(3996)}`, 'query_too_large'],
    ['101 parentheses', `${'('.repeat(101)}up${')'.repeat(101)}`, 'query_too_large'],
    ['101 signs', `${'- '.repeat(101)}up`, 'query_too_large'],
    ['101 selectors', Array.from({ length: 101 }, () => 'a').join('+'), 'query_too_large'],
  ])('%s', (_what, query, reason) => {
    const { code, message, details } = refusalOf(query);
    expect([code, details.reason]).toEqual(['BAD_REQUEST', reason]);
    expect(message).toMatch(/^The query.*\.$/s);
  });

  test('the place counts lines and characters from 1, in the text as it was sent', () => {
    expect(refusalOf('sum(\n  "😀" + info(up))').details.position).toEqual({ line: 2, column: 9 });
    expect(refusalOf('sum(\r\n  info(up))').details.position).toEqual({ line: 2, column: 3 });
  });

  test.each([
    ['4,000 characters', `up # ${'x'.repeat(3995)}`],
    ['100 parentheses', `${'('.repeat(100)}up${')'.repeat(100)}`],
    ['100 selectors', Array.from({ length: 100 }, () => 'a').join('+')],
    ['a year', 'max_over_time(up[366d])'],
    ['a week of half minutes', 'max_over_time(rate(up[5m])[7d:30s])'],
    ['the last moment', 'up @ 4294967295'],
  ])('%s are not too many', (_what, query) => expect(sent(query)).toContain(X));
});
