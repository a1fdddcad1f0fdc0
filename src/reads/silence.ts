import type { Row } from '../domain/series.ts';
import type { Exporter } from '../domain/site.ts';
import { type Gap, gaps } from '../samples/silence.ts';
import { empty } from '../samples/stream.ts';
import { promql, type ScopedQuery, since } from '../scope/scope.ts';
import type { Question } from './ask.ts';
import type { ClusterView } from './view.ts';

/** Whether something said anything in the window, and the stretches in which it said nothing for too long. */
export interface Presence {
  readonly present: boolean;
  readonly silent: readonly Gap[];
}

/** What silence is judged on: the window, but never the future, and never less than what makes a silence. */
export interface Watch {
  readonly start: number;
  readonly end: number;
  readonly scrapeS: number;
  readonly silentS: number;
}

const recentS = 300;

export function watchOf(view: ClusterView, exporter: Exporter): Watch {
  const pace = view.pace(exporter);
  const end = view.until;
  return { ...pace, end, start: Math.min(view.window.start, end - pace.silentS - pace.scrapeS) };
}

/** The requests that may prove that there was no silence: samples in all, and lately. */
export const countingQuestions = (
  selector: ScopedQuery,
  { start, end }: Watch,
): Record<'all' | 'lately', Question> => ({
  all: { kind: 'instant', query: promql`count_over_time(${selector}[${since(end - start)}])`, time: end },
  lately: { kind: 'instant', query: promql`count_over_time(${selector}[${since(recentS)}])`, time: end },
});

/** All heartbeats, where the counts prove nothing. */
export const heartbeatsQuestion = (selector: ScopedQuery, { start, end }: Watch): Question => ({
  kind: 'instant',
  query: promql`${selector}[${since(end - start)}]`,
  time: end,
});

/**
 * How many samples one series that was never silent has. How often things are really scraped is what most of them show
 * of late: what the configuration says may be wrong, and a count that is taken on trust could hide half a window.
 */
export function expectedCount(lately: readonly Row[], { start, end }: Watch): number {
  const counts = Map.groupBy(lately, ({ values }) => values[0]!);
  const [usual] = [...counts].sort(([a, x], [b, y]) => y.length - x.length || b - a)[0] ?? [0];
  return ((end - start) * usual) / recentS;
}

/** Null where the number of samples does not prove that there was no silence: too few, too many, several series. */
export function byCount(rows: readonly Row[], expected: number, watch: Watch): Presence | null {
  if (rows.length === 0) return { present: false, silent: gaps(empty, watch.start, watch.end, 0) };
  const [count, span] = [rows[0]!.values[0]!, watch.end - watch.start];
  // A silence that counts is missing more samples than this.
  const slack = ((watch.silentS / span) * expected) / 2;
  const isProof =
    rows.length === 1 && expected > 0 && count >= expected - slack && count <= expected * (1 + 60 / span) + 2;
  return isProof ? { present: true, silent: [] } : null;
}

/** What the heartbeats themselves say. */
export function byTimes(rows: readonly Row[], { start, end, silentS }: Watch, from: number): Presence {
  const times = Float64Array.from(new Set(rows.flatMap((row) => [...row.times])))
    .filter((time) => time > start && time <= end)
    .sort();
  const present = times.some((time) => time > Math.min(from, end - silentS));
  return { present, silent: gaps({ times, values: times }, start, end, silentS) };
}
