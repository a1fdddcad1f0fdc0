/** What a user calls a workload. `POD` is a pod that nothing of the other kinds made. */
export const workloadKinds = ['JOB', 'JOB_SET', 'MPI_JOB', 'DEPLOYMENT', 'STATEFUL_SET', 'POD'] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

/** Kubernetes' own spelling. */
export const kubernetesKinds = {
  Job: 'JOB',
  JobSet: 'JOB_SET',
  MPIJob: 'MPI_JOB',
  Deployment: 'DEPLOYMENT',
  StatefulSet: 'STATEFUL_SET',
  Pod: 'POD',
} as const satisfies Record<string, WorkloadKind>;

export const podPhases = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'] as const;
export type PodPhase = (typeof podPhases)[number];

/** Where a placement comes from: the window's own samples, or the pods that exist now. */
export type PlacementSource = 'HISTORY' | 'CURRENT_PODS';

export interface WorkloadId {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/** Kubernetes' names hold no slash. */
export const workloadKey = ({ kind, namespace, name }: WorkloadId): string => `${namespace}/${name}/${kind}`;
