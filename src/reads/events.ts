import type { Source } from '../domain/site.ts';
import { gpuEvents, type GpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import { baselineReachS } from '../samples/increase.ts';
import { promql, type ScopedQuery, since } from '../scope/scope.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { inUse } from './discovery.ts';
import { type GpuEventLog, tell, together, type Told } from './event-log.ts';
import type { Step } from './gauge-plan.ts';
import { readHeartbeats } from './heartbeat.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * XID faults or clock events of many GPUs.
 *
 * Upstream, for each source in use: the series that there are, those of them that moved or show a code, then the raw
 * samples of just their GPUs and these GPUs' heartbeats.
 *
 * @returns by `gpuKey`, of the GPUs that have a series of it in the window; an error where just their samples did not come
 */
export async function readEvents(
  view: ClusterView,
  name: GpuEvents,
  targets: Targets,
): Promise<ReadonlyMap<string, GpuEventLog | Error>> {
  const { sources } = sourcesOf<Source>(view.site, name, gpuEvents[name], view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const { start, end } = view.window;
  const quiet: GpuEventLog = { events: [], stale: null };
  const named = await Promise.all(
    used.map((source) =>
      askByGpu(view, name, [source], targets, (selector) => namingSteps(selector, source, start, end)),
    ),
  );
  const logs = new Map<string, GpuEventLog | Error>(
    named.flatMap((answers) => [...answers.keys()].map((key) => [key, quiet])),
  );
  const suspects = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    const moved = [...indexes].filter((index) =>
      named.some((answers) => answers.get(gpuKey(node, index))?.some(({ answers: kind }) => kind === 'moved')),
    );
    if (moved.length > 0) suspects.set(node, new Set(moved));
  }
  if (suspects.size === 0) return logs;

  const told = await readLogs(view, name, used, suspects).catch((error: Error) => error);
  for (const [node, indexes] of suspects) {
    for (const key of [...indexes].map((index) => gpuKey(node, index))) {
      logs.set(key, told instanceof Error ? told : (told.get(key) ?? quiet));
    }
  }
  return logs;
}

/**
 * What happened to the suspects, from their raw samples: one request a source, and one for their heartbeats.
 *
 * @returns by `gpuKey`, of each GPU that has a sample
 */
export async function readLogs(
  view: ClusterView,
  name: GpuEvents,
  used: readonly Source[],
  suspects: Targets,
): Promise<ReadonlyMap<string, GpuEventLog>> {
  const { start, end } = view.window;
  const [heartbeats, ...bySource] = await Promise.all([
    readHeartbeats(view, suspects, baselineReachS),
    ...used.map(async (source) => {
      const raw = await askByGpu(view, name, [source], suspects, (selector) => [rawStep(selector, start, end)]);
      return { source, raw };
    }),
  ]);
  const told = new Map<string, Told[]>();
  for (const { source, raw } of bySource) {
    for (const [key, answers] of raw) {
      const rows = answers.flatMap((answer) => answer.rows);
      told.set(key, [...(told.get(key) ?? []), tell(view, name, key, source, rows, heartbeats.get(key) ?? [])]);
    }
  }
  return new Map([...told].map(([key, own]) => [key, together(own)]));
}

function namingSteps(selector: ScopedQuery, source: Source, start: number, end: number): Step[] {
  const ask = (answers: 'last' | 'moved', query: ScopedQuery): Step => ({
    answers,
    question: { kind: 'instant', query, time: end },
  });
  const shown = promql`last_over_time(${selector}[${since(end - start)}])`;
  const changed = promql`changes(${selector}[${since(end - start + baselineReachS)}]) > 0`;
  // A mask that stands still is no event, whatever it shows; a code or a count may have come up before its first sample.
  const moved = source.events === 'bitmask' ? changed : promql`(${changed}) or (${shown} > 0)`;
  return [ask('last', shown), ask('moved', moved)];
}

const rawStep = (selector: ScopedQuery, start: number, end: number): Step => ({
  answers: 'raw',
  question: { kind: 'instant', query: promql`${selector}[${since(end - start + baselineReachS)}]`, time: end },
});
