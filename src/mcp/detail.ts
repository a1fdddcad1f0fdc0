/** What a series holds: `series` all values; `summary` those of the three readings that tell most; `stats` none. */
export type Detail = 'series' | 'summary' | 'stats';

/** Which values a document asks for. */
export const valuesFor = (detail: Detail): { some: boolean; all: boolean } => ({
  some: detail !== 'stats',
  all: detail === 'series',
});

interface GraphSeries {
  readonly t0?: number;
  readonly stepS?: number;
  readonly values?: readonly (number | null)[] | null;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** One of the readings that keep their values in a summary: temperature, tensor activity, power. */
export const telling = (series: GraphSeries | null, detail: Detail): object | null =>
  shaped(series, detail !== 'stats');

export const other = (series: GraphSeries | null, detail: Detail): object | null => shaped(series, detail === 'series');

function shaped(series: GraphSeries | null, withValues: boolean): object | null {
  if (series === null) return null;
  const { t0, stepS, values, mean, min, max } = series;
  const told = withValues && { t0, step_s: stepS, values: values?.map((value) => rounded(value, 3)) ?? null };
  return { ...told, mean: rounded(mean, 4), min, max };
}

/**
 * To so many significant digits, and no whole number shortened: half the tokens of the graph's six digits. The mean of a bucket
 * loses half a percent at most; min and max, which flags rest on, are as the graph has them.
 */
function rounded(value: number | null, digits: number): number | null {
  if (value === null) return null;
  return Math.abs(value) >= 10 ** (digits - 1) ? Math.round(value) : Number(value.toPrecision(digits));
}
