import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import type { Held } from '../runs/batch.ts';
import { keyOf, type Sample, type SeriesKey } from '../runs/sample.ts';
import { oneOf, promql, type ScopedQuery, selectAny, span } from '../scope/scope.ts';
import type { Upstream } from './upstream.ts';

/** Of events farther apart, what lies between is not read. */
export const apartMs = 600_000;
/** Longest text of the names that a question is narrowed to. */
const longestNames = 4_000;
/** Samples that are read back for one report. */
const mostHeld = 1_000_000;

/** What the store has of a run. */
export interface HeldSamples extends Held {
  /** The newest of a series that was read. */
  newestMs(key: SeriesKey): number | undefined;
  /** How many series of those that were read have a sample of that moment. */
  seriesAt(tsMs: number): number;
}

/**
 * What the store has of a run around these samples: each question covers those that lie close together.
 *
 * @throws Refusal, as Ask says
 */
export async function readHeld(
  upstream: Upstream,
  cluster: ClusterSite,
  run: string,
  samples: readonly Sample[],
): Promise<HeldSamples> {
  const selector = selectorOf(cluster, run, samples);
  const moments = new Set(samples.map(({ tsMs }) => tsMs));
  const held = new Map<SeriesKey, { newestMs: number; at: Map<number, number> }>();
  let read = 0;
  const answers = stretchesOf([...moments]).map(async ([fromMs, toMs]) => {
    // The first moment lies inside the range: a store that closes it at both ends shows a millisecond more.
    const query = promql`${selector}[${span((toMs - fromMs + 1) / 1000)}]`;
    const question = { kind: 'instant', query, time: toMs / 1000, most: mostHeld } as const;
    const rows = await upstream.rows(cluster, 'run: held', question).catch(told);
    for (const { labels, times, values } of rows) {
      read += times.length;
      if (read > mostHeld) throw tooMuchHeld();
      const key = keyOf(labels);
      const own = held.get(key) ?? { newestMs: -Infinity, at: new Map<number, number>() };
      held.set(key, own);
      times.forEach((time, i) => {
        const tsMs = Math.round(time * 1000);
        own.newestMs = Math.max(own.newestMs, tsMs);
        // Where it has two of one moment, the first that it was given is not known; any is one that stands.
        if (moments.has(tsMs)) own.at.set(tsMs, values[i]!);
      });
    }
  });
  await Promise.all(answers);
  return {
    valueAt: (key, tsMs) => held.get(key)?.at.get(tsMs),
    newestMs: (key) => held.get(key)?.newestMs,
    seriesAt: (tsMs) => [...held.values()].filter(({ at }) => at.has(tsMs)).length,
  };
}

/** @throws Refusal, in words about the report */
function told(error: unknown): never {
  throw error instanceof Refusal && error.code === 'QUERY_TOO_LARGE' ? tooMuchHeld(error) : error;
}

const tooMuchHeld = (cause?: unknown): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    'The run has more samples in the time of this report than are read back; nothing was written. Send fewer events, or such as lie closer together.',
    { cause },
  );

function selectorOf(cluster: ClusterSite, run: string, samples: readonly Sample[]): ScopedQuery {
  const metrics = [...new Set(samples.map(({ labels }) => labels['__name__']!))];
  // What has no `metric` is an annotation or a moment.
  const names = new Set(samples.map(({ labels }) => labels['metric'] ?? ''));
  const isShort = [...names].reduce((sum, name) => sum + name.length, 0) <= longestNames;
  return selectAny(cluster, metrics, [
    { label: 'run', op: '=', value: run },
    ...(isShort ? [oneOf('metric', names)] : []),
  ]);
}

/** From the first to the last moment of each stretch in which they lie close together. */
function stretchesOf(moments: readonly number[]): [fromMs: number, toMs: number][] {
  const stretches: [number, number][] = [];
  for (const tsMs of moments.toSorted((a, b) => a - b)) {
    const last = stretches.at(-1);
    if (last && tsMs - last[1] <= apartMs) last[1] = tsMs;
    else stretches.push([tsMs, tsMs]);
  }
  return stretches;
}
