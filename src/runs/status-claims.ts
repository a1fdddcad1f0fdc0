import { type Claim, type Fate, type Held, isSame } from './batch.ts';
import { sampleAt } from './sample.ts';
import type { StatusLeaf } from './status.ts';
import { statusLabels } from './stored.ts';

/** The leaves of one state, to be written together. */
export const statusClaims = (run: string, atMs: number, leaves: readonly StatusLeaf[]): Claim[] =>
  leaves.map((leaf) => ({ ...sampleAt(statusLabels(run, leaf), atMs, leaf.value), said: [] }));

/**
 * What a state comes to where something is held already: a moment has one state, and the first stands.
 *
 * @param heldAt  how many leaves are held of that moment
 * @returns       undefined where nothing is held
 */
export function fateOfStatus(claims: readonly Claim[], held: Held, heldAt: number): Fate | undefined {
  const values = claims.map(({ key, tsMs }) => held.valueAt(key, tsMs));
  if (heldAt === 0 && values.every((value) => value === undefined)) return undefined;
  const isAll = claims.every(({ value }, i) => values[i] !== undefined && isSame(values[i], value));
  return isAll && heldAt <= claims.length ? 'repeated' : 'conflicting';
}
