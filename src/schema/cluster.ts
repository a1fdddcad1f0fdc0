import { naturally } from '../identity/node-names.ts';
import { together } from '../reads/coverage.ts';
import { modelName } from '../reads/reference.ts';
import { pageOf } from './connection.ts';
import { GpuVendorEnum } from './enums.ts';
import { noteOfCluster } from './note.ts';
import { checkName, type ClusterInWindow, notFound, type Operation } from './operation.ts';
import { ClusterRef, CoverageRef, NodeConnectionRef, NodeRef, ReferenceRef, WindowRef } from './refs.ts';

/** Waiting for it holds back the batches of readings, so that all nodes of a document are read together. */
const inventoryOf = ({ view }: ClusterInWindow, { structure }: Operation) => structure.track(view.inventory());

ClusterRef.implement({
  description: 'One cluster of the organization, under one window that holds for everything below it.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Its name.', resolve: ({ view }) => view.cluster.name }),
    island: t.string({
      nullable: false,
      description: 'The island whose store holds its readings.',
      resolve: ({ view }) => view.cluster.island,
    }),
    gpuVendor: t.field({
      type: GpuVendorEnum,
      nullable: false,
      description: 'Who makes its GPUs.',
      resolve: ({ view }) => view.cluster.vendor,
    }),
    gpuModel: t.string({
      description:
        'The GPU model of its nodes, of most where they differ; null where neither the configuration nor a label tells.',
      resolve: (cluster, _args, operation) => gpuModelOf(cluster, operation),
    }),
    window: t.field({
      type: WindowRef,
      nullable: false,
      description: 'The window as resolved.',
      resolve: ({ view }) => view.window,
    }),
    reference: t.field({
      type: ReferenceRef,
      description: 'What GPU temperature to compare with; null when there is nothing to pool.',
      resolve: async (cluster, _args, operation) => {
        const model = await gpuModelOf(cluster, operation);
        return model === null ? null : referenceOf(cluster, operation, model);
      },
    }),
    coverage: t.field({
      type: CoverageRef,
      description: 'Which families answered for any of its nodes.',
      resolve: async (cluster, _args, operation) => {
        const { nodes } = await inventoryOf(cluster, operation);
        const each = await Promise.all(nodes.map(({ name }) => cluster.load.coverage({ node: name })));
        return together(
          cluster.view,
          each.filter((coverage) => coverage !== null),
        );
      },
    }),
    note: t.string({
      description:
        'What to know when reading this cluster: silent nodes and GPUs, names that are not there, families that are missing. Null where there is nothing to say.',
      resolve: async (cluster, _args, operation) => {
        await inventoryOf(cluster, operation);
        return noteOfCluster(cluster, operation);
      },
    }),
    nodes: t.field({
      type: NodeConnectionRef,
      description: 'Its nodes, in the order people count: n2 before n10.',
      args: {
        first: t.arg.int({ defaultValue: 50, description: 'How many to a page, at most 1000.' }),
        after: t.arg.string({ description: 'An endCursor: go on behind it.' }),
        names: t.arg.stringList({ description: 'Only these; one that is not there is skipped and named in note.' }),
      },
      resolve: async (cluster, { first, after, names }, operation) => {
        for (const name of names ?? []) checkName('node', name);
        const { nodes, byName } = await inventoryOf(cluster, operation);
        const wanted = names ? new Set(names) : null;
        const unknown = [...(wanted ?? [])].filter((name) => !byName.has(name));
        if (unknown.length > 0) cluster.unknown.set('', new Set([...(cluster.unknown.get('') ?? []), ...unknown]));
        const listed = nodes.filter(({ name }) => !wanted || wanted.has(name)).map((entry) => ({ of: cluster, entry }));
        return pageOf(
          listed,
          ({ entry }) => entry.name,
          ({ entry }, key) => naturally(entry.name, key) > 0,
          first ?? 50,
          after,
        );
      },
    }),
    node: t.field({
      type: NodeRef,
      description: 'One node. NOT_FOUND where the cluster has none of that name.',
      args: { name: t.arg.string({ required: true, description: "The node's name." }) },
      resolve: async (cluster, { name }, operation) => {
        checkName('node', name);
        const entry =
          (await inventoryOf(cluster, operation)).byName.get(name) ??
          (await operation.structure.track(cluster.view.longInventory())).byName.get(name);
        if (!entry) throw notFound('node', name);
        return { of: cluster, entry };
      },
    }),
  }),
});

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

async function referenceOf({ view }: ClusterInWindow, operation: Operation, model: string) {
  const { gateway, organization, upstream, now } = operation;
  const island = gateway.islands.get(view.cluster.island)!;
  const tempP95C = await operation.readings.track(
    gateway.references.tempP95C(upstream, now, {
      organization: organization.name,
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
async function gpuModelOf(cluster: ClusterInWindow, operation: Operation): Promise<string | null> {
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
