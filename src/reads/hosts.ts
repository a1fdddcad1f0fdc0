import type { Row } from '../domain/series.ts';
import { hostReadings, type HostReadingName } from '../readings/host.ts';
import { lookbackS } from '../samples/buckets.ts';
import { baselineReachS } from '../samples/increase.ts';
import { rateBuckets, rates, type RateStream } from '../samples/rate.ts';
import { between, sameTimes, type Stream, streamOf } from '../samples/stream.ts';
import { summarize } from '../samples/summary.ts';
import { coresOf, readIdle } from './host-cpu.ts';
import { mergeCopies, readHostRows } from './host-rows.ts';
import { type SeriesData, seriesOfStream } from './series-data.ts';
import type { Part } from './gauge-plan.ts';
import type { Window } from '../window/window.ts';
import type { ClusterView } from './view.ts';

/**
 * One host reading of many nodes, by node name; a node without a sample in the window is left out.
 *
 * Upstream: the raw samples of each source, reaching five minutes back where a rate needs a predecessor. Processor time
 * is summed over the cores by the store, since a host has hundreds of those series.
 */
export async function readHost(
  view: ClusterView,
  name: HostReadingName,
  wanted: ReadonlySet<Part>,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SeriesData>> {
  const found = new Map<string, SeriesData>();
  const scrapeS = view.scrapeS('nodeExporter');
  for (const [node, stream] of await streamsOf(view, name, nodes)) {
    const data =
      'spans' in stream
        ? seriesOfRate(plausibleRate(view, node, name, stream), wanted, view, scrapeS)
        : seriesOfStream(stream, wanted, view.window, scrapeS);
    if (data) found.set(node, data);
  }
  return found;
}

async function streamsOf(
  view: ClusterView,
  name: HostReadingName,
  nodes: ReadonlySet<string>,
): Promise<Map<string, Stream | RateStream>> {
  const reading = hostReadings[name];
  const { start, end } = view.window;
  if (name === 'cpuBusyPct') {
    const idle = await readIdle(view, nodes);
    return mapValues(idle, (stream) =>
      scaleRate(rates(stream, start, end, 'skip'), (perSecond) => 100 * (1 - perSecond)),
    );
  }
  const rows = await readHostRows(view, name, nodes, reading.kind === 'gauge' ? 0 : baselineReachS);
  if (name === 'loadPerCore') {
    const cores = await coresOf(view, nodes);
    const known = [...rows].filter(([node]) => cores.has(node));
    return new Map(known.map(([node, own]) => [node, gaugeOf(view, node, name, own, 1 / cores.get(node)!)]));
  }
  if (reading.kind === 'gauge') return mapValues(rows, (own, node) => gaugeOf(view, node, name, own, 1));
  return mapValues(rows, (own) => rateOf(own, view.window));
}

/** A rate from the counters of one host, reaching five minutes back; of several devices their sum. */
export function rateOf(rows: readonly Row[], { start, end }: Pick<Window, 'start' | 'end'>): RateStream {
  const devices = [...Map.groupBy(rows, ({ labels }) => labels['device'] ?? '').values()];
  return addRates(devices.map((same) => rates(mergeCopies(same), start, end)));
}

/** Range of a reading on this site. */
const rangeOf = (view: ClusterView, name: HostReadingName) =>
  view.site.readings[name]?.HOST?.plausible ?? hostReadings[name].plausible;

/** A rate without the samples that it cannot have. */
export function plausibleRate(
  view: ClusterView,
  node: string,
  name: HostReadingName,
  { times, values, spans }: RateStream,
): RateStream {
  const [low, high] = rangeOf(view, name);
  const fits = (_: number, i: number) => values[i]! >= low && values[i]! <= high;
  const kept = { times: times.filter(fits), values: values.filter(fits), spans: spans.filter(fits) };
  view.discard(node, name, times.length - kept.times.length);
  return kept;
}

function gaugeOf(view: ClusterView, node: string, name: HostReadingName, rows: readonly Row[], scale: number): Stream {
  const [low, high] = rangeOf(view, name);
  const all = between(mergeCopies(rows), view.window.start, view.window.end);
  const values = scale === 1 ? all.values : all.values.map((value) => value * scale);
  const fits = (_: number, i: number) => values[i]! >= low && values[i]! <= high;
  const kept = { times: all.times.filter(fits), values: values.filter(fits) };
  view.discard(node, name, values.length - kept.values.length);
  return kept;
}

function seriesOfRate(
  stream: RateStream,
  wanted: ReadonlySet<Part>,
  view: ClusterView,
  scrapeS: number,
): SeriesData | null {
  const figures = summarize(stream);
  if (!figures) return null;
  const { t0, stepS } = view.window;
  const values = wanted.has('values')
    ? { values: rateBuckets(stream, view.window, lookbackS(view.window, scrapeS)) }
    : {};
  return { t0, stepS, ...figures, ...values };
}

const scaleRate = (stream: RateStream, to: (perSecond: number) => number): RateStream => ({
  ...stream,
  values: stream.values.map(to),
});

/** The sum over devices, at each time that one of them was sampled; they are sampled together. */
function addRates(streams: readonly RateStream[]): RateStream {
  const [first, ...others] = streams;
  if (others.length === 0) return first!;
  if (sameTimes(streams)) {
    const values = first!.values.map((value, i) => others.reduce((sum, other) => sum + other.values[i]!, value));
    return { ...first!, values };
  }
  const [sums, spans] = [new Map<number, number>(), new Map<number, number>()];
  for (const { times, values, spans: covered } of streams) {
    times.forEach((time, i) => {
      sums.set(time, (sums.get(time) ?? 0) + values[i]!);
      spans.set(time, Math.max(spans.get(time) ?? 0, covered[i]!));
    });
  }
  return { ...streamOf([...sums]), spans: streamOf([...spans]).values };
}

export const mapValues = <A, B>(map: ReadonlyMap<string, A>, to: (value: A, key: string) => B): Map<string, B> =>
  new Map([...map].map(([key, value]) => [key, to(value, key)]));
