import type { Source } from '../domain/site.ts';
import { type FamilySource, scaled } from '../readings/catalogue.ts';
import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { askByGpu } from '../reads/by-gpu.ts';
import { inUse } from '../reads/discovery.ts';
import { foldGauge, type ScaledRow } from '../reads/fold.ts';
import { rawStep } from '../reads/gauge-plan.ts';
import type { Targets } from '../reads/targets.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Stream } from '../samples/stream.ts';

/** The samples of one reading of one GPU, and the series that they came from. */
export interface Read {
  readonly stream: Stream;
  readonly rows: readonly ScaledRow[];
}

/** A reading's sources in use. */
export const gaugeSources = async (view: ClusterView, name: GpuGauge): Promise<Source[]> =>
  inUse(sourcesOf<Source>(view.site, name, gpuGauges[name], view.cluster.vendor).sources, await view.names());

/** The same, each with what it can have. */
export async function gaugeFamily(view: ClusterView, name: GpuGauge): Promise<FamilySource[]> {
  const reading = gpuGauges[name];
  const { plausible } = sourcesOf<Source>(view.site, name, reading, view.cluster.vendor);
  const used = await gaugeSources(view, name);
  return used.map((source) => ({ ...source, family: reading.family, plausible: scaled(plausible, source), of: 'gpu' }));
}

/** Raw samples of a reading, by key, of the GPUs that have any. One request a source. */
export async function readStreams(
  view: ClusterView,
  name: GpuGauge,
  targets: Targets,
): Promise<ReadonlyMap<string, Read>> {
  if (targets.size === 0) return new Map();
  const used = await gaugeSources(view, name);
  const { vendor } = view.cluster;
  const { plausible } = sourcesOf<Source>(view.site, name, gpuGauges[name], vendor);
  const answers = await askByGpu(view, name, used, targets, (selector) => [rawStep(selector, view.window)]);
  return new Map(
    [...answers].map(([key, own]) => {
      const rows = own.flatMap((answer) => answer.rows);
      return [key, { rows, stream: foldGauge(rows, { ...gpuGauges[name], plausible }, vendor).stream }];
    }),
  );
}
