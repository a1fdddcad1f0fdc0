import { promql, type ScopedQuery, since, span } from '../scope/scope.ts';

/**
 * Half a silence. A gap that counts as a silence is longer than two of these, so it holds one of them whole: where every
 * slot has a sample, nothing was silent.
 */
export const slotOf = (silentS: number): number => silentS / 2;

/** Series that have an answer in every slot of a stretch that ends at the query's time, or with `<` in not every one. */
export function inSlots(inEach: ScopedQuery, op: '>=' | '<', lengthS: number, slotS: number): ScopedQuery {
  const every = promql`[${since(lengthS)}:${span(slotS)}]`;
  // How many slots there are depends on where the store's grid lies: it counts them itself.
  const all = promql`scalar(count_over_time(vector(1)${every}))`;
  return op === '<'
    ? promql`count_over_time(${inEach}${every}) < ${all}`
    : promql`count_over_time(${inEach}${every}) >= ${all}`;
}
