import type { Vendor } from '../domain/fleet.ts';
import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { isCount } from '../readings/blanks.ts';
import { cover, type Pace } from '../samples/cover.ts';
import type { Stream } from '../samples/stream.ts';
import type { ScaledRow } from './fold.ts';

/**
 * Series of one GPU index by the physical device in it. A series that names no device belongs to the one that others name:
 * labels that begin or cease to name it are no other device.
 */
export function byDevice(rows: readonly ScaledRow[], vendor: Vendor): Map<string | null, ScaledRow[]> {
  const deviceOf = ({ row }: ScaledRow) => gpuSeriesOf(row.labels, vendor)?.device ?? null;
  const named = new Set(rows.map(deviceOf).filter((device) => device !== null));
  const only = named.size === 1 ? [...named][0]! : null;
  return Map.groupBy(rows, (row) => deviceOf(row) ?? only);
}

/** One counter of one device, merged from all its copies. */
export interface Counted {
  readonly device: string | null;
  readonly stream: Stream;
}

/** Copies of one counter become one stream; another device, link or stack counts for itself. */
export function countersOf(rows: readonly ScaledRow[], vendor: Vendor, pace: Pace): Counted[] {
  return [...byDevice(rows, vendor)].flatMap(([device, own]) =>
    [...Map.groupBy(own, ({ row }) => gpuSeriesOf(row.labels, vendor)?.variant).values()].map((copies) => ({
      device,
      stream: cover(copies.map(counts), pace),
    })),
  );
}

/** The samples of a counter that are counts. */
function counts({ row, scale }: ScaledRow): Stream {
  const fits = (value: number) => isCount(value, scale);
  const isWhole = row.values.every(fits);
  const times = isWhole ? row.times : row.times.filter((_, i) => fits(row.values[i]!));
  const values = isWhole ? row.values : row.values.filter(fits);
  return { times, values: scale === 1 ? values : values.map((value) => value * scale) };
}

/** How many samples later than `start` are none. */
export const blanksIn = (rows: readonly ScaledRow[], start: number): number =>
  rows.reduce(
    (sum, { row, scale }) =>
      sum + row.values.filter((value, i) => row.times[i]! > start && !isCount(value, scale)).length,
    0,
  );
