import { checks, families, flagKinds } from '../domain/fleet.ts';
import { kubernetesKinds as workloadKinds } from '../domain/workload.ts';
import type { PodPhase, WorkloadKind } from './generated/graphql.ts';

/** How the tools spell what the graph spells in its own way. */
export const lower = (name: string): string => name.toLowerCase();

export const lowered = (names: readonly string[]): string[] => names.map(lower);

export { workloadKinds };

export type KindName = keyof typeof workloadKinds;

export const kindNameOf = (kind: WorkloadKind): KindName =>
  (Object.keys(workloadKinds) as KindName[]).find((name) => workloadKinds[name] === kind)!;

export const phaseNames = {
  PENDING: 'Pending',
  RUNNING: 'Running',
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  UNKNOWN: 'Unknown',
} as const satisfies Record<PodPhase, string>;

export const placementSources = { HISTORY: 'history', CURRENT_PODS: 'current-pods' } as const;

export const ranges = { '1h': 'LAST_1H', '6h': 'LAST_6H', '24h': 'LAST_24H', '7d': 'LAST_7D' } as const;

const known = [...new Set([...families, ...checks, ...flagKinds])].sort((a, b) => b.length - a.length);
/** Whole words: no part of another name (`DCGM_FI_DEV_POWER`, `node-HBM`), and no word of a sentence (`XID events`, `XID 79`). */
const knownNames = new RegExp(`(?<![\\w.-])(?:${known.join('|')})(?![\\w-]|\\.\\w| events| \\d)`, 'g');

/**
 * Families, checks and kinds in a note of the graph's, as the answers spell them. Whatever else has capitals is somebody's name, like
 * the clock event HW_SLOWDOWN, and stays as the answers have it.
 */
export const inSmallLetters = (note: string): string => note.replace(knownNames, lower);
