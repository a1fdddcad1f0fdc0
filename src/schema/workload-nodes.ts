import type { NodeInWindow, WorkloadInWindow } from './refs.ts';

/**
 * The nodes of a workload's placement, by name. One that only its pods tell of has no GPUs: it was deleted since, or its
 * exporters and Kubernetes' own word of it are not scraped.
 */
export async function nodesOf({ of, placement }: WorkloadInWindow): Promise<ReadonlyMap<string, NodeInWindow>> {
  const { placed } = await placement();
  const { byName } = await of.view.inventory();
  return new Map(
    placed.map(({ node: name }) => {
      const entry = byName.get(name) ?? { name, gpus: new Map(), hasHost: false };
      return [name, { of, entry }];
    }),
  );
}
