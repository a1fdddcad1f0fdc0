import type { WorkloadId } from '../domain/workload.ts';
import { workloadIn } from '../runs/stored.ts';
import { byRun, countRunSamples } from './run-rows.ts';
import { runReadings } from './run-readings.ts';
import type { ClusterView } from './view.ts';

const dayS = 86400;
const lookBackS = 14 * dayS;

/**
 * The cluster's runs, each with the workloads that it was reported for: those that reported in the window, and those that
 * did in the day before it and did not finish there. One that hung before the window began is not left out of it.
 *
 * Upstream: three requests.
 */
export async function readRuns(view: ClusterView): Promise<ReadonlyMap<string, readonly WorkloadId[]>> {
  const before = { start: view.window.start - dayS, end: view.window.start };
  const [inside, earlier, finished] = await Promise.all([
    countRunSamples(view, runReadings.events, view.window),
    countRunSamples(view, runReadings.events, before),
    countRunSamples(view, runReadings.finished, before),
  ]);
  const [seen, over] = [byRun(inside), byRun(finished)];
  const silent = [...byRun(earlier)].filter(([run]) => !seen.has(run) && !over.has(run));
  return new Map(
    [...seen, ...silent].map(([run, rows]) => [run, rows.flatMap(({ labels }) => workloadIn(labels) ?? [])]),
  );
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
