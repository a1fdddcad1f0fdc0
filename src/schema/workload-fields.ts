import { workloadKey } from '../domain/workload.ts';
import { builder } from './builder.ts';
import { pageOf } from './connection.ts';
import { WorkloadKindEnum } from './enums.ts';
import { checkName, notFound } from './names.ts';
import { ClusterRef, NodeRef, WorkloadConnectionRef, WorkloadRef } from './refs.ts';
import { byName, listWorkloads } from './workload-list.ts';

// Which nodes a document is about depends on these, so batches of readings wait for them.

builder.objectFields(ClusterRef, (t) => ({
  workload: t.field({
    type: WorkloadRef,
    description:
      'One workload. NOT_FOUND where the store tells of none of its pods, neither in the window nor now. One that another owns can be asked for too: a Job of a JobSet, or any pod. Null only with an error.',
    args: {
      kind: t.arg({ type: WorkloadKindEnum, required: true, description: 'What made its pods.' }),
      name: t.arg.string({ required: true, description: 'Its name.' }),
      namespace: t.arg.string({ defaultValue: 'default', description: 'Its namespace.' }),
    },
    resolve: async (cluster, { kind, name, namespace }, { structure }) => {
      const id = { kind, name, namespace: namespace ?? 'default' };
      checkName('workload', id.name);
      checkName('namespace', id.namespace);
      const placement = await structure.track(cluster.load.workloads.find(id));
      if (!placement) throw notFound('workload', name);
      return { of: cluster, id, placement: async () => placement };
    },
  }),
  workloads: t.field({
    type: WorkloadConnectionRef,
    description:
      'What ran or waited in the window, by namespace and name: the topmost owners of its pods. Empty where kube-state-metrics is not scraped.',
    args: {
      kind: t.arg({ type: WorkloadKindEnum, description: 'Only this kind.' }),
      namespace: t.arg.string({ description: 'Only this namespace.' }),
      gpuOnly: t.arg.boolean({
        defaultValue: true,
        description:
          'Only those of whose pods one asked for GPUs; where the store holds no requests, those that no DaemonSet made.',
      }),
      first: t.arg.int({ defaultValue: 50, description: 'How many to a page, at most 1000.' }),
      after: t.arg.string({ description: 'An endCursor: go on behind it.' }),
    },
    resolve: async (cluster, { kind, namespace, gpuOnly, first, after }, { structure }) => {
      if (namespace != null) checkName('namespace', namespace);
      const wanted = { kind, namespace, gpuOnly: gpuOnly ?? true };
      const listed = await structure.track(listWorkloads(cluster, wanted));
      return pageOf(
        listed,
        ({ id }) => workloadKey(id),
        ({ id }, key) => byName(workloadKey(id), key) > 0,
        first ?? 50,
        after,
      );
    },
  }),
}));

builder.objectFields(NodeRef, (t) => ({
  workloads: t.field({
    type: [WorkloadRef],
    nullable: { list: true, items: false },
    description:
      'Workloads with a pod that waited or ran on this node in the window, by namespace and name. Empty where there were none, or where kube-state-metrics is not scraped. Null only with an error.',
    args: {
      gpuOnly: t.arg.boolean({ defaultValue: true, description: 'Only those of whose pods one asked for GPUs.' }),
    },
    resolve: ({ of, entry }, { gpuOnly }, { structure }) =>
      structure.track(listWorkloads(of, { gpuOnly: gpuOnly ?? true, node: entry.name })),
  }),
}));
