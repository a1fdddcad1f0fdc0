import { PodPhaseEnum } from './enums.ts';
import { NodeRef, PlacementRef } from './refs.ts';

PlacementRef.implement({
  description: 'One pod on one node. A pod of the same name that came later is another one.',
  fields: (t) => ({
    pod: t.string({ nullable: false, description: "The pod's name.", resolve: ({ placed }) => placed.pod.name }),
    node: t.field({
      type: NodeRef,
      nullable: false,
      description: 'Where it was. One that nothing else tells of is without GPUs.',
      resolve: ({ node }) => node,
    }),
    from: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it was first seen waiting or running there, inside the window.',
      resolve: ({ placed }) => placed.from,
    }),
    to: t.field({
      type: 'DateTime',
      description: "When it was last seen waiting or running there; null while it is still there at the window's end.",
      resolve: ({ placed }) => placed.to,
    }),
    phase: t.field({
      type: PodPhaseEnum,
      nullable: false,
      description: 'The last phase that the window tells of.',
      resolve: ({ placed }) => placed.phase,
    }),
  }),
});
