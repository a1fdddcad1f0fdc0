import type { WorkloadId } from '../domain/workload.ts';
import type { RunEvent } from './event.ts';
import { type Sample, sampleAt, sampleOf, type SeriesKey } from './sample.ts';
import { eventLabels, noStep } from './stored.ts';

/** What became of events. */
export type Fate = 'written' | 'repeated' | 'conflicting' | 'refused';

/** A sample that is to be written, and the events that say it. */
export interface Claim extends Sample {
  /**
   * What each event of this series and moment says, in the order of the report: the first is the sample, and stands against
   * the others. Empty where the gateway adds the sample of its own.
   */
  readonly said: readonly number[];
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
  const claims = new Map<string, { sample: Sample; said: number[] }>();
  const moments = new Map<number, number>();
  for (const event of events) {
    const sample = sampleOf(run, event);
    const at = `${sample.tsMs} ${sample.key}`;
    const held = claims.get(at);
    if (held) held.said.push(sample.value);
    else claims.set(at, { sample, said: [sample.value] });
    moments.set(event.tsMs, Math.max(moments.get(event.tsMs) ?? noStep, event.step ?? noStep));
  }
  const labels = eventLabels(run, workload);
  return [
    ...[...claims.values()].map(({ sample, said }) => ({ ...sample, said })),
    ...[...moments].map(([tsMs, step]) => ({ ...sampleAt(labels, tsMs, step), said: [] })),
  ];
}

/**
 * The events of claims, by what became of them.
 *
 * @param fates  of those claims that were not held already
 */
export function countFates(claims: readonly Claim[], fates: ReadonlyMap<Claim, Fate>, held: Held): Fates {
  const counts = { written: 0, repeated: 0, conflicting: 0, refused: 0 };
  for (const claim of claims) {
    const fate = fates.get(claim) ?? 'repeated';
    const stands = fates.has(claim) ? claim.value : held.valueAt(claim.key, claim.tsMs)!;
    claim.said.forEach((value, i) => {
      // Of the same event twice, one is new.
      const again = fate === 'written' && i > 0 ? 'repeated' : fate;
      counts[isSame(value, stands) ? again : 'conflicting'] += 1;
    });
  }
  return counts;
}

/** VictoriaMetrics keeps a number to about fifteen digits. */
const sameWithin = 1e-12;

export const isSame = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= sameWithin * Math.max(Math.abs(a), Math.abs(b));
