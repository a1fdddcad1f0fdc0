import type { ClusterSite } from '../domain/site.ts';
import type { WorkloadId } from '../domain/workload.ts';
import { Refusal } from '../errors.ts';
import { type Claim, claimsOf, countFates, type Fate, fateBefore, type Fates } from '../runs/batch.ts';
import type { RunEvent } from '../runs/event.ts';
import { fateOfStatus, statusClaims } from '../runs/status-claims.ts';
import type { StatusLeaf } from '../runs/status.ts';
import type { RecentWrites } from './recent-writes.ts';
import { type HeldSamples, readHeld } from './run-samples.ts';
import { settle } from './settle.ts';
import type { Upstream } from './upstream.ts';
import type { NotTaken } from './write.ts';
import { clusterLabels } from './write-scope.ts';

/** A report of one run, read and found right. */
export interface RunReported {
  readonly run: string;
  readonly workload: WorkloadId | null;
  readonly events: readonly RunEvent[];
  readonly status: { readonly atMs: number; readonly leaves: readonly StatusLeaf[] } | null;
}

export interface RunWritten {
  readonly counts: Fates;
  /** Why samples were refused. */
  readonly whys: ReadonlySet<NotTaken>;
  /** Null where none was reported. */
  readonly status: Fate | null;
}

/**
 * Writes a report to the store of its cluster, without what that has already. Reports of one run go one after the other.
 *
 * @throws Refusal BAD_REQUEST: the cluster takes no runs; METRICS_UNAVAILABLE, THROTTLED as Ask and Write say: the same report
 *         may be sent again, and what was written of it comes to `repeated`
 */
export async function writeReport(
  upstream: Upstream,
  recent: RecentWrites,
  cluster: ClusterSite,
  { run, workload, events, status }: RunReported,
): Promise<RunWritten> {
  const labels = clusterLabels(cluster);
  const runKey = JSON.stringify([upstream.organization, cluster.island, cluster.name, run]);
  return recent.inOrder(runKey, async () => {
    // What an earlier report of the same document was answered is no answer now.
    const store = upstream.apart();
    const write = store.writeTo(cluster);
    const whys = new Set<NotTaken>();
    const offer = async (series: readonly (readonly Claim[])[]): Promise<NotTaken | null> => {
      const why = await write(
        'run: write',
        series.map((own) => ({ labels: { ...own[0]!.labels, ...labels }, samples: own })),
      );
      if (why === null) recent.remember(runKey, series.flat());
      else whys.add(why);
      return why;
    };
    const heldOf = async (claims: readonly Claim[]): Promise<HeldSamples> => {
      const held = await readHeld(store, cluster, run, claims);
      if (store.partial.size > 0) throw partial();
      return { ...held, valueAt: (key, tsMs) => recent.valueAt(runKey, key, tsMs) ?? held.valueAt(key, tsMs) };
    };

    const claims = claimsOf(run, workload, events);
    const fates = new Map<Claim, Fate>();
    if (claims.length > 0) {
      const held = await heldOf(claims);
      for (const claim of claims) {
        const fate = fateBefore(claim, held);
        if (fate) fates.set(claim, fate);
      }
      const fresh = claims.filter((claim) => !fates.has(claim));
      for (const [claim, fate] of await settle(fresh, held.newestMs, offer)) fates.set(claim, fate);
    }
    const counts = countFates(fates);
    if (!status) return { counts, whys, status: null };
    const leaves = statusClaims(run, status.atMs, status.leaves);
    const held = await heldOf(leaves);
    const fate = fateOfStatus(leaves, held, held.seriesAt(status.atMs));
    if (fate) return { counts, whys, status: fate };
    // All of a state or nothing of it: half of one would be a state that never was.
    const why = await offer(leaves.map((leaf) => [leaf]));
    return { counts, whys, status: why === null ? 'written' : 'refused' };
  });
}

const partial = (): Refusal =>
  new Refusal(
    'METRICS_UNAVAILABLE',
    'The store of this cluster did not tell all that it has of this run, so nothing was written; send the same again.',
  );
