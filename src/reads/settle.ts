import type { Claim, Fate } from '../runs/batch.ts';
import type { SeriesKey } from '../runs/sample.ts';
import type { NotTaken } from './write.ts';

/** Offers samples to a store, each series' in order of time. @returns as Write */
export type Offer = (series: readonly (readonly Claim[])[]) => Promise<NotTaken | null>;

/**
 * Writes claims. A store that refuses one sample can refuse all of a request for it: then each series goes by itself, and
 * of a series that is not taken the newer half, then the older.
 *
 * What a store does not take because it is old, it takes of nothing older: so a store that takes nothing any more is
 * done with after a few requests, and 2 + log2 of its samples are the most for a series. Where a store takes nothing
 * behind the newest sample of a series, the older half can be lost to that; what it has of the series (`newestMs`) is known
 * to lie behind it, so this needs samples there that lie between those of the batch, and they are counted as refused.
 *
 * @param newestMs  the newest moment that the store is known to have of a series
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
    const behind = why === 'late' ? young.findIndex(({ key, tsMs }) => tsMs > (newestMs(key) ?? Infinity)) : -1;
    const cut = behind > 0 ? behind : young.length >> 1;
    const [older, newer] = [young.slice(0, cut), young.slice(cut)];
    const whyNewer = await settleSeries(newer);
    if (behind > 0 || isForAge(whyNewer)) record(older, 'refused');
    else return (await settleSeries(older)) ?? whyNewer;
    return whyNewer ?? why;
  }

  if (series.length === 0) return fates;
  const why = await offer(series);
  if (why === null) record(claims, 'written');
  else if (series.length === 1) await settleSeries(series[0]!, why);
  // The newest first: where a store takes nothing of that age, no other has to be asked.
  else for (const own of series.toSorted((a, b) => b.at(-1)!.tsMs - a.at(-1)!.tsMs)) await settleSeries(own);
  return fates;
}

const isForAge = (why: NotTaken | null): boolean => why === 'late' || why === 'tooOld';
