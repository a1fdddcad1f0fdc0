import type { CounterSource } from '../readings/reading.ts';
import { isCount } from '../readings/blanks.ts';
import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { baselineS, cover, rises, total } from '../samples/increase.ts';
import { silentAfterS } from '../samples/silence.ts';
import { firstAfter, type Stream } from '../samples/stream.ts';
import { promql, since } from '../scope/scope.ts';
import { askByGpu } from './by-gpu.ts';
import type { ScaledRow } from './fold.ts';
import { readHeartbeats, scrapedBefore } from './heartbeat.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** One counter of one device, merged from all its copies. */
interface Counted {
  readonly device: string | null;
  readonly stream: Stream;
  readonly lifelong: boolean;
}

/** Increases from raw samples; see `readCounter`. One request a source, one more where a counter was born. */
export async function readRises(
  view: ClusterView,
  sources: readonly CounterSource[],
  targets: Targets,
): Promise<ReadonlyMap<string, number>> {
  if (targets.size === 0) return new Map();
  const { start, end } = view.window;
  const silentS = silentAfterS(view.scrapeS());
  const answers = await Promise.all(
    [...Map.groupBy(sources, partOf).values()].map(async (part) => {
      const raw = await askByGpu(view, part, targets, (selector) => [
        {
          answers: 'raw',
          question: { kind: 'instant', query: promql`${selector}[${since(end - start + baselineS)}]`, time: end },
        },
      ]);
      return [...raw].flatMap(([key, own]) => {
        const lifelong = part.find(({ rank }) => rank === own[0]!.rank)?.lifelong === true;
        const rows = own.flatMap(({ rows: all }) => all);
        return counters(rows, view.cluster.vendor, silentS).map((counted) => ({
          key,
          rank: own[0]!.rank,
          ...counted,
          lifelong,
        }));
      });
    }),
  );
  const counted = answers.flat();
  const born = counted.filter(({ stream, lifelong }) => !lifelong && isBorn(stream, start));
  const heartbeats = await readHeartbeats(view, only(targets, new Set(born.map(({ key }) => key))), baselineS);

  const sums = new Map<string, number>();
  const lowest = new Map<string, number>();
  for (const { key, rank } of counted) lowest.set(key, Math.min(lowest.get(key) ?? Infinity, rank));
  for (const { key, rank, device, stream, lifelong } of counted) {
    if (rank !== lowest.get(key) || stream.times.length === 0) continue;
    const before = scrapedBefore(heartbeats.get(key) ?? [], device, view.cluster.vendor, silentS);
    const steps = rises(stream, start, end, (at) => !lifelong && before(at));
    sums.set(key, (sums.get(key) ?? 0) + total(steps));
  }
  return sums;
}

/** Copies of one counter become one stream; another device, link or stack counts for itself. */
export function counters(
  rows: readonly ScaledRow[],
  vendor: 'NVIDIA' | 'AMD',
  silentS: number,
): Omit<Counted, 'lifelong'>[] {
  const series = rows.map((scaled) => ({ scaled, of: gpuSeriesOf(scaled.row.labels, vendor)! }));
  const apart = Map.groupBy(series, ({ of }) => `${of.device} ${of.variant}`);
  return [...apart.values()].map((same) => ({
    device: same[0]!.of.device,
    stream: cover(
      same.map(({ scaled }) => counts(scaled)),
      silentS,
    ),
  }));
}

function counts({ row, scale }: ScaledRow): Stream {
  const kept = (_: number, i: number) => isCount(row.values[i]!);
  return { times: row.times.filter(kept), values: row.values.filter(isCount).map((value) => value * scale) };
}

/** Its first sample inside the window has no predecessor that could serve as a baseline. */
export function isBorn({ times }: Stream, start: number): boolean {
  const first = firstAfter(times, start);
  return first < times.length && (first === 0 || times[first - 1]! <= start - baselineS);
}

const partOf = ({ part, rank }: CounterSource): string => `${part ?? ''} ${rank}`;

function only(targets: Targets, keys: ReadonlySet<string>): Targets {
  const kept = [...targets].map(([node, indexes]): [string, Set<number>] => {
    return [node, new Set([...indexes].filter((index) => keys.has(`${node} ${index}`)))];
  });
  return new Map(kept.filter(([, indexes]) => indexes.size > 0));
}
