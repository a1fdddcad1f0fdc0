import { refuseQuery } from './refuse.ts';
import type { Reach } from './tokens.ts';

/** Where a subquery gives no step the store takes its own; a minute is what they come with. */
const usualStepS = 60;

/** How often a selector is evaluated for one instant at most: subqueries multiply. A week at every 30 s is 20,160. */
const mostEvaluations = 200_000;

/** How often the subqueries around a selector have it evaluated for one instant. */
export const evaluationsOf = ({ subqueries }: Reach): number =>
  subqueries.reduce((product, { rangeS, stepS }) => product * Math.ceil(rangeS / (stepS ?? usualStepS)), 1);

/** @throws Refusal BAD_REQUEST */
export function checkEvaluations(reaches: readonly Reach[]): void {
  const most = Math.max(1, ...reaches.map(evaluationsOf));
  if (most <= mostEvaluations) return;
  refuseQuery(
    'query_cost',
    `has subqueries that evaluate a selector ${most.toLocaleString('en')} times for each instant, and ${mostEvaluations.toLocaleString('en')} is the most; shorten their ranges, or lengthen their steps.`,
  );
}
