import type { Labels } from '../domain/series.ts';
import { clusters, cpusPerNode, daemonPod, gpuResource, gpusPerNode, ipOf, uuidOf } from './fleet.ts';
import type { DemoCluster } from './fleet.ts';
import { podReadings } from './kubernetes-pods.ts';
import type { KubernetesReading } from './kubernetes-pods.ts';
import { always, each } from './stream.ts';
import type { Stream } from './stream.ts';
import { podGroups } from './workloads.ts';
import type { PodGroup } from './pod-group.ts';

const exporterDaemons = {
  nvidia: ['gpu-operator', 'nvidia-dcgm-exporter'],
  amd: ['kube-amd-gpu', 'device-metrics-exporter'],
} as const;

/** Node conditions and what each says of a healthy node. */
const conditions = { Ready: 'true', MemoryPressure: 'false', DiskPressure: 'false', PIDPressure: 'false' } as const;

function nodeReadings(cluster: DemoCluster, node: string): KubernetesReading[] {
  const allocatable = [
    ['cpu', 'core', cpusPerNode],
    [gpuResource[cluster.vendor], 'integer', gpusPerNode],
  ] as const;
  return [
    {
      name: 'kube_node_info',
      labels: {
        node,
        internal_ip: ipOf(cluster, node),
        kernel_version: '6.8.0-79-generic',
        os_image: 'Ubuntu 24.04.3 LTS',
        container_runtime_version: 'containerd://2.1.4',
        kubelet_version: 'v1.33.4',
        system_uuid: uuidOf(`${node}/system`),
      },
      read: () => 1,
    },
    ...Object.entries(conditions).flatMap(([condition, holds]) =>
      ['true', 'false', 'unknown'].map((status) => ({
        name: 'kube_node_status_condition',
        labels: { node, condition, status },
        read: () => Number(status === holds),
      })),
    ),
    ...allocatable.map(([resource, unit, amount]) => ({
      name: 'kube_node_status_allocatable',
      labels: { node, resource, unit },
      read: () => amount,
    })),
  ];
}

/** Who owns the controllers of a group's pods: the step from a child Job or a ReplicaSet up to what a user made. */
function ownerReadings({ namespace, controller, top }: PodGroup): KubernetesReading[] {
  const [kind, name] = controller ?? ['', ''];
  const own = { Job: ['kube_job_owner', 'job_name'], ReplicaSet: ['kube_replicaset_owner', 'replicaset'] }[kind];
  if (!own) return [];
  const [metric, label] = own as [string, string];
  // A Job that a user made has no owner: kube-state-metrics prints empty labels, which a store drops.
  const owner = top[0] === kind ? {} : { owner_kind: top[0], owner_name: top[1], owner_is_controller: 'true' };
  return [{ name: metric, labels: { namespace, [label]: name, ...owner }, read: () => 1 }];
}

function daemonsOf({ name, vendor, nodes }: DemoCluster): PodGroup {
  const [namespace, daemonSet] = exporterDaemons[vendor];
  return {
    cluster: name,
    namespace,
    container: daemonSet,
    profile: 'hostOnly',
    from: -90 * 86_400,
    to: Infinity,
    top: ['DaemonSet', daemonSet],
    controller: ['DaemonSet', daemonSet],
    pods: nodes.map((node) => ({ name: daemonPod(daemonSet, node), node, gpus: [] })),
  };
}

/** The clusters with tenants as kube-state-metrics shows them, honouring its labels. */
export function kubernetesStreams(t0: number): Stream[] {
  return clusters
    .filter(({ tenants }) => tenants)
    .flatMap((cluster) => {
      const groups = [...podGroups.filter((group) => group.cluster === cluster.name), daemonsOf(cluster)];
      const target: Labels = {
        cluster: cluster.name,
        endpoint: 'http',
        instance: `${cluster.network}.5:8080`,
        job: 'kube-state-metrics',
        service: 'kube-state-metrics',
      };
      return [
        ...cluster.nodes.flatMap((node) => nodeReadings(cluster, node)),
        ...groups.flatMap(ownerReadings),
        ...groups.flatMap((group) => group.pods.flatMap((pod) => podReadings(cluster, group, pod, t0))),
      ].map(({ name, labels, read, alive }): Stream => ({
        name,
        type: 'gauge',
        labels: { ...labels, ...target },
        alive: alive ?? always,
        at: each(read),
      }));
    });
}
