import { builder } from './builder.ts';
import { FlagKindEnum, SeverityEnum } from './enums.ts';
import { reportOf, wholeNode } from './flags.ts';
import { inventoryOf } from './reference.ts';
import { ClusterRef, FlagReportRef, NodeRef, WorkloadRef } from './refs.ts';
import { workloadTargets } from './workload-targets.ts';

const flagArguments = builder.args((t) => ({
  kinds: t.field({
    type: [FlagKindEnum],
    description: 'Only these are checked, and asked of the store; all where left out.',
  }),
  minSeverity: t.field({
    type: SeverityEnum,
    defaultValue: 'WARN',
    description: 'Hides what is less serious. It is counted in hiddenFlags, and never makes a report clean.',
  }),
}));

builder.objectFields(ClusterRef, (t) => ({
  flags: t.field({
    type: FlagReportRef,
    description: 'The judgement on all of its nodes: which conditions fired, with evidence.',
    args: flagArguments,
    resolve: async (cluster, args, operation, info) => {
      const { nodes } = await inventoryOf(cluster, operation);
      const targets = nodes.map((entry) => wholeNode({ of: cluster, entry }));
      return reportOf(cluster, targets, args, operation, info);
    },
  }),
}));

builder.objectFields(NodeRef, (t) => ({
  flags: t.field({
    type: FlagReportRef,
    description: 'The judgement on this node: which conditions fired, with evidence.',
    args: flagArguments,
    resolve: (node, args, operation, info) => reportOf(node.of, [wholeNode(node)], args, operation, info),
  }),
}));

builder.objectFields(WorkloadRef, (t) => ({
  flags: t.field({
    type: FlagReportRef,
    description:
      'The judgement on its nodes while it was Running on them: which conditions fired, with evidence. Edges of that time clip a flag as those of the window do.',
    args: flagArguments,
    resolve: async (workload, args, operation, info) =>
      reportOf(workload.of, await workloadTargets(workload), args, operation, info),
  }),
}));
