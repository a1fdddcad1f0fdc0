import type { Labels } from '../domain/series.ts';
import type { Site } from '../domain/site.ts';

/** A pod as kube-state-metrics names it. */
export interface Pod {
  readonly namespace: string;
  readonly name: string;
  /** '' where an old kube-state-metrics does not tell. */
  readonly uid: string;
  /** Its own labels were moved aside to `exported_…`, as its target has some of the same names. */
  readonly aside: boolean;
}

/** What owns a pod or a controller, in Kubernetes' words. */
export interface Owner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Labels that kube-state-metrics' target often has too: then the plain ones name kube-state-metrics itself. */
const contested = ['namespace', 'pod', 'uid', 'node'];

/** Every label in which a series may name its pod; those that name its node are the site's to say. */
export const podLabels: readonly string[] = contested.flatMap((label) => [label, `exported_${label}`]);

/** The value that kube-state-metrics gave a label, wherever the store put it. */
export const kubeLabel = (labels: Labels, name: string): string => labels[`exported_${name}`] || labels[name] || '';

/** Null where the labels name no pod. */
export function podOf(labels: Labels): Pod | null {
  const [namespace, name] = [kubeLabel(labels, 'namespace'), kubeLabel(labels, 'pod')];
  return name ? { namespace, name, uid: kubeLabel(labels, 'uid'), aside: isAside(labels) } : null;
}

/** One pod in all that is told of it: names are used again, uids are not. */
export const podKey = ({ namespace, name, uid }: Pod): string => uid || nameKey({ namespace, name });
export const nameKey = ({ namespace, name }: Pick<Pod, 'namespace' | 'name'>): string => `${namespace}/${name}`;

/** Where the pod is scheduled; '' while it is nowhere. */
export function podNodeOf(site: Site, labels: Labels): string {
  // The label of a pod without a node is empty, so nothing moves the target's own aside.
  const own = isAside(labels) ? ({ ...labels, node: '' } as Labels) : labels;
  return site.exporters.kubeStateMetrics.nodeLabels.map((label) => own[label]).find(Boolean) ?? '';
}

const isAside = (labels: Labels): boolean => Boolean(labels['exported_pod'] ?? labels['exported_namespace']);

/** Of the two ways in which a pod's series tell what made it; null where nobody did. */
export function ownerOf(labels: Labels): Owner | null {
  const kind = labels['owner_kind'] ?? labels['created_by_kind'] ?? '';
  const name = labels['owner_name'] ?? labels['created_by_name'] ?? '';
  // Before 2.8 kube-state-metrics wrote `<none>`.
  if (kind === '' || name === '' || kind === '<none>') return null;
  return { kind, name, namespace: kubeLabel(labels, 'namespace') };
}

export const ownerKey = ({ kind, namespace, name }: Owner): string => `${kind} ${namespace}/${name}`;
