import type { Span } from './stream.ts';
import { profiles } from './profiles.ts';
import type { Profile } from './profiles.ts';
import { podGroups } from './workloads.ts';
import type { DemoPod, PodGroup } from './pod-group.ts';

/** A time in which one pod, or none, held a GPU. */
export interface Tenancy extends Span {
  readonly pod: DemoPod | null;
  readonly group: PodGroup | null;
  readonly profile: Profile | null;
}

const idle = { pod: null, group: null, profile: null };

/** Who held a GPU over all time, in order and without holes. */
export function tenanciesOf(node: string, gpu: number): Tenancy[] {
  const held = podGroups
    .flatMap((group) => group.pods.map((pod) => ({ pod, group })))
    .filter(({ pod }) => pod.node === node && pod.gpus.includes(gpu))
    .map(({ pod, group }) => ({ pod, group, profile: profiles[group.profile], from: group.from, to: group.to }))
    .sort((a, b) => a.from - b.from);
  const tenancies: Tenancy[] = [];
  let free = -Infinity;
  for (const tenancy of held) {
    tenancies.push({ ...idle, from: free, to: tenancy.from }, tenancy);
    free = tenancy.to;
  }
  return [...tenancies, { ...idle, from: free, to: Infinity }].filter(({ from, to }) => from < to);
}

/** The whole of time under one anonymous tenant: the shared pool shows its boards, not who uses them. */
export const anonymously = (profile: Profile): Tenancy[] => [
  { pod: null, group: null, profile, from: -Infinity, to: Infinity },
];
