import type { ClusterSite } from '../domain/site.ts';
import type { WorkloadId } from '../domain/workload.ts';
import { Refusal } from '../errors.ts';
import { type Claim, claimsOf, countFates, type Fate, type Fates, isSame } from '../runs/batch.ts';
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
    const write = upstream.writeTo(cluster);
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
      // What was answered before, in the same document too, is no answer now.
      const store = upstream.apart();
      const held = await readHeld(store, cluster, run, claims);
      if (store.partial.size > 0) throw partial();
      return { ...held, valueAt: (key, tsMs) => recent.valueAt(runKey, key, tsMs) ?? held.valueAt(key, tsMs) };
    };

    const claims = claimsOf(run, workload, events);
    const held = await heldOf(claims);
    const fresh = claims.filter(({ key, tsMs }) => held.valueAt(key, tsMs) === undefined);
    const fates = await settle(fresh, held.newestMs, offer);
    const counts = countFates(claims, await withTakenInPart(fates, heldOf), held);
    if (!status) return { counts, whys, status: null };

    const leaves = statusClaims(run, status.atMs, status.leaves);
    const before = await heldOf(leaves);
    const heldAt = recent.valueAt(runKey, leavesAt, status.atMs) ?? before.seriesAt(status.atMs);
    const fate = fateOfStatus(leaves, before, heldAt);
    if (fate) return { counts, whys, status: fate };
    // All of a state or nothing of it: half of one would be a state that never was.
    const why = await offer(leaves.map((leaf) => [leaf]));
    if (why !== null) return { counts, whys, status: 'refused' };
    recent.remember(runKey, [{ key: leavesAt, tsMs: status.atMs, value: leaves.length }]);
    return { counts, whys, status: 'written' };
  });
}

/** Some stores refuse a request and yet take what is good of it, and then a second time it is late: it is there. */
async function withTakenInPart(
  fates: ReadonlyMap<Claim, Fate>,
  heldOf: (claims: readonly Claim[]) => Promise<HeldSamples>,
): Promise<ReadonlyMap<Claim, Fate>> {
  const refused = [...fates].filter(([, fate]) => fate === 'refused').map(([claim]) => claim);
  const held = await heldOf(refused);
  const isHeld = ({ key, tsMs, value }: Claim): boolean => isSame(held.valueAt(key, tsMs) ?? NaN, value);
  return new Map([...fates, ...refused.filter(isHeld).map((claim) => [claim, 'written'] as const)]);
}

/** How many leaves a state has: remembered as a series that no store has. */
const leavesAt = 'leaves';

const partial = (): Refusal =>
  new Refusal(
    'METRICS_UNAVAILABLE',
    'The store of this cluster did not tell all that it has of this run, so nothing was written; send the same again.',
  );
