import type { Operation } from './operation.ts';
import type { RunInWindow, WorkloadInWindow } from './refs.ts';

/** What a run ran as, where the store tells of its pods: the workload of its newest events. */
export async function placedWorkloadOf(
  { of, name }: RunInWindow,
  _args: object,
  { structure }: Operation,
): Promise<WorkloadInWindow | null> {
  const find = async () => {
    const id = (await of.load.runs.events(name))?.workloads[0];
    const placement = id && (await of.load.workloads.find(id));
    return placement ? { of, id, placement: async () => placement } : null;
  };
  return structure.track(find());
}
