/** A Prometheus label set. Label names come from outside: read with `Object.hasOwn` or a known name only. */
export type Labels = Readonly<Record<string, string>>;

/** One series as a store answers it. `times` are epoch seconds, rising; `values` are as the store gave them. */
export interface Row {
  readonly labels: Labels;
  readonly times: Float64Array;
  readonly values: Float64Array;
}
