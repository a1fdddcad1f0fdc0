import type { CounterSource } from '../readings/reading.ts';
import { baselineReachS, baselineS, rises, total } from '../samples/increase.ts';
import { firstAfter, type Stream } from '../samples/stream.ts';
import { promql, since } from '../scope/scope.ts';
import { blanksIn, countersOf } from './by-device.ts';
import { askByGpu } from './by-gpu.ts';
import { readHeartbeats, scrapedBefore } from './heartbeat.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** Increases from raw samples; see `readCounter`. One request a source, one more where a counter was born. */
export async function readRises(
  view: ClusterView,
  name: string,
  sources: readonly CounterSource[],
  targets: Targets,
): Promise<ReadonlyMap<string, number>> {
  if (targets.size === 0) return new Map();
  const { start, end } = view.window;
  const { vendor } = view.cluster;
  const pace = view.pace();
  const answers = await Promise.all(
    [...Map.groupBy(sources, partOf).values()].map(async (part) => {
      const raw = await askByGpu(view, part, targets, (selector) => [
        {
          answers: 'raw',
          question: { kind: 'instant', query: promql`${selector}[${since(end - start + baselineReachS)}]`, time: end },
        },
      ]);
      return [...raw].flatMap(([key, own]) => {
        const lifelong = part.find(({ rank }) => rank === own[0]!.rank)?.lifelong === true;
        const rows = own.flatMap(({ rows: all }) => all);
        view.discardOf(key, name, blanksIn(rows, start));
        return countersOf(rows, vendor, pace).map((counted) => ({
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
  const heartbeats = await readHeartbeats(view, only(targets, new Set(born.map(({ key }) => key))), baselineReachS);

  const sums = new Map<string, number>();
  const lowest = new Map<string, number>();
  for (const { key, rank } of counted) lowest.set(key, Math.min(lowest.get(key) ?? Infinity, rank));
  for (const { key, rank, device, stream, lifelong } of counted) {
    if (rank !== lowest.get(key) || stream.times.length === 0) continue;
    const before = scrapedBefore(heartbeats.get(key) ?? [], device, vendor, pace.silentS);
    const steps = rises(stream, start, end, { counts: (at) => !lifelong && before(at) });
    sums.set(key, (sums.get(key) ?? 0) + total(steps));
  }
  return sums;
}

/** Its first sample inside the window has no predecessor that could serve as a baseline. */
export function isBorn({ times }: Stream, start: number): boolean {
  const first = firstAfter(times, start);
  return first < times.length && (first === 0 || times[first - 1]! < start - baselineS);
}

const partOf = ({ part, rank }: CounterSource): string => `${part ?? ''} ${rank}`;

function only(targets: Targets, keys: ReadonlySet<string>): Targets {
  const kept = [...targets].map(([node, indexes]): [string, Set<number>] => {
    return [node, new Set([...indexes].filter((index) => keys.has(`${node} ${index}`)))];
  });
  return new Map(kept.filter(([, indexes]) => indexes.size > 0));
}
