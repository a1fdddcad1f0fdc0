import type { Fence } from '../scope/free-form.ts';

/** How stores speak of a query itself: its grammar, its types, its labels. What says anything else is not passed on. */
const aboutQuery: readonly RegExp[] = [
  /parse error|cannot parse|invalid parameter|syntax|unexpected|unsupported|unparsed|missing|must be|expected|expecting/i,
  /unknown function|invalid expression type|invalid (?:label|metric|quantile|regular|regexp|destination|source)/i,
  /many-to-many|multiple matches|matching (?:labels|match)|duplicate (?:series|time ?series|timestamps|output)|same label ?set/i,
  /not allowed|only allowed|cannot be used|division by zero|label_(?:replace|join)|error parsing regexp/i,
];

/**
 * Words without what stands in quotes or is a set of labels, where a client's query can say anything: one that names
 * `replicas_unavailable` or `haproxy` is no store that failed.
 */
export const unquoted = (words: string): string =>
  words.replace(/"(?:\\.|[^"\\])*(?:"|$)/gs, '""').replace(/\{[^{}]*(?:\}|$)/g, '{}');

const longestWords = 500;

/** What a message must not keep: the text that was sent in place of the client's, and what confined it. */
export interface SentQuery {
  /** The client's own text. */
  readonly query: string;
  readonly sent: string;
  readonly fence: Fence | null;
  /** The store holds one organization alone, so all of its words are that organization's. */
  readonly exclusive: boolean;
}

/** The store's words about a client's query, as far as they are about that query. */
export function clientWords(words: string, { query, sent, fence, exclusive }: SentQuery): string {
  const known = exclusive || aboutQuery.some((pattern) => pattern.test(unquoted(words)));
  if (!known) return 'it did not say why in words that can be passed on.';
  const plain = inOwnText(words, sent, query)
    .replace(fencePattern(fence), '')
    // A place in the text that was sent is none in the client's.
    .replace(/(?:\b\d+:\d+: )|\bchar \d+: /g, '')
    .replace(/\b\w+:\/\/[^\s"'`,)]+/g, '(address)')
    // It looks back last, where there is an address: at every place of a long text it would take for ever.
    .replace(/\b(?:\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d+)?\b(?<!=\\*"[^"]*)/g, '(address)');
  return plain.length <= longestWords ? plain : `${plain.slice(0, longestWords)}…`;
}

/**
 * The client's text where the store repeats what it was sent, in one pass and only so far: a query may hold what is sent of
 * it hundreds of times, in a comment.
 */
function inOwnText(words: string, sent: string, query: string): string {
  let room = 2 * longestWords;
  const own = (): string => {
    const part = query.slice(0, room);
    room -= part.length;
    return part === query ? part : `${part}…`;
  };
  // What was put in is not looked at again.
  const inParts = (text: string, spelled: string, within: (part: string) => string): string =>
    text.split(spelled).reduce((rest, part, i) => (i === 0 ? within(part) : `${rest}${own()}${within(part)}`), '');
  return inParts(words, JSON.stringify(sent).slice(1, -1), (part) => inParts(part, sent, (rest) => rest));
}

/** The matcher that we put into every selector, however often its quotes were escaped on the way. */
const fencePattern = (fence: Fence | null): RegExp =>
  fence === null
    ? /(?!)/
    : new RegExp(`\\b${fence.label}\\s*=~\\s*(\\\\*)["'\`]\\^\\(.*?\\)\\$\\1["'\`]\\s*,?\\s*`, 'g');
