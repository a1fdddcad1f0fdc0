import { history } from '../../src/demo/history.ts';
import type { LoadedSeries } from '../../src/demo/history.ts';

/** A start that is not on the 30 s grid: most are not. */
export const t0 = 1_790_000_017;

export const recorded: readonly LoadedSeries[] = [...history(t0)];

type Where = Readonly<Record<string, string>>;

/** The recorded series of a metric that carry these labels. */
export const seriesOf = (name: string, where: Where = {}): LoadedSeries[] =>
  recorded.filter(({ labels }) => Object.entries({ __name__: name, ...where }).every(([l, v]) => labels[l] === v));

/** All samples of a metric, across the series it was split into, in order. Bounds are minutes before the start, both included. */
export const samplesOf = (name: string, where: Where, fromMin = 24 * 60, toMin = 0): { min: number; value: number }[] =>
  seriesOf(name, where)
    .flatMap(({ times, values }) => Array.from(times, (time, i) => ({ min: (time - t0) / 60, value: values[i]! })))
    .filter(({ min }) => min >= -fromMin && min <= -toMin)
    .sort((a, b) => a.min - b.min);

export const valuesOf = (...query: Parameters<typeof samplesOf>): number[] =>
  samplesOf(...query).map(({ value }) => value);

export const identity = (labels: Where): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

export const gpu = (node: string, index: number): Where =>
  node.startsWith('aurora') || node.startsWith('pool-north-h')
    ? { Hostname: node, gpu: String(index) }
    : { hostname: node, gpu_id: String(index) };
