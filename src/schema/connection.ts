import { Refusal } from '../errors.ts';

const longestPage = 1000;

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
const encode = (key: string): string => Buffer.from(mark + key).toString('base64url');

function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(mark) && encode(text.slice(mark.length)) === cursor) return text.slice(mark.length);
  throw new Refusal('BAD_REQUEST', `after is no cursor of this list; give an endCursor that it answered.`);
}
