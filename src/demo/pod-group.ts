import type { profiles } from './profiles.ts';

export interface DemoPod {
  readonly name: string;
  readonly node: string;
  readonly gpus: readonly number[];
}

/** Pods that one controller made. `top` is what a user calls the workload; `controller` is what Kubernetes says owns the pods. */
export interface PodGroup {
  readonly cluster: string;
  readonly namespace: string;
  readonly top: readonly [kind: string, name: string];
  readonly controller: readonly [kind: string, name: string] | null;
  readonly container: string;
  readonly profile: keyof typeof profiles;
  /** Seconds since the demo started; `to` is when the pods finished. */
  readonly from: number;
  readonly to: number;
  readonly pods: readonly DemoPod[];
}
