import type { WorkloadId } from '../domain/workload.ts';
import { workloadIn } from '../runs/stored.ts';
import { byRun, countRunSamples } from './run-rows.ts';
import { runReadings } from './run-readings.ts';
import type { ClusterView } from './view.ts';

const lookBackS = 14 * 86400;

/** The cluster's runs that reported anything in the window, each with the workloads that it was reported for. One request. */
export async function readRuns(view: ClusterView): Promise<ReadonlyMap<string, readonly WorkloadId[]>> {
  const counted = byRun(await countRunSamples(view, runReadings.events, view.window));
  return new Map([...counted].map(([run, rows]) => [run, rows.flatMap(({ labels }) => workloadIn(labels) ?? [])]));
}

/**
 * Which of these runs there are: in the window, or in the last 14 days.
 *
 * Upstream: one request, and one more where the window holds nothing of some.
 */
export async function knownRuns(view: ClusterView, runs: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set(byRun(await countRunSamples(view, runReadings.events, view.window, runs)).keys());
  const others = runs.filter((run) => !found.has(run));
  if (others.length === 0) return found;
  const now = Math.floor(view.newest);
  const lately = await countRunSamples(view, runReadings.events, { start: now - lookBackS, end: now }, others);
  return new Set([...found, ...byRun(lately).keys()]);
}
