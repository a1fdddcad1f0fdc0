import type { WorkloadId } from '../domain/workload.ts';
import type { RunEvent } from './event.ts';
import { type Sample, sampleAt, sampleOf, type SeriesKey } from './sample.ts';
import { eventLabels, noStep } from './stored.ts';

/** What became of a sample. */
export type Fate = 'written' | 'repeated' | 'conflicting' | 'refused';

/** A sample that is to be written, and the events that say it. */
export interface Claim extends Sample {
  /** Events with this value; 0 where the gateway adds it of its own. */
  readonly events: number;
  /** Events with another value for the same series and moment. The first stands. */
  readonly rivals: number;
}

/** How many events came to what. */
export type Fates = Readonly<Record<Fate, number>>;

/** What is held already: by series, then by moment. */
export interface Held {
  valueAt(key: SeriesKey, tsMs: number): number | undefined;
}

/**
 * The samples of a batch of events: theirs, one for each series and moment, and one for each moment in which the run
 * reported anything.
 */
export function claimsOf(run: string, workload: WorkloadId | null, events: readonly RunEvent[]): Claim[] {
  const claims = new Map<string, { sample: Sample; events: number; rivals: number }>();
  const moments = new Map<number, number>();
  for (const event of events) {
    const sample = sampleOf(run, event);
    const at = `${sample.tsMs} ${sample.key}`;
    const held = claims.get(at);
    if (!held) claims.set(at, { sample, events: 1, rivals: 0 });
    else if (isSame(held.sample.value, sample.value)) held.events += 1;
    else held.rivals += 1;
    moments.set(event.tsMs, Math.max(moments.get(event.tsMs) ?? noStep, event.step ?? noStep));
  }
  const labels = eventLabels(run, workload);
  return [
    ...[...claims.values()].map(({ sample, ...counts }) => ({ ...sample, ...counts })),
    ...[...moments].map(([tsMs, step]) => ({ ...sampleAt(labels, tsMs, step), events: 0, rivals: 0 })),
  ];
}

/** What a claim comes to where something is held already; undefined where nothing is. */
export function fateBefore({ key, tsMs, value }: Claim, held: Held): Fate | undefined {
  const before = held.valueAt(key, tsMs);
  if (before === undefined) return undefined;
  return isSame(before, value) ? 'repeated' : 'conflicting';
}

/** The events of claims, by what became of these. */
export function countFates(fates: ReadonlyMap<Claim, Fate>): Fates {
  const counts = { written: 0, repeated: 0, conflicting: 0, refused: 0 };
  for (const [{ events, rivals }, fate] of fates) {
    counts.conflicting += rivals;
    // Of the same event twice, one is new.
    const isNew = fate === 'written' && events > 0;
    counts[fate] += isNew ? 1 : events;
    if (isNew) counts.repeated += events - 1;
  }
  return counts;
}

/** VictoriaMetrics keeps a number to about fifteen digits. */
const sameWithin = 1e-12;

const isSame = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= sameWithin * Math.max(Math.abs(a), Math.abs(b));
