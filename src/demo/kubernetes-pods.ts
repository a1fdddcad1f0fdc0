import type { Labels } from '../domain/series.ts';
import { gpuResource, ipOf, uuidOf } from './fleet.ts';
import type { DemoCluster } from './fleet.ts';
import { pick } from './shapes.ts';
import type { Span } from './stream.ts';
import type { DemoPod, PodGroup } from './pod-group.ts';

export interface KubernetesReading {
  readonly name: string;
  readonly labels: Labels;
  readonly alive?: readonly Span[];
  readonly read: (at: number) => number;
}

/** A pod waits for a node, then for its image, then runs. */
const unscheduledS = 30;
const pendingS = 75;

const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;

/** Everything kube-state-metrics tells about one pod; a finished pod stays, with its node, until its workload is deleted. */
export function podReadings(cluster: DemoCluster, group: PodGroup, pod: DemoPod, t0: number): KubernetesReading[] {
  const created = group.from - pendingS;
  const scheduled = created + unscheduledS;
  const identity = {
    namespace: group.namespace,
    pod: pod.name,
    uid: uuidOf(`${cluster.name}/${group.namespace}/${pod.name}`),
  };
  const life = [{ from: created, to: Infinity }];
  const since = (from: number) => [{ from, to: Infinity }];
  const [kind, name] = group.controller ?? [];
  const maker = kind && name ? { created_by_kind: kind, created_by_name: name } : {};
  const owner = kind && name ? { owner_kind: kind, owner_name: name, owner_is_controller: 'true' } : {};
  const phaseAt = (at: number) => (at < group.from ? 'Pending' : at < group.to ? 'Running' : 'Succeeded');
  const node = {
    node: pod.node,
    host_ip: ipOf(cluster, pod.node),
    pod_ip: `10.244.${pick(pod.node, 250)}.${2 + pick(pod.name, 250)}`,
  };
  const info = { ...identity, ...maker, host_network: 'false' };

  return [
    { name: 'kube_pod_info', labels: info, alive: [{ from: created, to: scheduled }], read: () => 1 },
    { name: 'kube_pod_info', labels: { ...info, ...node }, alive: since(scheduled), read: () => 1 },
    { name: 'kube_pod_owner', labels: { ...identity, ...owner }, alive: life, read: () => 1 },
    ...phases.map((phase) => ({
      name: 'kube_pod_status_phase',
      labels: { ...identity, phase },
      alive: life,
      read: (at: number) => Number(phaseAt(at) === phase),
    })),
    { name: 'kube_pod_start_time', labels: identity, alive: since(scheduled), read: () => t0 + scheduled },
    ...(group.to < Infinity
      ? [{ name: 'kube_pod_completion_time', labels: identity, alive: since(group.to), read: () => t0 + group.to }]
      : []),
    ...(pod.gpus.length > 0
      ? [
          {
            name: 'kube_pod_container_resource_requests',
            labels: {
              ...identity,
              container: group.container,
              node: pod.node,
              resource: gpuResource[cluster.vendor],
              unit: 'integer',
            },
            alive: since(scheduled),
            read: () => pod.gpus.length,
          },
        ]
      : []),
  ];
}
