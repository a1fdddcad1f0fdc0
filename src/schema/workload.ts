import { naturally } from '../identity/node-names.ts';
import { together } from '../reads/coverage.ts';
import { PlacementSourceEnum, WorkloadKindEnum } from './enums.ts';
import {
  ClusterRef,
  CoverageRef,
  NodeRef,
  PlacementRef,
  WorkloadConnectionRef,
  WorkloadEdgeRef,
  type WorkloadInWindow,
  WorkloadRef,
} from './refs.ts';
import { implementPages } from './pages.ts';
import { nodesOf } from './workload-nodes.ts';
import { noteOfWorkload } from './workload-note.ts';

WorkloadRef.implement({
  description: 'What runs on the cluster, as its user knows it, with where its pods were in the window.',
  fields: (t) => ({
    cluster: t.field({
      type: ClusterRef,
      nullable: false,
      description: 'Its cluster, under the same window.',
      resolve: ({ of }) => of,
    }),
    kind: t.field({
      type: WorkloadKindEnum,
      nullable: false,
      description: 'What made its pods.',
      resolve: ({ id }) => id.kind,
    }),
    namespace: t.string({ nullable: false, description: 'Its namespace.', resolve: ({ id }) => id.namespace }),
    name: t.string({ nullable: false, description: 'Its name.', resolve: ({ id }) => id.name }),
    placement: t.field({
      type: [PlacementRef],
      nullable: { list: true, items: false },
      description:
        'Where its pods were, one entry for each pod and node, by pod. A finished pod has left its node. Read placementSource before you trust it. Null only with an error.',
      resolve: async (workload) => {
        const nodes = await nodesOf(workload);
        const { placed } = await workload.placement();
        return placed.map((each) => ({ placed: each, node: nodes.get(each.node)! }));
      },
    }),
    placementSource: t.field({
      type: PlacementSourceEnum,
      description: 'Whether the placement is of the window itself. Null only with an error.',
      resolve: async (workload) => (await workload.placement()).source,
    }),
    nodes: t.field({
      type: [NodeRef],
      nullable: { list: true, items: false },
      description: 'The nodes of its placement, in the order people count: n2 before n10. Null only with an error.',
      resolve: async (workload) => sortedNodes(workload),
    }),
    coverage: t.field({
      type: CoverageRef,
      description: 'Which families answered for any of its nodes.',
      resolve: async (workload) => {
        const nodes = await sortedNodes(workload);
        const each = await Promise.all(nodes.map(({ of, entry }) => of.load.coverage({ node: entry.name })));
        return together(
          workload.of.view,
          each.filter((coverage) => coverage !== null),
        );
      },
    }),
    note: t.string({
      description:
        'What to know when reading this workload: where its placement comes from, pods without a node, silent nodes and GPUs, families that are missing. Null where there is nothing to say.',
      resolve: async (workload, _args, operation) => noteOfWorkload(workload, await sortedNodes(workload), operation),
    }),
  }),
});

const sortedNodes = async (workload: WorkloadInWindow) =>
  [...(await nodesOf(workload)).values()].sort((a, b) => naturally(a.entry.name, b.entry.name));

implementPages(
  { one: 'workload', many: 'workloads', order: 'by namespace and name' },
  { connection: WorkloadConnectionRef, edge: WorkloadEdgeRef, node: WorkloadRef },
);
