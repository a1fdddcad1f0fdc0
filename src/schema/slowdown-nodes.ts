import type { GraphQLResolveInfo } from 'graphql';
import type { WorkloadId } from '../domain/workload.ts';
import { reportOf } from './flags.ts';
import type { Operation } from './operation.ts';
import type { Report, RunInWindow } from './refs.ts';
import { placedWorkloadOf } from './run-workload.ts';
import { workloadTargets } from './workload-targets.ts';

/** Where a run was, as its newest events tell, with what the rules say of those nodes over the whole window. */
export interface RunNodes {
  /** The workloads that it was reported for, that of the newest event first. */
  readonly workloads: readonly WorkloadId[];
  /** The same report as the newest one's own; null where nothing tells of its pods. */
  readonly report: Report | null;
  /** The placement is that of the pods that exist now. */
  readonly isOfNow: boolean;
}

/** @throws Refusal where the store did not answer for something that is checked */
export async function nodesOfRun(run: RunInWindow, operation: Operation, info: GraphQLResolveInfo): Promise<RunNodes> {
  const { of, name } = run;
  const [events, workload] = await Promise.all([of.load.runs.events(name), placedWorkloadOf(run, {}, operation)]);
  const workloads = events?.workloads ?? [];
  if (!workload) return { workloads, report: null, isOfNow: false };
  const targets = await workloadTargets(workload);
  const report = await reportOf(of, targets, {}, operation, info);
  return { workloads, report, isOfNow: (await workload.placement()).source === 'CURRENT_PODS' };
}
