export type Labels = Readonly<Record<string, string>>;

/** One series as it is written into a store: `__name__` among the labels, times in epoch seconds. */
export interface Series {
  readonly labels: Labels;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** A sample's value: the same for all, or by its time. */
export type Value = number | ((time: number) => number);

export const valueAt = (value: Value, time: number): number => (typeof value === 'number' ? value : value(time));

export const series = (metric: string, labels: Labels, times: readonly number[], value: Value): Series => ({
  labels: { __name__: metric, ...labels },
  times,
  values: times.map((time) => valueAt(value, time)),
});

/** What holds from each instant on: `stepped(5, [t, 8])` is 5 before `t` and 8 from `t`. */
export const stepped =
  (first: number, ...changes: readonly (readonly [at: number, value: number])[]) =>
  (time: number): number =>
    changes.reduce((value, [at, next]) => (time >= at ? next : value), first);

/** `usual`, but `odd` for the samples inside a span (left open, right closed). */
export const except =
  (usual: Value, odd: number, ...spans: readonly (readonly [from: number, to: number])[]) =>
  (time: number): number =>
    spans.some(([from, to]) => time > from && time <= to) ? odd : valueAt(usual, time);

/** Splits one run of samples over label sets: the series that a label change in mid-run leaves behind. */
export const churned = (
  metric: string,
  times: readonly number[],
  value: Value,
  lives: readonly (readonly [from: number, labels: Labels])[],
): Series[] =>
  lives.map(([from, labels], life) => {
    const until = lives[life + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return series(
      metric,
      labels,
      times.filter((time) => time > from && time <= until),
      value,
    );
  });

/** A series without the samples inside a span (left open, right closed). */
export const without = ({ labels, times, values }: Series, from: number, to: number): Series => ({
  labels,
  times: times.filter((time) => time <= from || time > to),
  values: values.filter((_, at) => times[at]! <= from || times[at]! > to),
});

/** A series and what it showed later, as one. */
export const continued = (first: Series, later: Series): Series => ({
  labels: first.labels,
  times: [...first.times, ...later.times],
  values: [...first.values, ...later.values],
});

/** Every series with one more label on each; a label that is there already stays. */
export const labelled = (labels: Labels, all: readonly Series[]): Series[] =>
  all.map((one) => ({ ...one, labels: { ...labels, ...one.labels } }));
