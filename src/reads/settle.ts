import type { Claim, Fate } from '../runs/batch.ts';
import type { SeriesKey } from '../runs/sample.ts';
import { apartMs } from './run-samples.ts';
import type { NotTaken } from './write.ts';

/** Offers samples to a store, each series' in order of time. @returns as Write */
export type Offer = (series: readonly (readonly Claim[])[]) => Promise<NotTaken | null>;

/**
 * Writes claims. A store that refuses one sample can refuse all of a request for it: then each series goes by itself, and
 * what of it is not taken in parts.
 *
 * Behind the newest sample that a store has of a series it may take nothing more, so the parts go from there on. Where that
 * is not known, they are halves, the newer first: what is not taken for its age, is of nothing older either. So a store that
 * takes nothing any more is done with after a few requests; at most, a series needs as many as there are stretches in it,
 * and twice log2 of its samples. What the older half might still have been is lost then, and counted as refused.
 *
 * @param newestMs  the newest moment that the store is known to have of a series, of the stretches that were read
 * @throws          what `offer` throws; nothing is known then of what was offered
 */
export async function settle(
  claims: readonly Claim[],
  newestMs: (key: SeriesKey) => number | undefined,
  offer: Offer,
): Promise<ReadonlyMap<Claim, Fate>> {
  const fates = new Map<Claim, Fate>();
  const record = (some: readonly Claim[], fate: Fate): void => some.forEach((claim) => fates.set(claim, fate));
  const series = [...Map.groupBy(claims, ({ key }) => key).values()].map((own) =>
    own.toSorted((a, b) => a.tsMs - b.tsMs),
  );
  /** Of any series, nothing is taken up to here. */
  let tooOldMs = -Infinity;

  /** @returns why some of it is not taken, of the newest such sample */
  async function settleSeries(own: readonly Claim[], known?: NotTaken): Promise<NotTaken | null> {
    const young = own.filter(({ tsMs }) => tsMs > tooOldMs);
    record(own.slice(0, own.length - young.length), 'refused');
    const missed = young.length < own.length ? 'tooOld' : null;
    if (young.length === 0) return missed;
    const why = known ?? (await offer([young]));
    if (why === null) {
      record(young, 'written');
      return missed;
    }
    if (young.length === 1 || why === 'labels') {
      record(young, why === 'conflicting' ? 'conflicting' : 'refused');
      if (why === 'tooOld') tooOldMs = Math.max(tooOldMs, young.at(-1)!.tsMs);
      return why;
    }
    const from = why === 'late' ? firstInOrder(young, newestMs(young[0]!.key)) : 0;
    if (from > 0) {
      record(young.slice(0, from), 'refused');
      return (await settleSeries(young.slice(from))) ?? why;
    }
    const [older, newer] = [young.slice(0, young.length >> 1), young.slice(young.length >> 1)];
    // What is not taken for its time is of nothing beyond that time.
    const [first, second] = why === 'ahead' ? [older, newer] : [newer, older];
    const whyFirst = await settleSeries(first);
    if (whyFirst !== null && isForTime.has(whyFirst)) record(second, 'refused');
    else return (await settleSeries(second)) ?? whyFirst;
    return whyFirst;
  }

  if (series.length === 0) return fates;
  const why = await offer(series);
  if (why === null) record(claims, 'written');
  else if (series.length === 1) await settleSeries(series[0]!, why);
  // The newest first: where a store takes nothing of that age, no other has to be asked.
  else for (const own of series.toSorted((a, b) => b.at(-1)!.tsMs - a.at(-1)!.tsMs)) await settleSeries(own);
  return fates;
}

const isForTime: ReadonlySet<NotTaken> = new Set(['late', 'tooOld', 'ahead']);

/**
 * The first that can be newer than all that the store has of its series: behind what is known, else behind the first
 * stretch, of which all is known. 0 where there is none.
 */
function firstInOrder(own: readonly Claim[], newestMs = -Infinity): number {
  const behindKnown = own.findIndex(({ tsMs }) => tsMs > newestMs);
  if (behindKnown > 0) return behindKnown;
  return Math.max(
    0,
    own.findIndex(({ tsMs }, i) => i > 0 && tsMs - own[i - 1]!.tsMs > apartMs),
  );
}
