import {
  CoverageRef,
  ClusterRef,
  GpuRef,
  HealthEpisodeRef,
  HostRef,
  NodeConnectionRef,
  NodeEdgeRef,
  type NodeInWindow,
  NodeRef,
  PageInfoRef,
} from './refs.ts';
import { implementPages } from './pages.ts';
import { checkPicked } from './connection.ts';
import { NodeStateEnum } from './enums.ts';
import { notFound } from './names.ts';
import { noteOfNode } from './note.ts';

/** More GPUs than any machine has. */
const mostIndexes = 100;

const gpusOf = (node: NodeInWindow) => [...node.entry.gpus.values()].map((entry) => ({ node, entry }));

NodeRef.implement({
  description:
    'One machine of a cluster: seen in the window or in the 24 hours before it, or known to Kubernetes in the window. One that fell silent stays listed, with nulls.',
  fields: (t) => ({
    name: t.string({
      nullable: false,
      description: "The node's name as the cluster has it.",
      resolve: ({ entry }) => entry.name,
    }),
    cluster: t.field({
      type: ClusterRef,
      nullable: false,
      description: 'Its cluster, under the same window.',
      resolve: ({ of }) => of,
    }),
    state: t.field({
      type: NodeStateEnum,
      description: "Kubernetes' view of it at the window's end. Null only with an error.",
      resolve: async ({ of, entry }) => (await of.load.states()).get(entry.name) ?? 'UNKNOWN',
    }),
    gpuCount: t.int({
      description: 'Number of GPUs, silent ones included. Null only with an error.',
      resolve: ({ entry }) => entry.gpus.size,
    }),
    coverage: t.field({
      type: CoverageRef,
      description: 'Which families answered for this node.',
      resolve: ({ of, entry }) => of.load.coverage({ node: entry.name }),
    }),
    note: t.string({
      description:
        'What to know when reading this node: silent GPUs, samples that were discarded, families that are missing and how to get them. Null where there is nothing to say.',
      resolve: (node, _args, operation) => noteOfNode(node, operation),
    }),
    gpus: t.field({
      type: [GpuRef],
      nullable: { list: true, items: false },
      description: 'Its GPUs by index. Null only with an error.',
      args: {
        indexes: t.arg.intList({
          description: 'Only these indexes; one that is not there is skipped and named in note.',
        }),
      },
      resolve: (node, { indexes }) => {
        if (!indexes) return gpusOf(node);
        checkPicked('indexes', indexes, mostIndexes);
        const wanted = new Set(indexes);
        remember(
          node,
          [...wanted].filter((index) => !node.entry.gpus.has(index)).map((index) => `GPU ${index}`),
        );
        return gpusOf(node).filter(({ entry }) => wanted.has(entry.index));
      },
    }),
    gpu: t.field({
      type: GpuRef,
      description: 'One GPU. NOT_FOUND where the node has none of that index. Null only with an error.',
      args: { index: t.arg.int({ required: true, description: "The GPU's index on the node." }) },
      resolve: (node, { index }) => {
        const entry = node.entry.gpus.get(index);
        if (!entry) throw notFound('GPU', index);
        return { node, entry };
      },
    }),
    host: t.field({ type: HostRef, nullable: false, description: 'The machine itself.', resolve: (node) => node }),
    healthEpisodes: t.field({
      type: [HealthEpisodeRef],
      nullable: { list: true, items: false },
      description:
        "Episodes of the site's alerting that overlap the window, oldest first. Empty where there were none, or where no alerting is recorded (see coverage). Null only with an error.",
      resolve: async ({ of, entry }) => [...((await of.load.episodes()).get(entry.name) ?? [])],
    }),
  }),
});

function remember({ of, entry }: NodeInWindow, unknown: readonly string[]): void {
  const held = of.unknown.get(entry.name) ?? new Set();
  of.unknown.set(entry.name, held);
  for (const name of unknown) held.add(name);
}

implementPages(
  { one: 'node', many: 'nodes', order: 'in the order people count: n2 before n10' },
  { connection: NodeConnectionRef, edge: NodeEdgeRef, node: NodeRef },
);

PageInfoRef.implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { nullable: false, description: 'More follow behind endCursor.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { nullable: false, description: 'Some lie before this page.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first item; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last item; null on an empty page.',
    }),
  }),
});
