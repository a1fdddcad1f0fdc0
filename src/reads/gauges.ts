import type { Source } from '../domain/site.ts';
import { scaled } from '../readings/catalogue.ts';
import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { askEachByGpu, gpuKey } from './by-gpu.ts';
import { inUse } from './discovery.ts';
import { foldGauge } from './fold.ts';
import { aggregateSteps, type Part, parts, rawStep, type Step, wantsRaw } from './gauge-plan.ts';
import { type AnswerOf, type SeriesData, seriesOfAggregates, seriesOfStream } from './series-data.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** A reading of one GPU; `failed` has the parts of it for which the store did not answer. */
export interface GaugeAnswer {
  readonly data: SeriesData | null;
  readonly failed: ReadonlyMap<Part, Error>;
}

/**
 * One reading of many GPUs.
 *
 * Upstream: for each source in use either its raw samples, or one request a part, a guard, and one raw re-read of just
 * the GPUs for which the store's own figures cannot be trusted (several series, a value out of range, no recent sample).
 *
 * @returns by `gpuKey`, of each target: what was asked for, in the reading's unit; null data where the window has no sample
 */
export async function readGauge(
  view: ClusterView,
  name: GpuGauge,
  wanted: ReadonlySet<Part>,
  targets: Targets,
): Promise<ReadonlyMap<string, GaugeAnswer>> {
  const reading = gpuGauges[name];
  const { sources, plausible } = sourcesOf<Source>(view.site, name, reading, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  // Which of several sources serves a GPU, and where a name does not tell the unit, only samples can say.
  const doubtful = new Set(used.map(({ rank }) => rank)).size > 1 || used.some(({ ratioOrPercent }) => ratioOrPercent);
  const raw = doubtful || wantsRaw(wanted, view.window, view.scrapeS());

  const asked = await askEachByGpu(view, name, used, targets, (selector, source) =>
    raw
      ? [rawStep(selector, view.window)]
      : aggregateSteps(selector, wanted, view.window, view.scrapeS(), scaled(plausible, source)),
  );
  const failed = failedParts(asked.failed, wanted);
  const answering = new Set([...wanted].filter((part) => !failed.has(part)));
  const found = new Map<string, GaugeAnswer>();
  const unsettled = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const key = gpuKey(node, index);
      const own = asked.byGpu.get(key) ?? [];
      const data = answering.size > 0 ? settle(own, key) : null;
      found.set(key, { data, failed });
      if (!data && mayHaveMore(own)) unsettled.set(node, (unsettled.get(node) ?? new Set()).add(index));
    }
  }
  if (unsettled.size === 0) return found;
  const again = await askEachByGpu(view, name, used, unsettled, (selector) => [rawStep(selector, view.window)]);
  const lost = new Map([...failed, ...failedParts(again.failed, answering)]);
  for (const [node, indexes] of unsettled) {
    for (const index of indexes) {
      const key = gpuKey(node, index);
      found.set(key, { data: settle(again.byGpu.get(key) ?? [], key), failed: lost });
    }
  }
  return found;

  function settle(own: readonly AnswerOf[], key: string): SeriesData | null {
    if (own.length === 0) return null;
    if (own.some(({ answers: kind }) => kind !== 'raw')) {
      return seriesOfAggregates(own, answering, view.window, plausible);
    }
    const rows = own.flatMap(({ rows: all }) => all);
    const { stream, discarded } = foldGauge(rows, { ...reading, plausible }, view.cluster.vendor);
    view.discardOf(key, name, discarded);
    return seriesOfStream(stream, answering, view.window, view.scrapeS());
  }

  /** Raw samples are all there is. Of a GPU that the store's figures leave out, only the newest sample can be older than asked for. */
  function mayHaveMore(own: readonly AnswerOf[]): boolean {
    if (raw || used.length === 0 || answering.size === 0) return false;
    return own.length > 0
      ? own.some(({ answers: kind }) => kind !== 'raw')
      : !figures.some((part) => answering.has(part));
  }
}

const figures = ['values', 'mean', 'min', 'max'] as const;

/** Which parts cannot be told without the requests that failed. */
function failedParts(failed: ReadonlyMap<Step['answers'], Error>, wanted: ReadonlySet<Part>): Map<Part, Error> {
  // With both, the extremes are the guard: what they do not vouch for is not told.
  const extremes = wanted.has('min') && wanted.has('max') ? figures : null;
  const needs: Partial<Record<Step['answers'], readonly Part[]>> = {
    raw: parts,
    guard: figures,
    values: ['values'],
    firstBucket: ['values'],
    mean: ['mean'],
    min: extremes ?? ['min'],
    max: extremes ?? ['max'],
    tail: ['last', 'lastAt'],
  };
  return new Map(
    [...failed].flatMap(([kind, error]) =>
      (needs[kind] ?? []).filter((part) => wanted.has(part)).map((part) => [part, error] as const),
    ),
  );
}
