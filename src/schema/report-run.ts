import { Refusal } from '../errors.ts';
import { writeReport } from '../reads/run-report.ts';
import { leavesOf, statusLimits } from '../runs/status.ts';
import { builder } from './builder.ts';
import { WorkloadKindEnum } from './enums.ts';
import { checkName } from './names.ts';
import { RunReportRef } from './refs.ts';
import { isAhead, mostEvents, readEvents } from './run-events.ts';

const RunWorkloadInput = builder.inputType('RunWorkloadInput', {
  description: 'The workload of Kubernetes that a run is.',
  fields: (t) => ({
    kind: t.field({ type: WorkloadKindEnum, required: true, description: 'What it is.' }),
    namespace: t.string({ defaultValue: 'default', description: 'Its namespace.' }),
    name: t.string({ required: true, description: 'Its name.' }),
  }),
});

const RunStatusInput = builder.inputType('RunStatusInput', {
  description: 'The state of a run at one moment, as its status file has it.',
  fields: (t) => ({
    at: t.float({ required: true, description: 'When it was so, in whole milliseconds since 1970.' }),
    state: t.field({
      type: 'JSON',
      required: true,
      description: `A JSON object with at most ${statusLimits.leaves} values in all, each of them and each path at most ${statusLimits.textBytes} bytes long.`,
    }),
  }),
});

builder.mutationType({
  description: 'What training runs report of themselves.',
  fields: (t) => ({
    reportRun: t.field({
      type: RunReportRef,
      description:
        'Writes events and the state of a training run to the store of its cluster. The same report may be sent again, as after an error: what the store has already is not written twice. Null only with an error, and nothing of the report is to be counted then.',
      args: {
        cluster: t.arg.string({
          required: true,
          description: 'Where it runs. NOT_FOUND where the organization has none of that name.',
        }),
        island: t.arg.string({ description: 'Needed where two islands have a cluster of that name.' }),
        run: t.arg.string({ required: true, description: 'Its name, which tells it from other runs of the cluster.' }),
        workload: t.arg({ type: RunWorkloadInput, description: 'What it runs as, where that is known.' }),
        events: t.arg({
          type: ['RunEvent'],
          // A null among them is told with its place like anything else that is no event.
          required: { list: false, items: false },
          description: `What it reports, at most ${mostEvents} events in any order. QUERY_TOO_LARGE beyond.`,
        }),
        status: t.arg({ type: RunStatusInput, description: 'Its state, where there is one.' }),
      },
      async resolve(_root, { cluster, island, run, workload, events, status }, operation) {
        checkName('cluster', cluster);
        checkName('run', run);
        const { namespace = 'default', name = '', kind } = workload ?? {};
        if (workload) checkName('workload', name);
        if (workload) checkName('namespace', namespace ?? 'default');
        const nowMs = operation.now * 1000;
        const read = readEvents(events ?? [], nowMs);
        const state = status && { atMs: momentOf(status.at), leaves: leavesOf(status.state) };
        const isStateAhead = state ? isAhead(state.atMs, nowMs) : false;
        const written = await writeReport(
          operation.upstream,
          operation.gateway.recentWrites,
          await operation.find(cluster, island),
          {
            run,
            workload: kind ? { kind, namespace: namespace ?? 'default', name } : null,
            events: read.events,
            status: isStateAhead ? null : (state ?? null),
          },
        );
        return { ...written, ...read, isStateAhead };
      },
    }),
  }),
});

function momentOf(at: number): number {
  if (Number.isSafeInteger(at) && at >= 1) return at;
  throw new Refusal('BAD_REQUEST', 'status.at is a moment in whole milliseconds since 1970.');
}
