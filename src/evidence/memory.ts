import type { Source } from '../domain/site.ts';
import { firstAfter, type Stream, streamOf } from '../samples/stream.ts';
import { groupedBy, unionOf } from '../scope/aggregate.ts';
import { promql, select, since } from '../scope/scope.ts';
import type { ClusterView } from '../reads/view.ts';
import type { MemoryFacts } from '../rules/facts.ts';
import { fullShare } from '../rules/pressure.ts';
import type { Answered } from './answers.ts';
import { type Heard, readHeard } from './heard.ts';
import { gaugeFamily, gaugeSources, readStreams } from './streams.ts';
import { type Subject, targetsOf } from './subject.ts';
import { type Filter, suspectsOf } from './suspects.ts';

/** Whether there is a total to compare with: it stands still, so one sample tells. */
export async function readTotals(
  view: ClusterView,
  gpus: Subject,
): Promise<{ readonly answered: Answered[]; readonly untotalled: readonly string[] }> {
  const heard = new Map<string, Heard & { family: 'HBM' }>();
  let open = gpus;
  const untotalled = () => gpus.keys.filter((key) => !heard.get(key)?.present);
  const readings = ['hbmTotalGib', 'hbmFreeGib'] as const;
  let [first]: (readonly string[] | undefined)[] = [];
  for (const name of readings) {
    const found = open.keys.length > 0 ? await readHeard(view, open, await gaugeFamily(view, name)) : [];
    for (const [key, own] of found) heard.set(key, { ...own, whole: own.present, family: 'HBM' });
    first ??= untotalled();
    open = gpus.only(untotalled());
  }
  const answered = {
    check: 'MEMORY',
    need: { families: ['HBM'], readings: [] },
    of: 'gpu',
    heard,
    inputs: new Map(),
  } as const;
  return { answered: [answered], untotalled: first ?? [] };
}

/**
 * Memory in use of the GPUs that may have run full, by key, and their totals: as reported, else what the parts add up to.
 *
 * Upstream: one request for each pair of sources that names them; the samples of just these.
 *
 * @param subject   all GPUs
 * @param untotalled  those for which no total is reported
 */
export async function readMemory(
  wide: ClusterView,
  subject: Subject,
  untotalled: Subject,
): Promise<ReadonlyMap<string, MemoryFacts>> {
  const [used, totals, frees] = await Promise.all(
    (['hbmUsedGib', 'hbmTotalGib', 'hbmFreeGib'] as const).map((name) => gaugeSources(wide, name)),
  );
  const named = await Promise.all([
    ...totals!.map((total) => suspectsOf(wide, subject, used!, filledBy(wide, subject, total, 'total'))),
    ...(untotalled.keys.length > 0
      ? frees!.map((free) => suspectsOf(wide, untotalled, used!, filledBy(wide, untotalled, free, 'free')))
      : []),
  ]);
  const targets = targetsOf(new Set(named.flatMap((keys) => [...keys])));
  const [usedOf, totalOf, freeOf, reservedOf] = await Promise.all([
    readStreams(wide, 'hbmUsedGib', targets),
    readStreams(wide, 'hbmTotalGib', targets),
    readStreams(wide, 'hbmFreeGib', targets),
    readStreams(wide, 'hbmReservedGib', targets),
  ]);
  return new Map(
    [...usedOf].flatMap(([key, { stream }]) => {
      const total = totalOf.get(key)?.stream ?? addedUp(stream, freeOf.get(key)?.stream, reservedOf.get(key)?.stream);
      return total.times.length > 0
        ? [[key, { usedGib: stream, totalGib: inForce(total, stream.times) }] as const]
        : [];
    }),
  );
}

/** Used, free and reserved memory of each scrape that has the first two; old exporters print no reserved part. */
function addedUp(used: Stream, free: Stream | undefined, reserved: Stream | undefined): Stream {
  const valuesOf = (stream: Stream | undefined) =>
    new Map(Array.from(stream?.times ?? [], (t, i) => [t, stream!.values[i]!]));
  const [frees, kept] = [valuesOf(free), valuesOf(reserved)];
  return streamOf(
    Array.from(used.times).flatMap((time, i): [number, number][] => {
      const left = frees.get(time);
      return left === undefined ? [] : [[time, used.values[i]! + left + (kept.get(time) ?? 0)]];
    }),
  );
}

/** The newest total at each time; before the first one that one. */
const inForce = (total: Stream, times: Float64Array): Float64Array =>
  times.map((time) => total.values[Math.max(0, firstAfter(total.times, time) - 1)]!);

const parts = ['GPU_I_ID', 'gpu_partition_id'];

/**
 * Memory that reached its share of the total; or left less free than the rest of it, whatever is reserved. What the parts of a
 * device use adds up, and is compared with the least total of any.
 */
function filledBy(view: ClusterView, { matchers }: Subject, other: Source, is: 'total' | 'free'): Filter {
  const { start, end } = view.window;
  return (selector, labels, { scale }) => {
    const each = promql`max_over_time(${selector}[${since(end - start)}])`;
    const most = groupedBy('sum', labels, groupedBy('max', [...labels, ...parts], each));
    const all = matchers(other.metric).map((on) => {
      const least = promql`min_over_time(${select(view.cluster, other.metric, [...(other.match ?? []), ...on])}[${since(end - start)}])`;
      return groupedBy('min', labels, least);
    });
    // Rounding must not lose one that stands just at the share.
    const ratio = is === 'total' ? fullShare * 0.9999 : (fullShare / (1 - fullShare)) * 0.999;
    return promql`${most} >= ${(ratio * other.scale) / scale} * (${unionOf(all)})`;
  };
}
