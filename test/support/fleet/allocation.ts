import { type GpuSamples } from './gpu-samples.ts';
import type { Series } from './series.ts';
import type { Sample } from './truth.ts';

type Span = readonly [from: number, to: number];

/** From the first to the last sighting as Running of each pod that kube-state-metrics saw on a node. */
const runningOn = (all: readonly Series[], node: string): { pod: string; uid: string; span: Span }[] =>
  all
    .filter(({ labels }) => labels['__name__'] === 'kube_pod_info' && labels['node'] === node)
    .flatMap(({ labels: { pod, uid } }) => {
      const running = all
        .filter(
          ({ labels }) =>
            labels['__name__'] === 'kube_pod_status_phase' && labels['uid'] === uid && labels['phase'] === 'Running',
        )
        .flatMap(({ times, values }) => times.filter((_, at) => values[at] === 1));
      return running.length === 0
        ? []
        : [{ pod: pod!, uid: uid!, span: [Math.min(...running), Math.max(...running)] as const }];
    });

/** The pods of a node that can have used its GPUs: those that asked for some; where nobody is known to ask, all but daemons. */
const candidates = (all: readonly Series[], node: string) => {
  const asked = all.filter(({ labels }) => labels['__name__'] === 'kube_pod_container_resource_requests');
  const isDaemon = (uid: string): boolean =>
    all.some(({ labels }) => labels['uid'] === uid && labels['owner_kind'] === 'DaemonSet');
  const mayUse = (uid: string): boolean =>
    asked.length > 0 ? asked.some(({ labels }) => labels['uid'] === uid) : !isDaemon(uid);
  return runningOn(all, node).filter(({ uid }) => mayUse(uid));
};

/**
 * The samples of a GPU's activity that were taken while the GPU was somebody's: by the pod labels on the node's GPU
 * series where there are any, else by the pods that ran on the node. `own` narrows it to one workload's pods.
 */
export const allocated = (
  all: readonly Series[],
  node: string,
  gpus: readonly GpuSamples[],
  gpu: GpuSamples,
  own: (pod: string) => boolean = () => true,
): Sample[] => {
  if (gpus.some(({ pods }) => pods.size > 0)) {
    const held = [...gpu.pods].filter(([pod]) => own(pod)).map(([, times]) => times);
    return gpu.activity.filter(([time]) => held.some((times) => times.has(time)));
  }
  const spans = candidates(all, node).filter(({ pod }) => own(pod));
  return gpu.activity.filter(([time]) => spans.some(({ span: [from, to] }) => time >= from && time <= to));
};
