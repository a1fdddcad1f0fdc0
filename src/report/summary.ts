import type { Loss, Tally } from './tally.ts';

export type Outcome = 'finished' | 'interrupted';

/** How a run ended. With `--json` it is the last line of standard output; it is no event, and has no `ts_ms`. */
export interface Summary {
  readonly kind: 'summary';
  /** Where numbers went. */
  readonly metrics: string;
  readonly outcome: Outcome;
  /** The step begun last; null where there was none. */
  readonly step: number | null;
  /** Of this process. */
  readonly train_seconds: number;
  /** Events of the run: those that arrived, and those that were lost. Where numbers went nowhere, 0. */
  readonly events: number;
  readonly delivered: number;
  readonly lost: number;
  /** How many of the lost ones for which reason. */
  readonly lost_to: Readonly<Partial<Record<Loss, number>>>;
}

export const summaryOf = (
  metrics: string,
  { events, delivered, lost, lostTo }: Tally,
  { outcome, step, trainSeconds }: { outcome: Outcome; step: number | null; trainSeconds: number },
): Summary => ({
  kind: 'summary',
  metrics,
  outcome,
  step,
  train_seconds: trainSeconds,
  events,
  delivered,
  lost,
  lost_to: { ...lostTo },
});
