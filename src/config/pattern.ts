/** RE2 has neither; a store would refuse every query that holds one. */
const beyondRe2 = /\(\?<?[=!]|\\[1-9]|\\k</;

/** Flags at the head of a pattern, as RE2 writes them. JavaScript wants them elsewhere. */
const leadingFlags = /^\(\?([is]+)\)/;

/** A pattern over a whole text, as the stores read it: RE2's dialect, anchored at both ends. Null where it does not compile. */
export function wholePattern(text: string): RegExp | null {
  if (beyondRe2.test(text)) return null;
  const flags = leadingFlags.exec(text)?.[1] ?? '';
  try {
    return new RegExp(`^(?:${text.replace(leadingFlags, '')})$`, [...new Set(flags)].join(''));
  } catch {
    return null;
  }
}

export const patternRule = 'must be a regular expression that RE2 knows (no lookaround, no back references)';
