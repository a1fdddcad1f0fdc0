import { askByGpu, gpuKey } from './by-gpu.ts';
import {
  byCount,
  byTimes,
  countingQuestions,
  expectedCount,
  heartbeatsQuestion,
  type Presence,
  watchOf,
} from './silence.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * Presence of GPUs, by `gpuKey`.
 *
 * Upstream, for each source of the heartbeat: two counts; the heartbeats themselves only of GPUs whose count does not
 * prove that there was no silence.
 */
export async function readGpuPresence(
  view: ClusterView,
  targets: Targets,
): Promise<ReadonlyMap<string, Presence | Error>> {
  const { heartbeat } = await view.inventory();
  const sources = heartbeat?.sources ?? [];
  const watch = watchOf(view, view.gpuExporter);
  const counted = await askByGpu(view, 'GPU presence', sources, targets, (selector) => {
    const { all, lately } = countingQuestions(selector, watch);
    return [
      { answers: 'last', question: all },
      { answers: 'tail', question: lately },
    ];
  });
  const rowsOf = (key: string, kind: 'last' | 'tail') =>
    (counted.get(key) ?? [])
      .filter(({ answers }) => answers === kind)
      .flatMap(({ rows }) => rows.map(({ row }) => row));
  const expected = expectedCount(
    [...counted.keys()].flatMap((key) => rowsOf(key, 'tail')),
    watch,
  );

  const doubtful = new Map<string, Set<number>>();
  const found = new Map<string, Presence | Error>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const settled = byCount(rowsOf(gpuKey(node, index), 'last'), expected, watch);
      if (settled) found.set(gpuKey(node, index), settled);
      else doubtful.set(node, (doubtful.get(node) ?? new Set()).add(index));
    }
  }
  if (doubtful.size === 0) return found;
  const heard = await askByGpu(view, 'GPU presence', sources, doubtful, (selector) => [
    { answers: 'raw', question: heartbeatsQuestion(selector, watch) },
  ]).catch((error: Error) => error);
  for (const [node, indexes] of doubtful) {
    for (const key of [...indexes].map((index) => gpuKey(node, index))) {
      const rows =
        heard instanceof Error ? [] : (heard.get(key) ?? []).flatMap((answer) => answer.rows.map(({ row }) => row));
      found.set(key, heard instanceof Error ? heard : byTimes(rows, watch, view.window.start));
    }
  }
  return found;
}
