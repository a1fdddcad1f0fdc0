import type { Labels } from '../domain/series.ts';
import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import { ownLabels } from '../runs/stored.ts';

/**
 * The labels that make a series one of this cluster.
 *
 * @throws Refusal BAD_REQUEST: no labels do, or they are those that tell runs apart
 */
export function clusterLabels({ name, matchers }: ClusterSite): Labels {
  const unfit = matchers.find(({ label, op }) => op !== '=' || label === '__name__' || ownLabels.has(label));
  if (!unfit) return Object.fromEntries(matchers.map(({ label, value }) => [label, value]));
  const why =
    unfit.op === '='
      ? `the label ${JSON.stringify(unfit.label)}, which runs have for themselves`
      : 'a pattern or an exclusion, and what is written needs labels';
  throw new Refusal(
    'BAD_REQUEST',
    `The cluster ${JSON.stringify(name)} takes no runs: it is told apart by ${why}. Its match in the configuration must be labels with one value each.`,
  );
}

/** Where an island has no receiver. */
export const takesNoRuns = ({ name, island }: ClusterSite): Refusal =>
  new Refusal(
    'BAD_REQUEST',
    `The cluster ${JSON.stringify(name)} takes no runs: set prometheus.writeUrl for the island ${JSON.stringify(island)} in the configuration of the gateway.`,
  );
