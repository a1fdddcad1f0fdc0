import type { Source } from '../domain/site.ts';
import { firstAfter, type Stream, streamOf } from '../samples/stream.ts';
import { groupedBy, unionOf } from '../scope/aggregate.ts';
import { promql, select, since, span } from '../scope/scope.ts';
import type { ClusterView } from '../reads/view.ts';
import type { MemoryFacts } from '../rules/facts.ts';
import { fullShare } from '../rules/pressure.ts';
import type { Answered } from './answers.ts';
import { readPresent } from './heard.ts';
import { gaugeFamily, gaugeSources, readStreams } from './streams.ts';
import { type Subject, targetsOf } from './subject.ts';
import { toRead } from './suspects-to-read.ts';
import { type Filter, suspectsOf } from './suspects.ts';

/** Whether there is a total to compare with: it stands still, so one sample tells. */
export async function readTotals(
  view: ClusterView,
  gpus: Subject,
): Promise<{ readonly answered: Answered[]; readonly untotalled: readonly string[] }> {
  const totals = await readPresent(view, gpus, await gaugeFamily(view, 'hbmTotalGib'));
  const untotalled = gpus.keys.filter((key) => !totals.has(key));
  const frees = await readPresent(view, gpus.only(untotalled), await gaugeFamily(view, 'hbmFreeGib'));
  const heard = new Map(
    gpus.keys.map((key) => {
      const present = totals.has(key) || frees.has(key);
      return [key, { whole: present, steady: true, present, silent: null, family: 'HBM' }] as const;
    }),
  );
  const need = { families: ['HBM'], readings: [] } as const;
  return { answered: [{ check: 'MEMORY', need, of: 'gpu', heard, inputs: new Map() }], untotalled };
}

/** GPUs by what is known of their totals. */
interface Boards {
  readonly all: Subject;
  /** No total is reported. */
  readonly untotalled: Subject;
  /** Their series changed on the way, as a replaced board's do. */
  readonly unsteady: Subject;
}

/**
 * Memory in use of the GPUs that may have run full, by key, and their totals: as reported, else what the parts add up to.
 *
 * Upstream: one request for each pair of sources that names them; the samples of just these.
 */
export async function readMemory(wide: ClusterView, boards: Boards): Promise<ReadonlyMap<string, MemoryFacts>> {
  const [used, totals, frees] = await Promise.all(
    (['hbmUsedGib', 'hbmTotalGib', 'hbmFreeGib'] as const).map((name) => gaugeSources(wide, name)),
  );
  const suspects = (subject: Subject, others: readonly Source[] | undefined, is: 'edges' | 'window' | 'free') =>
    (others ?? []).map((other) => suspectsOf(wide, subject, used!, filledBy(wide, subject, other, is)));
  const named = await Promise.all([
    ...suspects(boards.all, totals, 'edges'),
    ...suspects(boards.unsteady, totals, 'window'),
    ...suspects(boards.untotalled, frees, 'free'),
  ]);
  const keys = new Set(named.flatMap((some) => [...some]));
  const targets = toRead(wide, keys, 'memory in use');
  // What adds up to a total is read only where none is reported.
  const added = targetsOf(boards.untotalled.keys.filter((key) => keys.has(key)));
  const [usedOf, totalOf, freeOf, reservedOf] = await Promise.all([
    readStreams(wide, 'hbmUsedGib', targets),
    readStreams(wide, 'hbmTotalGib', targets),
    readStreams(wide, 'hbmFreeGib', added),
    readStreams(wide, 'hbmReservedGib', added),
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
 * Memory that reached its share of the total, as it stood at the edges of the window or ever in it; or left less free than the
 * rest of it, whatever is reserved. What the parts of a device use adds up, and is compared with the least total of any.
 */
function filledBy(view: ClusterView, { matchers }: Subject, other: Source, is: 'edges' | 'window' | 'free'): Filter {
  const { start, end } = view.window;
  const whole = since(end - start);
  return (selector, labels, { scale }) => {
    const each = promql`max_over_time(${selector}[${whole}])`;
    const most = groupedBy('sum', labels, groupedBy('max', [...labels, ...parts], each));
    const all = matchers(other.metric).flatMap((on) => {
      const total = select(view.cluster, other.metric, [...(other.match ?? []), ...on]);
      const least = promql`min_over_time(${total}[${whole}])`;
      return is === 'edges' ? [total, promql`${total} offset ${span(end - start)}`] : [least];
    });
    // Rounding must not lose one that stands just at the share.
    const ratio = is === 'free' ? (fullShare / (1 - fullShare)) * 0.999 : fullShare * 0.9999;
    return promql`${most} >= ${(ratio * other.scale) / scale} * ${groupedBy('min', labels, unionOf(all))}`;
  };
}
