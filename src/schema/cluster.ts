import { naturally } from '../identity/node-names.ts';
import { together } from '../reads/coverage.ts';
import { checkPicked, pageOf } from './connection.ts';
import { GpuVendorEnum } from './enums.ts';
import { noteOfCluster } from './note.ts';
import { checkName, notFound } from './names.ts';
import { gpuModelOf, inventoryOf, referenceOf } from './reference.ts';
import { ClusterRef, CoverageRef, NodeConnectionRef, NodeRef, ReferenceRef, WindowRef } from './refs.ts';

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
        checkPicked('names', names ?? []);
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
      description: 'One node. NOT_FOUND where the cluster has none of that name. Null only with an error.',
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
