import type { Source } from '../domain/site.ts';
import { scaled } from '../readings/catalogue.ts';
import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { inUse } from './discovery.ts';
import { foldGauge } from './fold.ts';
import { aggregateSteps, type Part, rawStep, wantsRaw } from './gauge-plan.ts';
import { type AnswerOf, type SeriesData, seriesOfAggregates, seriesOfStream } from './series-data.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * One reading of many GPUs.
 *
 * Upstream: for each source in use either its raw samples, or one request a part, a guard, and one raw re-read of just
 * the GPUs for which the store's own figures cannot be trusted (several series, a value out of range, no recent sample).
 *
 * @returns by `gpuKey`, what was asked for of each GPU that has a sample in the window, in the reading's unit
 */
export async function readGauge(
  view: ClusterView,
  name: GpuGauge,
  wanted: ReadonlySet<Part>,
  targets: Targets,
): Promise<ReadonlyMap<string, SeriesData>> {
  const reading = gpuGauges[name];
  const { sources, plausible } = sourcesOf<Source>(view.site, name, reading, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  // Which of several sources serves a GPU, and where a name does not tell the unit, only samples can say.
  const doubtful = new Set(used.map(({ rank }) => rank)).size > 1 || used.some(({ ratioOrPercent }) => ratioOrPercent);
  const raw = doubtful || wantsRaw(wanted, view.window, view.scrapeS());

  const answers = await askByGpu(view, used, targets, (selector, source) =>
    raw
      ? [rawStep(selector, view.window)]
      : aggregateSteps(selector, wanted, view.window, view.scrapeS(), scaled(plausible, source)),
  );
  const found = new Map<string, SeriesData>();
  const unsettled = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const own = answers.get(gpuKey(node, index)) ?? [];
      const settled = settle(own, node, index);
      if (settled) found.set(gpuKey(node, index), settled);
      else if (mayHaveMore(own)) unsettled.set(node, (unsettled.get(node) ?? new Set()).add(index));
    }
  }
  if (unsettled.size === 0) return found;
  const again = await askByGpu(view, used, unsettled, (selector) => [rawStep(selector, view.window)]);
  for (const [node, indexes] of unsettled) {
    for (const index of indexes) {
      const settled = settle(again.get(gpuKey(node, index)) ?? [], node, index);
      if (settled) found.set(gpuKey(node, index), settled);
    }
  }
  return found;

  function settle(own: readonly AnswerOf[], node: string, index: number): SeriesData | null {
    if (own.length === 0) return null;
    if (own.some(({ answers: kind }) => kind !== 'raw')) return seriesOfAggregates(own, wanted, view.window, plausible);
    const rows = own.flatMap(({ rows: all }) => all);
    const { stream, discarded } = foldGauge(rows, { ...reading, plausible }, view.cluster.vendor);
    view.discard(node, `${name} of GPU ${index}`, discarded);
    return seriesOfStream(stream, wanted, view.window, view.scrapeS());
  }

  /** Raw samples are all there is. Of a GPU that the store's figures leave out, only the newest sample can be older than asked for. */
  function mayHaveMore(own: readonly AnswerOf[]): boolean {
    if (raw || used.length === 0) return false;
    return own.length > 0 ? own.some(({ answers: kind }) => kind !== 'raw') : !hasFigure(wanted);
  }
}

const hasFigure = (wanted: ReadonlySet<Part>): boolean =>
  (['values', 'mean', 'min', 'max'] as const).some((part) => wanted.has(part));
