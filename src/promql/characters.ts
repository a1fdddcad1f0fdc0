import { refuseQuery } from './refuse.ts';

/** The longest query, in characters (UTF-16 units). */
export const longestQuery = 4000;

/** What a store may read otherwise than the parser: controls, halves of a surrogate pair, and the sign of mangled bytes. */
const doubtful = /(?![\t\n])\p{Cc}|\p{Cs}|\ufffd/u;

/**
 * The text that is parsed: line ends are LF. Nothing else is changed, so that positions are the client's own.
 *
 * A bare CR is refused: stores of the Prometheus family end a comment at it, the grammar does not.
 *
 * @throws Refusal BAD_REQUEST
 */
export function checkedText(query: string): string {
  if (query.length > longestQuery) {
    refuseQuery(
      'query_too_large',
      `has ${query.length} characters, ${query.length - longestQuery} more than the ${longestQuery} that are read. Shorten it, or ask several.`,
    );
  }
  const text = query.replaceAll('\r\n', '\n');
  if (/^[ \t\n]*$/.test(text)) refuseQuery('query_syntax', 'is empty; give one PromQL expression.');
  const found = doubtful.exec(text);
  if (found) {
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    refuseQuery('query_charset', `the character U+${code} can be in no query; leave it out.`, text, found.index);
  }
  return text;
}
