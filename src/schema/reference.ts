import { modelName } from '../reads/reference.ts';
import type { ClusterInWindow, Operation } from './operation.ts';
import { ReferenceRef } from './refs.ts';

ReferenceRef.implement({
  description: 'A temperature to compare with, as one number: it carries no names, no counts and no places.',
  fields: (t) => ({
    gpuModel: t.exposeString('gpuModel', { nullable: false, description: 'The model that it is of.' }),
    tempP95C: t.float({
      nullable: false,
      description:
        "95th percentile of GPU temperature over the window, °C, over the organization's GPUs of this model on the island and the island's shared pool.",
      resolve: ({ tempP95C }) => tempP95C,
    }),
    note: t.exposeString('note', { nullable: false, description: 'What it is, in words.' }),
  }),
});

/** Waiting for it holds back the batches of readings, so that all nodes of a document are read together. */
export const inventoryOf = ({ view }: ClusterInWindow, { structure }: Operation) => structure.track(view.inventory());

/** The temperature to compare a model with; null when there is nothing to pool. */
export async function referenceOf({ view }: ClusterInWindow, operation: Operation, model: string) {
  const { gateway, upstream, now } = operation;
  const island = gateway.islands.get(view.cluster.island)!;
  const tempP95C = await operation.readings.track(
    gateway.references.tempP95C(upstream, now, {
      asking: view.cluster.name,
      island,
      vendor: view.cluster.vendor,
      model,
      window: view.window,
      clusters: await operation.clusters(),
    }),
  );
  if (tempP95C === null) return null;
  const note = `95th percentile of GPU temperature of ${model} over the window, across your nodes on this island and the island's shared pool.`;
  return { gpuModel: model, tempP95C, note };
}

/** The configured model; else the commonest that labels tell. */
export async function gpuModelOf(cluster: ClusterInWindow, operation: Operation): Promise<string | null> {
  const { view } = cluster;
  if (view.cluster.model !== null) return view.cluster.model;
  const { nodes } = await inventoryOf(cluster, operation);
  const models = nodes.flatMap(({ gpus }) =>
    [...gpus.values()].flatMap((gpu) => [...gpu.models].map((label) => modelName(view.site, label))),
  );
  const counts = [...Map.groupBy(models, (model) => model)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  return counts[0]?.[0] ?? null;
}
