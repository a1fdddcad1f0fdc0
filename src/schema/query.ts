import { builder } from './builder.ts';
import { checkName } from './names.ts';
import { ClusterRef, LimitsRef, OrganizationRef } from './refs.ts';
import { WindowInput } from './window.ts';

builder.queryType({
  description: 'Readings of GPU fleets, as the monitoring of each cluster holds them.',
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: 'The organization that the credential belongs to. Null only with an error.',
      resolve: (_root, _args, { organization }) => organization,
    }),
    clusters: t.field({
      type: [ClusterRef],
      nullable: { list: true, items: false },
      description: 'All clusters of the organization. Null only with an error.',
      args: { window: t.arg({ type: WindowInput, description: 'Holds for everything below.' }) },
      resolve: async (_root, { window }, operation) => operation.all(window),
    }),
    cluster: t.field({
      type: ClusterRef,
      description: 'One cluster. NOT_FOUND where the organization has none of that name. Null only with an error.',
      args: {
        name: t.arg.string({ required: true, description: 'Its name.' }),
        island: t.arg.string({ description: 'Needed where two islands have a cluster of that name.' }),
        window: t.arg({ type: WindowInput, description: 'Holds for everything below.' }),
      },
      resolve: async (_root, { name, island, window }, operation) => {
        checkName('cluster', name);
        operation.checkWindow(window);
        return operation.cluster(await operation.find(name, island), window);
      },
    }),
  }),
});

OrganizationRef.implement({
  description: 'Who asks: everything that is read belongs to this organization.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
    clusters: t.field({
      type: [ClusterRef],
      nullable: { list: true, items: false },
      description: 'All of its clusters. Null only with an error.',
      args: { window: t.arg({ type: WindowInput, description: 'Holds for everything below.' }) },
      resolve: (_organization, { window }, operation) => operation.all(window),
    }),
    limits: t.field({
      type: LimitsRef,
      nullable: false,
      description: 'What it may ask, and what is left.',
      resolve: async ({ name }, _args, { gateway: { limits, standingOf } }) => ({
        limits,
        standing: await standingOf(name),
      }),
    }),
  }),
});
