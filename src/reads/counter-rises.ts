import type { CounterSource } from '../readings/reading.ts';
import { baselineReachS, baselineS, type Rise, rises, total } from '../samples/increase.ts';
import { firstAfter, type Stream } from '../samples/stream.ts';
import { promql, type ScopedQuery, since } from '../scope/scope.ts';
import { blanksIn, type Counted, countersOf } from './by-device.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { readHeartbeats, lastScraped } from './heartbeat.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** Increases from raw samples; see `readCounter`. As `readSteps`, added up. */
export async function readRises(
  ...question: Parameters<typeof readSteps>
): Promise<ReadonlyMap<string, number | Error>> {
  const steps = await readSteps(...question);
  return new Map([...steps].map(([key, own]) => [key, own instanceof Error ? own : total(own)]));
}

/**
 * The steps up of one counter inside the window, from raw samples, in the reading's unit; those of its parts one after the
 * other. One request a source, one more where a counter was born.
 *
 * @returns by `gpuKey`, of each GPU that has a sample; an error for the GPUs that a request which failed was needed for
 */
export async function readSteps(
  view: ClusterView,
  name: string,
  sources: readonly CounterSource[],
  targets: Targets,
): Promise<ReadonlyMap<string, readonly Rise[] | Error>> {
  if (targets.size === 0) return new Map();
  const { start, end } = view.window;
  const { vendor } = view.cluster;
  const { silentS } = view.pace();
  let counted: readonly Source[];
  try {
    counted = await readCounted(view, name, sources, targets);
  } catch (error) {
    return new Map(
      [...targets].flatMap(([node, indexes]) => [...indexes].map((index) => [gpuKey(node, index), error as Error])),
    );
  }
  const born = new Set(
    counted.filter(({ stream, lifelong }) => !lifelong && isBorn(stream, start)).map(({ key }) => key),
  );
  const heartbeats = await readHeartbeats(view, only(targets, born), baselineReachS).catch((error: Error) => error);

  const found = new Map<string, readonly Rise[] | Error>();
  for (const [key, own] of Map.groupBy(counted, (one) => one.key)) {
    if (heartbeats instanceof Error && born.has(key)) {
      found.set(key, heartbeats);
      continue;
    }
    const heard = heartbeats instanceof Error ? [] : (heartbeats.get(key) ?? []);
    const spoken = own.filter(({ stream }) => stream.times.length > 0);
    const lowest = Math.min(...spoken.map(({ rank }) => rank));
    const steps = spoken
      .filter(({ rank }) => rank === lowest)
      .flatMap(({ device, stream, lifelong }) => {
        const before = lastScraped(heard, device, vendor, silentS);
        return rises(stream, start, end, { since: (at) => (lifelong ? null : before(at)) });
      });
    if (spoken.length > 0) found.set(key, steps);
  }
  return found;
}

/** One counter of one device of one GPU, from one of the reading's sources. */
interface Source extends Counted {
  readonly key: string;
  readonly rank: number;
  readonly lifelong: boolean;
}

async function readCounted(
  view: ClusterView,
  name: string,
  sources: readonly CounterSource[],
  targets: Targets,
): Promise<Source[]> {
  const { start, end } = view.window;
  const question = (query: ScopedQuery) => ({ kind: 'instant', query, time: end }) as const;
  const answers = await Promise.all(
    [...Map.groupBy(sources, partOf).values()].map(async (part) => {
      const raw = await askByGpu(view, name, part, targets, (selector) => [
        { answers: 'raw', question: question(promql`${selector}[${since(end - start + baselineReachS)}]`) },
      ]);
      return [...raw].flatMap(([key, own]) => {
        const rows = own.flatMap(({ rows: all }) => all);
        view.discardOf(key, name, blanksIn(rows, start));
        const { rank, lifelong = false } = part[0]!;
        return countersOf(rows, view.cluster.vendor, view.pace()).map(({ device, stream }) => ({
          key,
          rank,
          lifelong,
          device,
          stream,
        }));
      });
    }),
  );
  return answers.flat();
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
