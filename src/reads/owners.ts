import type { Labels } from '../domain/series.ts';
import type { WorkloadId } from '../domain/workload.ts';
import { kubeLabel, type Owner, ownerKey, ownerOf, type Pod, podKey, podOf } from '../identity/kube-pods.ts';
import { between, ownerships } from '../readings/pods.ts';

/** Pods, and what made them, as label sets of kube-state-metrics tell. */
export class Owners {
  readonly pods = new Map<string, Pod>();
  /** pod or controller → what owns it */
  readonly #of = new Map<string, Owner>();
  readonly #controlled = new Set<string>();

  /** @param series  of `kube_pod_owner` or `kube_pod_info`, and of the owners of controllers */
  constructor(series: readonly Labels[]) {
    for (const labels of series) {
      const controller = controllerOf(labels);
      const pod = controller ? null : podOf(labels);
      if (pod) this.pods.set(podKey(pod), pod);
      const key = controller ? ownerKey(controller) : pod && podKey(pod);
      const owner = ownerOf(labels);
      if (key && owner) this.#own(key, owner, labels['owner_is_controller'] === 'true');
    }
  }

  /** What made the pod, and what made that, and so on; empty for a pod that a user made. */
  chainOf(pod: Pod): readonly Owner[] {
    const chain: Owner[] = [];
    for (let owner = this.#of.get(podKey(pod)); owner && chain.length < longestChain;) {
      chain.push(owner);
      owner = this.#of.get(ownerKey(owner));
    }
    return chain;
  }

  /** An owner that is the controller wins over others; a pod has at most one. */
  #own(key: string, owner: Owner, isController: boolean): void {
    if (this.#of.has(key) && (this.#controlled.has(key) || !isController)) return;
    this.#of.set(key, owner);
    if (isController) this.#controlled.add(key);
  }
}

// A pod, its Job, the Job's JobSet. Nothing that Kubernetes makes is deeper.
const longestChain = 4;

/** The controller that a series of `kube_job_owner` or `kube_replicaset_owner` is about. */
function controllerOf(labels: Labels): Owner | null {
  for (const [kind, { metric, label }] of Object.entries(between)) {
    if (labels['__name__'] !== metric) continue;
    return { kind, namespace: kubeLabel(labels, 'namespace'), name: kubeLabel(labels, label) };
  }
  return null;
}

/** The workload that a pod is of: its topmost owner of a known kind; the pod itself where it has none. */
export function workloadOf(pod: Pod, chain: readonly Owner[]): WorkloadId {
  for (const { kind: word, namespace, name } of chain.toReversed()) {
    const known = ownerships.find((each) => each.word === word);
    if (known) return { kind: known.kind, namespace, name };
  }
  return { kind: 'POD', namespace: pod.namespace, name: pod.name };
}
