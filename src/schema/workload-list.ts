import type { WorkloadKind } from '../domain/workload.ts';
import { naturally } from '../identity/node-names.ts';
import { byWorkload, usesGpus } from '../reads/pods-seen.ts';
import type { ClusterInWindow } from './operation.ts';
import type { WorkloadInWindow } from './refs.ts';

/** What narrows a list of workloads. */
interface Wanted {
  readonly kind?: WorkloadKind | null | undefined;
  readonly namespace?: string | null | undefined;
  readonly node?: string;
  readonly gpuOnly: boolean;
}

/** The workloads of which a pod waited or ran in the window, in the order of `byName`. */
export async function listWorkloads(of: ClusterInWindow, wanted: Wanted): Promise<WorkloadInWindow[]> {
  const { kind, namespace, node, gpuOnly } = wanted;
  const [seen, isGpuPod] = await Promise.all([of.load.workloads.seen(), usesGpus(of.view)]);
  return [...byWorkload(seen)]
    .filter(
      ([, all]) =>
        (kind == null || all[0]!.workload.kind === kind) &&
        (namespace == null || all[0]!.workload.namespace === namespace) &&
        (node === undefined || all.some(({ nodes }) => nodes.has(node))) &&
        (!gpuOnly || all.some(isGpuPod)),
    )
    .sort(([a], [b]) => byName(a, b))
    .map(([, all]) => {
      const id = all[0]!.workload;
      const pods = all.map(({ pod }) => pod);
      return { of, id, placement: () => of.load.workloads.placement({ id, pods }) };
    });
}

/** The order of two `workloadKey`s: by namespace, then by name, as people count. */
export function byName(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [i, part] of left.entries()) {
    const order = naturally(part, right[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}
