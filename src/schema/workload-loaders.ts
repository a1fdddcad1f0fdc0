import DataLoader from 'dataloader';
import { type WorkloadId, workloadKey } from '../domain/workload.ts';
import type { Pod } from '../identity/kube-pods.ts';
import type { Placement } from '../reads/placement.ts';
import { readSeenPods, type SeenPod } from '../reads/pods-seen.ts';
import type { ClusterView } from '../reads/view.ts';
import { placementsOf, readWorkloads } from '../reads/workloads.ts';
import type { WholeRhythm } from './batch.ts';

interface Listed {
  readonly id: WorkloadId;
  readonly pods: readonly Pod[];
}

/**
 * One view's workloads. They tell which nodes a document is about, so their batches wait for nothing: those that are
 * asked about at one level of a document are read together.
 */
export class WorkloadLoaders {
  readonly #view: ClusterView;
  readonly #rhythm: WholeRhythm;
  readonly #found: DataLoader<WorkloadId, Placement | null, string>;
  readonly #placements: DataLoader<Listed, Placement | null, string>;
  #seen: Promise<readonly SeenPod[]> | undefined;

  constructor(view: ClusterView, rhythm: WholeRhythm) {
    this.#view = view;
    this.#rhythm = rhythm;
    this.#found = new DataLoader(
      async (ids) => {
        const found = await readWorkloads(view, ids);
        return ids.map((id) => found.get(workloadKey(id)) ?? null);
      },
      { cacheKeyFn: workloadKey },
    );
    this.#placements = new DataLoader(
      async (all) => {
        const found = await placementsOf(view, new Map(all.map(({ id, pods }) => [workloadKey(id), pods])));
        return all.map(({ id }) => found.get(workloadKey(id)) ?? null);
      },
      { cacheKeyFn: ({ id }) => workloadKey(id) },
    );
  }

  /** Of one that a client names; null where the store tells of none of its pods. */
  find(id: WorkloadId): Promise<Placement | null> {
    return this.#rhythm.structure.track(this.#found.load(id));
  }

  /** Of one that was listed. */
  async placement(listed: Listed): Promise<Placement> {
    const found = await this.#rhythm.structure.track(this.#placements.load(listed));
    return found ?? { source: 'HISTORY', placed: [], waiting: [] };
  }

  seen(): Promise<readonly SeenPod[]> {
    this.#seen ??= this.#rhythm.structure.track(readSeenPods(this.#view));
    return this.#seen;
  }
}
