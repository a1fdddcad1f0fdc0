import { describe, expect, test } from 'vitest';
import { numberValue } from '../../src/promql/number-literal.ts';
import { stringValue } from '../../src/promql/string-literal.ts';

describe('a string literal has the value that Go gives it', () => {
  test.each([
    [String.raw`"a\"b\\c"`, 'a"b\\c'],
    [String.raw`'a\'b"c'`, `a'b"c`],
    [String.raw`"\a\b\f\n\r\t\v"`, '\x07\b\f\n\r\t\v'],
    [String.raw`"\x7e\176\u00e9\U0001F600"`, '~~é😀'],
    ['`a\\n"\'`', 'a\\n"\''],
    ['""', ''],
  ])('%s', (literal, value) => expect(stringValue(literal)).toBe(value));

  test.each([
    ['"abc'],
    ['"'],
    [String.raw`"abc\"`],
    [String.raw`"\'"`],
    [String.raw`'\"'`],
    [String.raw`"\q"`],
    [String.raw`"\X41"`],
    [String.raw`"\x4"`],
    [String.raw`"\x80"`],
    [String.raw`"\400"`],
    [String.raw`"\18"`],
    [String.raw`"\u12"`],
    [String.raw`"\ud800"`],
    [String.raw`"\U00110000"`],
    [String.raw`"\ufffd"`],
    ['"a\nb"'],
    ['"a\\\nb"'],
  ])('%s has none', (literal) => expect(stringValue(literal)).toBeNull());
});

describe('a number or a duration', () => {
  test.each([
    ['12', 12],
    ['1.5e-3', 0.0015],
    ['.5', 0.5],
    ['1_000', 1000],
    ['0x1F', 31],
    ['Inf', Infinity],
    ['nan', NaN],
    ['1h30m', 5400],
    ['1y2w3d', (365 + 14 + 3) * 86_400],
    ['500ms', 0.5],
  ])('%s', (text, value) => expect(numberValue(text)).toBe(value));

  test.each([[''], ['h'], ['5m1h'], ['1.5h'], ['5M'], ['0x'], ['1e'], ['-1'], ['１']])('%s is neither', (text) =>
    expect(numberValue(text)).toBeNull(),
  );
});
