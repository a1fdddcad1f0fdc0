/** What an expression can be. A range has many samples a series, so only functions that take one make use of it. */
export type Kind = 'number' | 'vector' | 'range' | 'text';

export interface Signature {
  readonly takes: readonly Kind[];
  /** How many of them must be there; the last one may be repeated where `repeats`. */
  readonly least: number;
  readonly repeats: boolean;
}

/**
 * What each function takes, by what it is called with: a letter for each argument, `?` behind what may be left out, `*`
 * behind what may be left out or repeated. All else is no function here: not `info`, which reads series that no selector
 * names, and not what Prometheus calls experimental.
 */
const functions: Readonly<Record<string, string>> = {
  '': 'pi time',
  n: 'vector',
  v: `abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev
    histogram_stdvar histogram_sum ln log10 log2 rad scalar sgn sin sinh sort sort_desc sqrt tan tanh timestamp`,
  'v?': 'day_of_month day_of_week day_of_year days_in_month hour minute month year',
  r: `absent_over_time avg_over_time changes count_over_time delta deriv idelta increase irate last_over_time max_over_time
    min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time`,
  nr: 'quantile_over_time',
  rn: 'predict_linear',
  vnn: 'clamp',
  vn: 'clamp_max clamp_min',
  'vn?': 'round',
  nv: 'histogram_quantile',
  nnv: 'histogram_fraction',
  vtttt: 'label_replace',
  'vttt*': 'label_join',
};

const aggregations: Readonly<Record<string, string>> = {
  v: 'avg count group max min stddev stdvar sum',
  nv: 'bottomk quantile topk',
  tv: 'count_values',
};

export const functionSignatures = byName(functions);
export const aggregationSignatures = byName(aggregations);

function byName(table: Readonly<Record<string, string>>): ReadonlyMap<string, Signature> {
  return new Map(
    Object.entries(table).flatMap(([letters, names]) =>
      names.split(/\s+/).map((name) => [name, signatureOf(letters)] as const),
    ),
  );
}

function signatureOf(letters: string): Signature {
  const kinds = { n: 'number', v: 'vector', r: 'range', t: 'text' } as const;
  const takes = [...letters.replace(/[?*]$/, '')].map((letter) => kinds[letter as keyof typeof kinds]);
  return { takes, least: takes.length - (/[?*]$/.test(letters) ? 1 : 0), repeats: letters.endsWith('*') };
}
