import * as fc from 'fast-check';

/** An arbitrary that takes the first kind mostly and the second now and then: `odd` of a hundred. */
export const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, odd = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight: 100 - odd, arbitrary: usual }, { weight: odd, arbitrary: rare });

/** Takes one of `words`; where it shrinks, towards the first. */
export const oneOf = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);

/** The same of words that have no blanks in them, written in one text. */
export const words = (text: string): fc.Arbitrary<string> => oneOf(...text.trim().split(/\s+/));

export const numbers = mostly(
  oneOf('1', '0', '2', '5', '0.5', '100', '1e3', '0.9'),
  words(`.5 5. 1E-3 0x1F 0X1f 1_000 0x_1F 007 1e308 1e400 9007199254740993 0b11 0o17 Inf +Inf inf INF NaN nan NAN
    -1 +1 1h 5m30s 1Ki 5M 1.5h 1e 0x 1__0`),
  12,
);

export const durations = mostly(
  oneOf('5m', '2m', '10m', '1h', '90s', '15m', '30m', '1h30m', '300s', '120000ms'),
  oneOf(
    '0s',
    '0',
    '1d',
    '1w',
    '1y',
    '300',
    '1.5h',
    '5M',
    '1i',
    '1m1h',
    '5m5m',
    '1 h',
    '-5m',
    '5 m',
    '1ms',
    '100y',
    '11y',
    '99999999999999y',
    '922337203685477580s',
    '9223372036854775807ms',
    '1e3',
    '0x10',
    'inf',
    'NaN',
    '$__interval',
    '5m+1m',
    '(5m)',
    'step()',
    '1h-30m',
    '1h1m1s1ms',
    '7d',
  ),
  8,
);

/** Where a selector looks back to: `offset -5m` is the future. */
export const offsets = mostly(durations, oneOf('-5m', '-1h', '- 5m', '+5m', '--5m', '-100y', '-(5m)'), 25);

/** Instants of `@`; 1780315200 is the end of every window here. */
export const instants = mostly(
  oneOf('1780315200', 'end()', 'start()', '1780314000', '1780313000.5', '1780315200.000'),
  oneOf(
    '0',
    '-1',
    'inf',
    '+Inf',
    '-inf',
    'NaN',
    '1e18',
    '1e300',
    '-1e18',
    '9223372036854775807',
    '1h',
    '0x6a1d7340',
    'end',
    'START()',
    'end ( )',
    'now()',
    '(1780315200)',
    'time()',
    '1_780_315_200',
    'end()-1',
    '8640000000001',
  ),
  15,
);

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** One character as each of Go's escapes, and as some that are none. */
const escaped = (char: string, how: number): string => {
  const code = char.codePointAt(0)!;
  if (how === 0 || code > 0x7f) return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  if (how === 1) return `\\x${hex(code, 2)}`;
  if (how === 2) return `\\${code.toString(8).padStart(3, '0')}`;
  return `\\${char}`;
};

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

/** A text as a literal of the language: in one of its three quotes, now and then with a character written as an escape. */
export const literal = (text: string, quote: string, escapes: readonly number[]): string => {
  if (quote === '`') return `\`${text}\``;
  const inner = [...text].map((char, at) => {
    const how = escapes.length === 0 ? 9 : escapes[at % escapes.length]!;
    if (how < 3) return escaped(char, how);
    if (how === 3 && !/\w/.test(char)) return escaped(char, 3);
    return char === quote ? `\\${char}` : (short[char] ?? char);
  });
  return `${quote}${inner.join('')}${quote}`;
};

/** Literals of texts out of `texts`. */
export const strings = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      mostly(oneOf('"', "'"), oneOf('`'), 20),
      mostly(fc.constant<number[]>([]), fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }), 15),
    )
    .map(([text, quote, escapes]) => literal(text, quote, escapes));

/** Strings that are none, or that one reader ends sooner than another. */
export const brokenStrings = oneOf(
  '"abc',
  "'abc",
  '`abc',
  '"\\q"',
  '"\\\'"',
  '"\\ud800"',
  '"\\400"',
  '"\\x4"',
  '"\\xff"',
  '"a\\\nb"',
  '"a\nb"',
  '`a\\`',
  '`\\`` or up #`',
  '"\\"',
  "'\\'",
  '"\ud800"',
  '"\u0000"',
  '"\\u0000"',
  '"\\U00110000"',
  '"a" "b"',
  '"a" + "b"',
);
