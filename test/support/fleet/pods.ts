import { type Labels, type Series, series } from './series.ts';

/** One pod as kube-state-metrics sees it. Instants in epoch seconds; what is left out never happens. */
export interface KubePod {
  readonly name: string;
  readonly namespace?: string;
  /** Where it is scheduled; left out, it waits for a node for ever. */
  readonly node?: string;
  readonly uid?: string;
  /** What Kubernetes says made it: a Job, ReplicaSet, StatefulSet, MPIJob, DaemonSet; left out, nobody. */
  readonly owner?: readonly [kind: string, name: string];
  /** GPUs that it asked for. */
  readonly gpus?: number;
  readonly resource?: string;
  /** First seen, pending, without a node yet. */
  readonly created: number;
  /** When it got its node; `created` where left out. */
  readonly scheduled?: number;
  readonly running?: number;
  /** When it ended. It stays in view, with its node, until `deleted`. */
  readonly ended?: number;
  readonly endedAs?: 'Succeeded' | 'Failed';
  readonly deleted?: number;
}

/** How kube-state-metrics reaches the store: its labels kept, or moved aside to `exported_…` by those of its target. */
export type KubeShape = 'honoured' | 'exported';

const target = { instance: '10.1.0.3:8080', job: 'kube-state-metrics' };
const aside = { namespace: 'monitoring', pod: 'kube-state-metrics-7d8f', node: 'control-1', container: 'main' };

/** The labels of a kube-state-metrics series as they reach the store. */
export const kubeLabels = (own: Labels, shape: KubeShape = 'honoured', extra: Labels = {}): Labels => {
  if (shape === 'honoured') return { ...target, ...own, ...extra };
  const moved = Object.entries(own).map(([name, value]) => [name in aside ? `exported_${name}` : name, value]);
  return { ...target, ...aside, ...(Object.fromEntries(moved) as Labels), ...extra };
};

const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;

export const uidOfPod = ({ namespace = 'default', name, uid }: KubePod): string => uid ?? `uid-${namespace}-${name}`;

/** Everything that kube-state-metrics tells of one pod at these scrapes. */
export const podSeries = (
  pod: KubePod,
  times: readonly number[],
  shape: KubeShape = 'honoured',
  extra: Labels = {},
): Series[] => {
  const { name, namespace = 'default', node, owner, gpus = 0, resource = 'nvidia_com_gpu', created } = pod;
  const { scheduled = created, running = Infinity, ended = Infinity, endedAs = 'Succeeded', deleted = Infinity } = pod;
  const identity = { namespace, pod: name, uid: uidOfPod(pod) };
  const made: Labels = owner ? { created_by_kind: owner[0], created_by_name: owner[1] } : {};
  const owned: Labels = owner ? { owner_kind: owner[0], owner_name: owner[1], owner_is_controller: 'true' } : {};
  const at = (from: number, to = deleted) => times.filter((time) => time >= from && time < Math.min(to, deleted));
  const phaseAt = (time: number) => (time >= ended ? endedAs : time >= running ? 'Running' : 'Pending');
  const one = (metric: string, labels: Labels, own: readonly number[], value: (time: number) => number = () => 1) =>
    series(metric, kubeLabels(labels, shape, extra), own, value);
  const known = node === undefined ? Infinity : scheduled;
  return [
    one('kube_pod_info', { ...identity, ...made }, at(created, known)),
    ...(node === undefined ? [] : [one('kube_pod_info', { ...identity, ...made, node }, at(scheduled))]),
    one('kube_pod_owner', { ...identity, ...owned }, at(created)),
    ...phases.map((phase) =>
      one('kube_pod_status_phase', { ...identity, phase }, at(created), (time) => Number(phaseAt(time) === phase)),
    ),
    one('kube_pod_start_time', identity, at(known), () => scheduled),
    ...(gpus === 0
      ? []
      : [
          one(
            'kube_pod_container_resource_requests',
            { ...identity, container: 'main', ...(node === undefined ? {} : { node }), resource, unit: 'integer' },
            at(known),
            () => gpus,
          ),
        ]),
  ].filter(({ times: own }) => own.length > 0);
};

/** Who owns a Job (`kube_job_owner`) or a ReplicaSet: the step up to what a user made. */
export const ownerSeries = (
  of: 'Job' | 'ReplicaSet',
  name: string,
  owner: readonly [kind: string, name: string] | null,
  times: readonly number[],
  namespace = 'default',
  shape: KubeShape = 'honoured',
): Series => {
  const [metric, label] = of === 'Job' ? ['kube_job_owner', 'job_name'] : ['kube_replicaset_owner', 'replicaset'];
  const owned: Labels = owner ? { owner_kind: owner[0], owner_name: owner[1], owner_is_controller: 'true' } : {};
  return series(metric!, kubeLabels({ namespace, [label!]: name, ...owned }, shape), times, 1);
};
