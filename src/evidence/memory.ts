import type { Source } from '../domain/site.ts';
import { round6 } from '../samples/round.ts';
import { between, type Stream } from '../samples/stream.ts';
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
    missingInputs: [],
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
  view: ClusterView,
  wide: ClusterView,
  subject: Subject,
  untotalled: Subject,
): Promise<ReadonlyMap<string, MemoryFacts>> {
  const [used, totals, frees] = await Promise.all(
    (['hbmUsedGib', 'hbmTotalGib', 'hbmFreeGib'] as const).map((name) => gaugeSources(view, name)),
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
    readStreams(view, 'hbmTotalGib', targets),
    readStreams(view, 'hbmFreeGib', targets),
    readStreams(view, 'hbmReservedGib', targets),
  ]);
  return new Map(
    [...usedOf].flatMap(([key, { stream }]) => {
      const inside = between(stream, view.window.start, view.window.end);
      const totalGib =
        totalOf.get(key)?.stream.values.at(-1) ?? addedUp(inside, freeOf.get(key)?.stream, reservedOf.get(key)?.stream);
      return totalGib === undefined ? [] : [[key, { usedGib: stream, totalGib: round6(totalGib) }] as const];
    }),
  );
}

/** Used, free and reserved memory of the newest scrape that has the first two; old exporters print no reserved part. */
function addedUp(used: Stream, free: Stream | undefined, reserved: Stream | undefined): number | undefined {
  const at = ({ times, values }: Stream, time: number): number | undefined => values[times.indexOf(time)];
  const time = used.times.findLast((each) => free?.times.includes(each));
  if (!free || time === undefined) return undefined;
  return at(used, time)! + at(free, time)! + ((reserved && at(reserved, time)) ?? 0);
}

// A device of several parts is full only where one of them is.
const parts = ['GPU_I_ID', 'gpu_partition_id'];

/** Memory that reached its share of the total; or left less free than the rest of it, whatever is reserved. */
function filledBy(view: ClusterView, { matchers }: Subject, other: Source, is: 'total' | 'free'): Filter {
  const { start, end } = view.window;
  return (selector, labels, { scale }) => {
    const own = [...labels, ...parts];
    const most = groupedBy('max', own, promql`max_over_time(${selector}[${since(end - start)}])`);
    const all = matchers(other.metric).map((on) => {
      const least = promql`min_over_time(${select(view.cluster, other.metric, [...(other.match ?? []), ...on])}[${since(end - start)}])`;
      return groupedBy('min', own, least);
    });
    // Rounding must not lose one that stands just at the share.
    const ratio = is === 'total' ? fullShare * 0.9999 : (fullShare / (1 - fullShare)) * 0.999;
    return promql`${most} >= ${(ratio * other.scale) / scale} * (${unionOf(all)})`;
  };
}
