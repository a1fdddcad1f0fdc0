/** What stands behind a backslash for one character. */
const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gs;

/**
 * The value of a string literal by Go's rules, which are the stores': three kinds of quotes, and nothing lenient.
 *
 * @returns null where Go would refuse it, and where it means a byte that is no character: `"\xff"` is a byte, not U+00FF
 */
export function stringValue(literal: string): string | null {
  const quote = literal[0]!;
  const inner = literal.slice(1, -1);
  if (literal.length < 2 || literal.at(-1) !== quote) return null;
  if (quote === '`') return inner.includes('`') ? null : wellFormed(inner);
  // Behind an escaped backslash a quote is not escaped: what is left between must hold neither.
  const plain = inner.replace(escape, '');
  if (plain.includes('\\') || plain.includes(quote) || plain.includes('\n')) return null;
  let legal = true;
  const value = inner.replace(escape, (_text, hex, short, long, octal, letter: string | undefined) => {
    const digits: string | undefined = hex ?? short ?? long;
    if (digits !== undefined || octal !== undefined) {
      const code = digits !== undefined ? parseInt(digits, 16) : parseInt(octal, 8);
      const isByte = hex !== undefined || octal !== undefined;
      if (code > (isByte ? 0x7f : 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) legal = false;
      return legal ? String.fromCodePoint(code) : '';
    }
    if (letter === quote) return quote;
    const known = Object.hasOwn(letters, letter!) ? letters[letter!] : undefined;
    if (known === undefined) legal = false;
    return known ?? '';
  });
  return legal ? wellFormed(value) : null;
}

/** Stores read U+FFFD as the sign of bytes that are no text. */
const wellFormed = (value: string): string | null => (value.includes('\ufffd') ? null : value);
