import type { Vendor } from '../domain/fleet.ts';
import type { Row } from '../domain/series.ts';
import { type GpuSeries, gpuSeriesOf } from '../identity/gpu-series.ts';
import type { Across } from '../readings/reading.ts';
import { empty, type Stream } from '../samples/stream.ts';

/** A row with what turns its values into the reading's unit. */
export interface ScaledRow {
  readonly row: Row;
  readonly scale: number;
}

export interface Folded {
  readonly stream: Stream;
  /** Samples that the reading cannot have: not finite, blank, or out of its range. */
  readonly discarded: number;
}

/**
 * All series of one reading of one GPU as one stream: whatever made them several (pods that came and went, a restarted
 * exporter, replicas, instances, stacks), they are one device.
 */
export function foldGauge(
  rows: readonly ScaledRow[],
  [low, high]: readonly [number, number],
  across: Across,
  vendor: Vendor,
): Folded {
  const kept = rows.map(({ row, scale }) => ({
    series: gpuSeriesOf(row.labels, vendor)!,
    ...plausible(row, scale, low, high),
  }));
  const discarded = kept.reduce((sum, { dropped }) => sum + dropped, 0);
  if (kept.length === 1) return { stream: kept[0]!.stream, discarded };
  return { stream: merge(kept, across, vendor), discarded };
}

function plausible(row: Row, scale: number, low: number, high: number): { stream: Stream; dropped: number } {
  const values = scale === 1 ? row.values : row.values.map((value) => value * scale);
  const fits = (value: number) => value >= low && value <= high;
  if (values.every(fits)) return { stream: { times: row.times, values }, dropped: 0 };
  const times = row.times.filter((_, i) => fits(values[i]!));
  return { stream: { times, values: values.filter(fits) }, dropped: values.length - times.length };
}

type Kept = { readonly series: GpuSeries; readonly stream: Stream };

/** Samples of one time come from one scrape; each time gives one sample of the device. */
function merge(kept: readonly Kept[], across: Across, vendor: Vendor): Stream {
  const samples = kept.flatMap(({ series, stream }) =>
    Array.from(stream.times, (time, i) => ({ time, value: stream.values[i]!, series })),
  );
  if (samples.length === 0) return empty;
  samples.sort((a, b) => a.time - b.time);
  const [times, values]: number[][] = [[], []];
  for (let from = 0, to = 0; from < samples.length; from = to) {
    while (to < samples.length && samples[to]!.time === samples[from]!.time) to += 1;
    times!.push(samples[from]!.time);
    values!.push(deviceValue(samples.slice(from, to), across, vendor));
  }
  return { times: Float64Array.from(times!), values: Float64Array.from(values!) };
}

type At = { readonly value: number; readonly series: GpuSeries };

function deviceValue(samples: readonly At[], across: Across, vendor: Vendor): number {
  const byPart = Map.groupBy(samples, ({ series }) => series.part);
  const parts = [...byPart].map(([part, at]) => ({ part, value: partValue(at) }));
  const whole = parts.find(({ part }) => part === '');
  if (vendor === 'AMD' && whole) {
    // What only the primary partition measures, the others print as 0.
    return across === 'sum'
      ? sum(parts)
      : combine(
          parts.filter(({ part, value }) => part === '' || value !== 0),
          across,
        );
  }
  return whole ? whole.value : combine(parts, across);
}

/** Copies for pods that share the part are one reading; a series without a pod is the device's own. */
function partValue(at: readonly At[]): number {
  const own = at.filter(({ series }) => series.pod === null);
  return Math.max(...(own.length > 0 ? own : at).map(({ value }) => value));
}

function combine(parts: readonly { readonly value: number }[], across: Across): number {
  if (across === 'same') return Math.max(...parts.map(({ value }) => value));
  return across === 'sum' ? sum(parts) : sum(parts) / parts.length;
}

const sum = (parts: readonly { readonly value: number }[]): number => parts.reduce((all, { value }) => all + value, 0);
