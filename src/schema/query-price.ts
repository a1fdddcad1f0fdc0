import type { Arguments } from '../domain/work.ts';
import { evaluationsOf, type Reach, reachesOf } from '../scope/free-form.ts';
import type { Window } from '../window/window.ts';

/** How far an instant looks back for a sample. */
const lookBackS = 300;
/** Series of one device that a selector without a metric's name can mean. */
const metricsPerGpu = 50;

/**
 * What a free query costs a store, for each series of one metric: the samples that its selectors decode, and how often
 * they are evaluated. 0 where it will be refused.
 */
export function queryPrice({ query, instant }: Arguments, { start, end, points }: Window, scrapeS: number): number {
  const [spanS, instants] = instant === true ? [0, 1] : [end - start, points + 1];
  const price = (reach: Reach): number => {
    const reachS =
      spanS + Math.max(lookBackS, reach.rangeS) + reach.subqueries.reduce((sum, { rangeS }) => sum + rangeS, 0);
    return breadth(reach) * (reachS / scrapeS + instants * evaluationsOf(reach));
  };
  return (reachesOf(String(query)) ?? []).reduce((sum, reach) => sum + price(reach), 0);
}

/** A metric has about a series a GPU; what does not name one has any number. */
function breadth({ selector: { name, matchers } }: Reach): number {
  const named = name !== null || matchers.some(({ label, op }) => label === '__name__' && op === '=');
  return named ? 1 : metricsPerGpu;
}
