import type { Labels } from '../domain/series.ts';
import type { Spent } from './ask.ts';

/** One series to be written: its labels with `__name__`, its times in epoch milliseconds, rising. */
export interface WrittenSeries {
  readonly labels: Labels;
  readonly samples: readonly { readonly tsMs: number; readonly value: number }[];
}

/**
 * Why a store takes a sample never, however often it is offered:
 *
 * - `late`: its series has newer ones
 * - `tooOld`: it takes none of that age, of any series
 * - `ahead`: it lies too far in the future
 * - `conflicting`: another value stands at that moment
 * - `labels`: the series has more or longer labels than the store takes
 */
export type NotTaken = 'late' | 'tooOld' | 'ahead' | 'conflicting' | 'labels';

/**
 * The port through which runs are written to a store, by remote write.
 *
 * @returns null: all of it is taken; or why one of the samples, which need not be the only one, is not. Some stores
 *          then have nothing of the request, others all the rest of it.
 * @throws Refusal METRICS_UNAVAILABLE: no answer, 5xx, not its API, or it takes no writes; it may have taken some or all of it
 * @throws Refusal THROTTLED: the store's own 429
 */
export type Write = (series: readonly WrittenSeries[], signal?: AbortSignal, spent?: Spent) => Promise<NotTaken | null>;
