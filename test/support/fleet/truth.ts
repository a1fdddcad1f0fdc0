import { iso } from './clock.ts';
import type { Labels, Series } from './series.ts';

/**
 * What the answers must be, worked out from the generated samples in the most naive way: no store, no query
 * language, nothing of the gateway.
 */
export type Sample = readonly [time: number, value: number];

/** Left open, right closed. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly points?: number;
}

const holds = (labels: Labels, where: Labels): boolean =>
  Object.entries(where).every(([label, value]) => labels[label] === value);

/** The samples of every series of a metric under these labels, merged: equal instants are one reading. */
export const samplesOf = (all: readonly Series[], metric: string, where: Labels = {}, scale = 1): Sample[] => {
  const merged = new Map<number, number>();
  for (const { labels, times, values } of all) {
    if (!holds(labels, { __name__: metric, ...where })) continue;
    times.forEach((time, at) => merged.set(time, values[at]! * scale));
  }
  return [...merged].sort(([a], [b]) => a - b);
};

/** Several runs of samples at common instants made into one: their mean, sum or greatest at each instant. */
export const together = (runs: readonly (readonly Sample[])[], join: (values: number[]) => number): Sample[] => {
  const byTime = new Map<number, number[]>();
  for (const [time, value] of runs.flat()) byTime.set(time, [...(byTime.get(time) ?? []), value]);
  return [...byTime].map(([time, values]): Sample => [time, join(values)]).sort(([a], [b]) => a - b);
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const greatest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
export const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));

export const inside = (samples: readonly Sample[], start: number, end: number): Sample[] =>
  samples.filter(([time]) => time > start && time <= end);

export const valuesOf = (samples: readonly Sample[]): number[] => samples.map(([, value]) => value);

/** Only what a reading can be: the rest is no reading. */
export const plausible = (samples: readonly Sample[], low: number, high: number): Sample[] =>
  samples.filter(([, value]) => value >= low && value <= high);

export const gridOf = ({ start, end, points = 48 }: Window) => {
  const stepS = Math.max(30, Math.ceil((end - start) / points / 30) * 30);
  const count = Math.ceil((end - start) / stepS);
  return { stepS, points: count, t0: end - count * stepS };
};

/** A whole `Series` answer, or null where the window holds no sample. */
export const seriesOf = (samples: readonly Sample[], window: Window) => {
  const read = inside(samples, window.start, window.end);
  if (read.length === 0) return null;
  const { stepS, points, t0 } = gridOf(window);
  const values = Array.from({ length: points }, (_, slot) => {
    const bucket = valuesOf(inside(read, t0 + slot * stepS, t0 + (slot + 1) * stepS));
    return bucket.length === 0 ? null : mean(bucket);
  });
  const all = valuesOf(read);
  const [lastTime, last] = read.at(-1)!;
  return { t0, stepS, values, mean: mean(all), min: least(all), max: greatest(all), last, lastAt: iso(lastTime) };
};

/** A counter's speed: each sample against its predecessor, which is at most 5 minutes older, stamped at its own time. */
export const ratesOf = (samples: readonly Sample[]): Sample[] =>
  samples.flatMap(([time, value], at): Sample[] => {
    const before = samples[at - 1];
    return before === undefined || time - before[0] > 300 ? [] : [[time, (value - before[1]) / (time - before[0])]];
  });

/** A counter's rise over a window, where it was there all along: falls are resets, and what follows one counts. */
export const riseOf = (samples: readonly Sample[], { start, end }: Window): number => {
  const baseline = samples.findLast(([time]) => time <= start && time >= start - 300);
  const run = [...(baseline === undefined ? [] : [baseline]), ...inside(samples, start, end)];
  return sum(run.slice(1).map(([, value], at) => (value < run[at]![1] ? value : value - run[at]![1])));
};

/** The exact percentile of pooled values, between neighbours in a straight line. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
};
