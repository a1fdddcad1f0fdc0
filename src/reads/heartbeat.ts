import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { promql, since } from '../scope/scope.ts';
import { askByGpu } from './by-gpu.ts';
import type { ScaledRow } from './fold.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * The raw samples by which GPUs show that they live, series by series.
 *
 * @param before  seconds to look back beyond the window's start
 * @returns by `gpuKey`; a GPU without a sample is left out
 */
export async function readHeartbeats(
  view: ClusterView,
  targets: Targets,
  before = 0,
): Promise<Map<string, ScaledRow[]>> {
  const { heartbeat } = await view.inventory();
  if (!heartbeat || targets.size === 0) return new Map();
  const { start, end } = view.window;
  const answers = await askByGpu(view, 'heartbeats', heartbeat.sources, targets, (selector) => [
    {
      answers: 'raw',
      question: { kind: 'instant', query: promql`${selector}[${since(end - start + before)}]`, time: end },
    },
  ]);
  return new Map([...answers].map(([key, own]) => [key, own.flatMap(({ rows }) => rows)]));
}

/**
 * When the same device was last scraped before a moment, within `withinS` of it, else null: a counter that is born there has
 * risen since.
 */
export function lastScraped(
  rows: readonly ScaledRow[],
  device: string | null,
  vendor: 'NVIDIA' | 'AMD',
  withinS: number,
): (at: number) => number | null {
  const own = rows.filter(({ row }) => {
    const mine = gpuSeriesOf(row.labels, vendor)?.device ?? null;
    return device === null || mine === null || mine === device;
  });
  return (at) => {
    const newest = own.map(({ row }) => row.times.findLast((time) => time < at) ?? -Infinity);
    const last = Math.max(...newest);
    return last >= at - withinS ? last : null;
  };
}
