import type { Vendor } from '../domain/fleet.ts';
import type { Row } from '../domain/series.ts';
import { type GpuSeries, gpuSeriesOf } from '../identity/gpu-series.ts';
import type { Across, GaugeReading } from '../readings/reading.ts';
import { empty, joined, sameTimes, type Stream } from '../samples/stream.ts';

/** A row with what turns its values into the reading's unit, and the place of its source in the order of preference. */
export interface ScaledRow {
  readonly row: Row;
  readonly scale: number;
  readonly rank: number;
}

export interface Folded {
  readonly stream: Stream;
  /** Samples that the reading cannot have: not finite, blank, or out of its range. */
  readonly discarded: number;
}

type Rules = Pick<GaugeReading, 'plausible' | 'across' | 'zeroOnParts' | 'whole'>;

/**
 * All series of one reading of one GPU as one stream: whatever made them several (pods that came and went, a restarted
 * exporter, replicas, instances, stacks, names of two eras), they are one device.
 */
export function foldGauge(rows: readonly ScaledRow[], rules: Rules, vendor: Vendor): Folded {
  const plain = rows.length === 1 ? alone(rows[0]!, rules) : null;
  if (plain) return { stream: plain, discarded: 0 };
  const kept = rows.map((row) => keep(row, gpuSeriesOf(row.row.labels, vendor)!, rules));
  const discarded = kept.reduce((sum, { dropped }) => sum + dropped.length, 0);
  const useful = served(kept);
  const only = useful.length === 1 ? useful[0]! : null;
  return { stream: only ? only.stream : merge(useful, rules.across, vendor), discarded };
}

interface Kept {
  readonly series: GpuSeries;
  readonly rank: number;
  readonly stream: Stream;
  /** Times of samples that are no readings. */
  readonly dropped: readonly number[];
}

function keep(
  { row, scale, rank }: ScaledRow,
  series: GpuSeries,
  { plausible: [low, high], zeroOnParts, whole }: Rules,
): Kept {
  const values = scale === 1 ? row.values : row.values.map((value) => value * scale);
  const unmeasured = zeroOnParts === 'unmeasured' && series.part !== '';
  const fits = (value: number) => value >= low && value <= high && !(whole && !Number.isInteger(value));
  const counts = (value: number) => fits(value) && !(unmeasured && value === 0);
  if (values.every(counts)) return { series, rank, stream: { times: row.times, values }, dropped: [] };
  const times = row.times.filter((_, i) => counts(values[i]!));
  const dropped = [...row.times].filter((_, i) => !fits(values[i]!));
  return { series, rank, stream: { times, values: values.filter(counts) }, dropped };
}

/** One series of which every sample is a reading, as almost all are: nothing else about it matters. */
function alone({ row, scale }: ScaledRow, { plausible: [low, high], zeroOnParts, whole }: Rules): Stream | null {
  if (zeroOnParts || whole) return null;
  const values = scale === 1 ? row.values : row.values.map((value) => value * scale);
  return allWithin(values, low, high) ? { times: row.times, values } : null;
}

// A loop: of millions of samples a callback for each costs more than the comparison.
function allWithin(values: Float64Array, low: number, high: number): boolean {
  for (let i = 0; i < values.length; i += 1) if (!(values[i]! >= low && values[i]! <= high)) return false;
  return true;
}

/**
 * A source that never has a plausible value, or nothing but zeros, does not serve a GPU that another one serves: exporters
 * print a 0 for what the board lacks.
 */
function served(kept: readonly Kept[]): readonly Kept[] {
  if (kept.length < 2) return kept;
  const ranks = [...Map.groupBy(kept, ({ rank }) => rank)].sort(([a], [b]) => a - b);
  if (ranks.length < 2) return kept;
  const speaks = ranks.filter(([, own]) => own.some(({ stream }) => stream.values.some((value) => value !== 0)));
  return (speaks.length > 0 ? speaks : ranks.slice(0, 1)).flatMap(([, own]) => own);
}

/** Samples of one time come from one scrape; each time gives one sample of the device, of the preferred source. */
function merge(kept: readonly Kept[], across: Across, vendor: Vendor): Stream {
  // A sum without one of its parts is no sum, and where the preferred source is wrong another one does not mend it.
  const last = Math.max(...kept.map(({ rank }) => rank));
  const broken = new Set(kept.flatMap(({ rank, dropped }) => (across === 'sum' || rank < last ? dropped : [])));
  if (broken.size === 0) {
    const streams = kept.map(({ stream }) => stream);
    if (sameTimes(streams)) return mergeScrapes(kept, across, vendor);
    const following = joined(streams);
    if (following) return following;
  }

  const samples = kept.flatMap((of, at) => Array.from(of.stream.times, (time, i) => ({ time, at, i })));
  samples.sort((a, b) => a.time - b.time);
  const [times, values]: number[][] = [[], []];
  for (let from = 0, to = 0; from < samples.length; from = to) {
    const { time } = samples[from]!;
    while (to < samples.length && samples[to]!.time === time) to += 1;
    if (broken.has(time)) continue;
    const now = samples.slice(from, to);
    const read = reader(
      now.map(({ at }) => kept[at]!),
      across,
      vendor,
    );
    times!.push(time);
    values!.push(read((series) => now[series]!.i));
  }
  return { times: Float64Array.from(times!), values: Float64Array.from(values!) };
}

/** Series of the very same scrapes: how they make the device's reading is the same for each. */
function mergeScrapes(kept: readonly Kept[], across: Across, vendor: Vendor): Stream {
  const { times } = kept[0]?.stream ?? empty;
  if (times.length === 0) return empty;
  const read = reader(kept, across, vendor);
  return { times, values: Float64Array.from(times, (_, i) => read(() => i)) };
}

/**
 * How series that were sampled together make one value: the preferred source's parts, each the most of its copies, across
 * the device. What it returns is told which sample of each series to read.
 */
function reader(
  kept: readonly Kept[],
  across: Across,
  vendor: Vendor,
): (sampleOf: (series: number) => number) => number {
  const best = Math.min(...kept.map(({ rank }) => rank));
  const indexed = kept.map((of, at) => ({ of, at })).filter(({ of }) => of.rank === best);
  const parts = [...Map.groupBy(indexed, ({ of }) => of.series.part)].map(([part, copies]) => {
    // Copies for pods that share the part are one reading; a series without a pod is the device's own.
    const own = copies.filter(({ of }) => of.series.pod === null);
    return { part, copies: own.length > 0 ? own : copies };
  });
  // Without a part NVIDIA's series is the whole device's; AMD's is its primary partition's.
  const whole = vendor === 'NVIDIA' ? parts.find(({ part }) => part === '') : undefined;
  const read = whole ? [whole] : parts;
  return (sampleOf) => {
    let [sum, most] = [0, -Infinity];
    for (const { copies } of read) {
      let value = -Infinity;
      for (const { of, at } of copies) value = Math.max(value, of.stream.values[sampleOf(at)]!);
      sum += value;
      most = Math.max(most, value);
    }
    if (across === 'same') return most;
    return across === 'sum' ? sum : sum / read.length;
  };
}
