import type { WorkloadKind } from '../domain/workload.ts';

/** What kube-state-metrics calls what it tells of pods and of what made them. */
export const podMetrics = {
  info: 'kube_pod_info',
  owner: 'kube_pod_owner',
  phase: 'kube_pod_status_phase',
  started: 'kube_pod_start_time',
  created: 'kube_pod_created',
  requests: 'kube_pod_container_resource_requests',
} as const;

/** Whole GPUs, MIG instances (`nvidia_com_mig_1g_10gb`) and shared ones (`nvidia_com_gpu_shared`), of either maker. RE2. */
export const gpuResources = '(?:nvidia|amd)_com_.+';

/** A controller that stands between pods and what a user made: the metric that tells its owner, and the label of its name. */
export interface Between {
  readonly metric: string;
  readonly label: string;
}
export const between: Readonly<Record<string, Between>> = {
  Job: { metric: 'kube_job_owner', label: 'job_name' },
  ReplicaSet: { metric: 'kube_replicaset_owner', label: 'replicaset' },
};

/** One kind of workload: Kubernetes' word for it, and how its pods name it as their owner. */
export interface Ownership {
  readonly kind: Exclude<WorkloadKind, 'POD'>;
  readonly word: string;
  /** It owns pods itself. */
  readonly direct: boolean;
  /** It owns controllers of this word, which own pods. */
  readonly through: string | null;
}

export const ownerships: readonly Ownership[] = [
  { kind: 'JOB', word: 'Job', direct: true, through: null },
  { kind: 'JOB_SET', word: 'JobSet', direct: false, through: 'Job' },
  // Its workers are its own; its launcher is a Job's.
  { kind: 'MPI_JOB', word: 'MPIJob', direct: true, through: 'Job' },
  { kind: 'DEPLOYMENT', word: 'Deployment', direct: false, through: 'ReplicaSet' },
  { kind: 'STATEFUL_SET', word: 'StatefulSet', direct: true, through: null },
];

export const podMetricNames: readonly string[] = [
  ...Object.values(podMetrics),
  ...Object.values(between).map(({ metric }) => metric),
];
