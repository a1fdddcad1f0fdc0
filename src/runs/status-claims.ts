import { type Claim, type Fate, fateBefore, type Held } from './batch.ts';
import { sampleAt } from './sample.ts';
import type { StatusLeaf } from './status.ts';
import { statusLabels } from './stored.ts';

/** The leaves of one state, to be written together. */
export const statusClaims = (run: string, atMs: number, leaves: readonly StatusLeaf[]): Claim[] =>
  leaves.map((leaf) => ({ ...sampleAt(statusLabels(run, leaf), atMs, leaf.value), events: 0, rivals: 0 }));

/**
 * What a state comes to where something is held already: a moment has one state, and the first stands.
 *
 * @param heldAt  how many leaves are held of that moment
 */
export function fateOfStatus(claims: readonly Claim[], held: Held, heldAt: number): Fate | undefined {
  const fates = new Set(claims.map((claim) => fateBefore(claim, held)));
  if (heldAt === 0 && fates.size === 1 && fates.has(undefined)) return undefined;
  return fates.size === 1 && fates.has('repeated') && heldAt <= claims.length ? 'repeated' : 'conflicting';
}
