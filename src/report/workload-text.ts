import { kubernetesKinds, type WorkloadId } from '../domain/workload.ts';

/** What the gateway takes for the name of a cluster, a run, a namespace or a workload. */
export const legalName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;

/** `Job/default/train-llm` as people write it, or `Job/train-llm` in the namespace `default`; null where it is no workload. */
export function workloadOf(text: string): WorkloadId | null {
  const [kind = '', ...names] = text.split('/');
  const [namespace = '', name = '', ...rest] = names.length === 1 ? ['default', ...names] : names;
  if (!Object.hasOwn(kubernetesKinds, kind) || rest.length > 0) return null;
  if (!legalName.test(namespace) || !legalName.test(name)) return null;
  return { kind: kubernetesKinds[kind as keyof typeof kubernetesKinds], namespace, name };
}

/** For messages. */
export const workloadForm = `Kind/namespace/name, where Kind is one of ${Object.keys(kubernetesKinds).join(', ')}`;
