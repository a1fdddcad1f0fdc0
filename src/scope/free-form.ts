import { LRUCache } from 'lru-cache';
import type { Matcher } from '../domain/matcher.ts';
import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import { type Confined, confine } from '../promql/confine.ts';
import { longestQuery } from '../promql/characters.ts';
import type { Reach } from '../promql/tokens.ts';
import { anyOf, selector } from '../promql/text.ts';
import type { ScopedQuery } from './scope.ts';

export type { Outermost } from '../promql/outermost.ts';
export { evaluationsOf } from '../promql/evaluations.ts';
export type { Reach } from '../promql/tokens.ts';
export { longestQuery } from '../promql/characters.ts';
export { refuseQuery } from '../promql/refuse.ts';

/** What tells an organization's clusters from all others of a store: one label and the values it has on theirs. */
export interface Fence {
  readonly label: string;
  /** None of them empty: a pattern that matches the empty value selects every series without the label. */
  readonly values: readonly string[];
}

/** The label whose values name these clusters; null where they are told apart in another way. */
export function fenceOf(clusters: readonly ClusterSite[]): Fence | null {
  const first = clusters[0]?.matchers[0];
  if (!first) return null;
  const values = clusters.flatMap(({ matchers: [matcher, ...more] }) =>
    matcher && more.length === 0 && matcher.label === first.label && matcher.op === '=' && matcher.value !== ''
      ? [matcher.value]
      : [],
  );
  return values.length === clusters.length ? { label: first.label, values: [...new Set(values)].sort() } : null;
}

export interface FreeForm extends Omit<Confined, 'text'> {
  readonly query: ScopedQuery;
  /** The same confinement as a selector of its own; null where there is none. */
  readonly fence: ScopedQuery | null;
}

/**
 * A client's own query, confined.
 *
 * @param fence  null only where the whole store is the client's
 * @throws       Refusal BAD_REQUEST, as `confine` says
 */
export function freeForm(query: string, fence: Fence | null): FreeForm {
  const added = fence === null ? [] : [matcherOf(fence)];
  const { text, ...rest } = confined(query, added);
  return { ...rest, query: text as ScopedQuery, fence: fence && (selector(null, added) as ScopedQuery) };
}

// A pattern for one value too: `absent()` copies what stands behind `=` into its answer.
function matcherOf({ label, values }: Fence): Matcher {
  if (values.length === 0 || values.includes('')) throw new TypeError('A fence has a value, and none is empty');
  return { label, op: '=~', value: `^(${anyOf(values)})$` };
}

/** What a query makes a store do, as far as its text tells; null where it will be refused. */
export function reachesOf(query: string): readonly Reach[] | null {
  try {
    return confined(query, []).reaches;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * By texts alone: what a text means is nobody's secret. A document may ask one of thousands of characters in fifty windows,
 * and it is read for its price, before its clusters are known, and to be sent.
 */
const known = new LRUCache<string, Confined | Refusal>({
  max: 1000,
  maxSize: 100 * longestQuery,
  sizeCalculation: (_, text) => text.length,
});

function confined(query: string, added: readonly Matcher[]): Confined {
  const key = JSON.stringify([added, query]);
  const found = known.get(key) ?? confinedAnew(query, added);
  // A text beyond all bounds is refused at once, and is too long to be kept.
  known.set(key, found);
  if (found instanceof Refusal) throw found;
  return found;
}

function confinedAnew(query: string, added: readonly Matcher[]): Confined | Refusal {
  try {
    return confine(query, added);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
