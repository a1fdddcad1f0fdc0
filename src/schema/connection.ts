import { Refusal } from '../errors.ts';

export const longestPage = 1000;

/**
 * A list that picks from what is there cannot usefully be longer than a page; it is looked through for every object that it
 * is asked of.
 *
 * @throws Refusal BAD_REQUEST
 */
export function checkPicked(what: string, list: readonly unknown[], most: number = longestPage): void {
  if (list.length <= most) return;
  throw new Refusal(
    'BAD_REQUEST',
    `${what} has ${list.length} items, and ${most} are the most; leave it out for all, or ask several times.`,
  );
}

export interface Page<T> {
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
}

/**
 * One page of a list in a fixed order. A cursor says which item came last by its key, so that a page stays the next one
 * when items come and go.
 *
 * @param isAfter  whether an item lies behind a key in that order
 * @throws Refusal BAD_REQUEST
 */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  isAfter: (item: T, key: string) => boolean,
  first: number,
  after: string | null | undefined,
): Page<T> {
  if (first < 0 || first > longestPage) {
    throw new Refusal('BAD_REQUEST', `first is ${first}; ask for 0 to ${longestPage} and page on with after.`);
  }
  const key = after == null ? null : decode(after);
  const from = key === null ? 0 : items.findIndex((item) => isAfter(item, key));
  const start = from < 0 ? items.length : from;
  const edges = items.slice(start, start + first).map((node) => ({ cursor: encode(keyOf(node)), node }));
  return {
    totalCount: items.length,
    pageInfo: {
      hasNextPage: start + edges.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    edges,
  };
}

const mark = 'after:';
/** Longer than any key. It is compared with every item of a list, by its parts. */
const longestCursor = 1000;
const encode = (key: string): string => Buffer.from(mark + key).toString('base64url');

function decode(cursor: string): string {
  const text = cursor.length > longestCursor ? '' : Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(mark) && encode(text.slice(mark.length)) === cursor) return text.slice(mark.length);
  throw new Refusal('BAD_REQUEST', `after is no cursor of this list; give an endCursor that it answered.`);
}
