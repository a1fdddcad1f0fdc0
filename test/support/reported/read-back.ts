import { expect } from 'vitest';
import { type Sample, seriesOf, type Window } from '../fleet/truth.ts';
import { wholeSeries } from '../fleet/questions.ts';
import { textOf, type Told } from './told.ts';
import type { Answer } from './processes.ts';

/** Every number of a run, and what it was that was none. */
export const wholeRun = `run(name: $run) { name firstEventAt lastEventAt note steps ${wholeSeries} stepSeconds ${wholeSeries}
  metrics { name metadata split pass stage param series ${wholeSeries} findings { step value } }
  annotations { at step name metadata } }`;

type Query = (document: string, variables?: object) => Promise<Answer>;

/** A document about a cluster in a window of so many epoch seconds, which must answer without an error. */
export async function ask(
  query: Query,
  selection: string,
  window: Window,
  variables: Readonly<Record<string, unknown>> = {},
) {
  const { start, end, points } = window;
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const declared = Object.keys(variables).map((name) => `, $${name}: String!`);
  const { data, errors } = await query(
    `query ($cluster: String!, $window: WindowInput${declared.join('')}) { cluster(name: $cluster, window: $window) { ${selection} } }`,
    { cluster: 'aurora-prod', window: { start: iso(start), end: iso(end), points }, ...variables },
  );
  expect(errors).toBeUndefined();
  return data.cluster;
}

const sorted = (metadata: object): string =>
  JSON.stringify(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
const seriesKey = ({ name, metadata = {} }: Pick<Told, 'name' | 'metadata'>): string =>
  `${name} ${sorted(textOf(metadata))}`;

/** A mean of six digits, whichever way it was summed up. */
const close = (value: number | null): unknown =>
  value === null ? null : expect.closeTo(value, 4 - Math.ceil(Math.log10(Math.abs(value) || 1)));
const six = (value: number): number => Number(value.toPrecision(6));

/** A series of the graph as these samples make it. */
export function seriesLike(samples: readonly Sample[], window: Window): unknown {
  const truth = seriesOf(samples, window);
  if (truth === null) return null;
  const { values, mean, min, max, last } = truth;
  return { ...truth, values: values.map(close), mean: close(mean), min: six(min), max: six(max), last: six(last) };
}

/** That the graph tells of a run's metrics what the program told, series by series. */
export function expectMetrics(told: readonly Told[], metrics: readonly Answer['data'][], window: Window): void {
  const expected = new Map<string, { samples: Sample[]; findings: { step: number | null; value: string }[] }>();
  for (const event of told) {
    if (event.kind !== 'metric') continue;
    const { value = null, step = null, ts_ms } = event;
    const one = expected.get(seriesKey(event)) ?? { samples: [], findings: [] };
    expected.set(seriesKey(event), one);
    if (typeof value === 'number') one.samples.push([ts_ms / 1000, value]);
    else one.findings.push({ step, value: { Infinity: '+Inf', '-Infinity': '-Inf' }[String(value)] ?? String(value) });
  }
  expect(metrics.map(seriesKey).sort()).toEqual([...expected.keys()].sort());
  for (const metric of metrics) {
    const { samples, findings } = expected.get(seriesKey(metric))!;
    samples.sort(([a], [b]) => a - b);
    const key = { metric: seriesKey(metric) };
    expect({ ...key, series: metric.series }).toEqual({ ...key, series: seriesLike(samples, window) });
    expect({ ...key, findings: metric.findings }).toEqual({ ...key, findings });
  }
}
