import { NodeRef, ClusterRef, ReadingsRef } from './refs.ts';
import { notFound } from './names.ts';

ReadingsRef.implement({
  description: 'Readings of a cluster as they are now.',
  fields: (t) => ({
    cluster: t.field({
      type: ClusterRef,
      nullable: false,
      description: 'The cluster, under a short window that ends now.',
      resolve: ({ of }) => of,
    }),
    nodes: t.field({
      type: [NodeRef],
      nullable: { list: true, items: false },
      description:
        'The nodes that were asked for, in the order people count; all where none were named. NOT_FOUND where one of them is not there. Null only with an error.',
      resolve: ({ of, inventory: { nodes, byName }, names }) => {
        const missing = names?.find((name) => !byName.has(name));
        if (missing !== undefined) throw notFound('node', missing);
        const wanted = names && new Set(names);
        return nodes.filter(({ name }) => !wanted || wanted.has(name)).map((entry) => ({ of, entry }));
      },
    }),
  }),
});
