import { workloadKey } from '../domain/workload.ts';
import { naturally } from '../identity/node-names.ts';
import { builder } from './builder.ts';
import { Refusal } from '../errors.ts';
import { longestPage, pageOf } from './connection.ts';
import { checkName, notFound } from './names.ts';
import { ClusterRef, RunConnectionRef, RunEdgeRef, RunRef, WorkloadRef } from './refs.ts';
import { implementPages } from './pages.ts';

builder.objectFields(ClusterRef, (t) => ({
  runs: t.field({
    type: RunConnectionRef,
    description:
      'Training runs by name: those that reported anything in the window, and those that did in the 24 hours before it and did not finish there. Null only with an error.',
    args: {
      first: t.arg.int({ defaultValue: 50, description: 'How many to a page, at most 1000.' }),
      after: t.arg.string({ description: 'An endCursor: go on behind it.' }),
    },
    resolve: async (cluster, { first, after }) => {
      const names = [...(await cluster.load.runs.listed()).keys()].sort(naturally);
      return pageOf(
        names.map((name) => ({ of: cluster, name })),
        ({ name }) => name,
        ({ name }, key) => naturally(name, key) > 0,
        first ?? 50,
        after,
      );
    },
  }),
  run: t.field({
    type: RunRef,
    description:
      'One training run. NOT_FOUND where none of that name reported anything, neither in the window nor in the last 14 days. Null only with an error.',
    args: { name: t.arg.string({ required: true, description: "The run's name." }) },
    resolve: async (cluster, { name }) => {
      checkName('run', name);
      if (!(await cluster.load.runs.isKnown(name))) throw notFound('run', name);
      return { of: cluster, name };
    },
  }),
}));

builder.objectFields(WorkloadRef, (t) => ({
  runs: t.field({
    type: [RunRef],
    nullable: { list: true, items: false },
    description:
      'Training runs that were reported for this very workload, by name: in the window, or in the 24 hours before it without finishing there. QUERY_TOO_LARGE where they are more than 1000. Empty where none was. Null only with an error.',
    resolve: async ({ of, id }) => {
      const listed = [...(await of.load.runs.listed())];
      const own = listed.filter(([, workloads]) => workloads.some((each) => workloadKey(each) === workloadKey(id)));
      if (own.length > longestPage) throw tooMany(own.length);
      return own.map(([name]) => ({ of, name })).sort((a, b) => naturally(a.name, b.name));
    },
  }),
}));

const tooMany = (count: number): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    `The workload has ${count} runs in the window, ${count - longestPage} more than the ${longestPage} that are shown; narrow the window, or page through the runs of its cluster.`,
  );

implementPages(
  { one: 'run', many: 'training runs', order: 'by name' },
  { connection: RunConnectionRef, edge: RunEdgeRef, node: RunRef },
);
