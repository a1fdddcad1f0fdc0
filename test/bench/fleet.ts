import type { LoadedSeries } from '../../src/embedded/store.ts';
import { dcgmLabels } from '../support/fleet/dcgm.ts';

export const scrapeS = 30;
export const gpusPerNode = 8;

/** Readings by the field that shows them: the metric, and the range and digits of what an exporter prints. */
export const readings = {
  tempC: { metric: 'DCGM_FI_DEV_GPU_TEMP', low: 45, high: 80, digits: 0 },
  powerW: { metric: 'DCGM_FI_DEV_POWER_USAGE', low: 320, high: 690, digits: 3 },
  utilPct: { metric: 'DCGM_FI_DEV_GPU_UTIL', low: 40, high: 100, digits: 0 },
  smClockMhz: { metric: 'DCGM_FI_DEV_SM_CLOCK', low: 1200, high: 1980, digits: 0 },
  hbmUsedGib: { metric: 'DCGM_FI_DEV_FB_USED', low: 20_000, high: 79_000, digits: 0 },
  tensorActivePct: { metric: 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', low: 0.1, high: 0.7, digits: 6 },
} as const;
export type Field = keyof typeof readings;
export const allFields = Object.keys(readings) as Field[];

export interface FleetPart {
  readonly cluster: string;
  readonly nodes: number;
  readonly fields: readonly Field[];
  /** Samples lie in `(end - spanS, end]`. */
  readonly end: number;
  readonly spanS: number;
}

/** A cluster's series, made one by one as they are written. */
export function* fleet({ cluster, nodes, fields, end, spanS }: FleetPart): Generator<LoadedSeries> {
  const count = Math.floor(spanS / scrapeS);
  const times = Float64Array.from({ length: count }, (_, i) => end - (count - 1 - i) * scrapeS);
  let seed = 0;
  for (let node = 1; node <= nodes; node += 1) {
    for (let index = 0; index < gpusPerNode; index += 1) {
      const labels = dcgmLabels({ node: nodeName(node), index, extra: { cluster } });
      for (const field of fields) {
        seed += 1;
        const { metric } = readings[field];
        yield { labels: { ...labels, __name__: metric }, times, values: walk(field, count, seed) };
      }
    }
  }
}

export const nodeName = (node: number): string => `gpu-node-${String(node).padStart(4, '0')}`;

/** A walk within the reading's range that turns at its ends, the same for the same seed. */
function walk(field: Field, count: number, seed: number): Float64Array {
  const { low, high, digits } = readings[field];
  const unit = 10 ** digits;
  const values = new Float64Array(count);
  let state = seed * 2_654_435_761;
  let at = low + ((seed * 0.618) % 1) * (high - low);
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    at += (state / 2 ** 32 - 0.5) * (high - low) * 0.1;
    if (at < low) at = 2 * low - at;
    if (at > high) at = 2 * high - at;
    values[i] = Math.round(at * unit) / unit;
  }
  return values;
}
