import type { Labels } from '../domain/series.ts';
import { type WorkloadId, workloadKey } from '../domain/workload.ts';
import { type Owner, type Pod, podKey } from '../identity/kube-pods.ts';
import { between, type Ownership, ownerships, podMetrics } from '../readings/pods.ts';
import { type ScopedQuery, select } from '../scope/scope.ts';
import { Owners } from './owners.ts';
import { namedLike } from './pod-names.ts';
import type { ClusterView } from './view.ts';

/**
 * The pods of workloads whose series may lie in a stretch of time; a store's index is coarser than that, so only samples
 * tell which of them were there.
 *
 * Upstream: one request for the controllers that some kinds put between, and one for the pods; whatever their number.
 */
export async function readPodsOf(
  view: ClusterView,
  ids: readonly WorkloadId[],
  start: number,
  end: number,
): Promise<ReadonlyMap<string, readonly Pod[]>> {
  const series = async (what: string, match: readonly ScopedQuery[]): Promise<Labels[]> => {
    if (match.length === 0) return [];
    return (await view.rows(what, { kind: 'series', match, start, end })).map(({ labels }) => labels);
  };

  const controllers = await series('workloads: controllers', await controllersOf(view, ids));
  const owners = new Owners([
    ...controllers,
    ...(await series('workloads: pods', await ownedBy(view, ids, controllers))),
  ]);
  const found = new Map(ids.map((id) => [workloadKey(id), new Map<string, Pod>()]));
  for (const pod of owners.pods.values()) {
    // A pod is of each workload above it: of its Job, and of the JobSet that owns the Job.
    const above = owners.chainOf(pod).flatMap((owner) => idOf(owner) ?? []);
    for (const id of [...above, { kind: 'POD', namespace: pod.namespace, name: pod.name } as const])
      found.get(workloadKey(id))?.set(podKey(pod), pod);
  }
  return new Map([...found].map(([key, pods]) => [key, [...pods.values()]]));
}

/** The metric that tells what made a pod; sites that leave one out have the other. */
export async function pointers(view: ClusterView): Promise<{ metric: string; kind: string; name: string }> {
  return (await view.names()).has(podMetrics.owner)
    ? { metric: podMetrics.owner, kind: 'owner_kind', name: 'owner_name' }
    : { metric: podMetrics.info, kind: 'created_by_kind', name: 'created_by_name' };
}

const idOf = ({ kind: word, namespace, name }: Owner): WorkloadId | null => {
  const ownership = ownerships.find((each) => each.word === word);
  return ownership ? { kind: ownership.kind, namespace, name } : null;
};

const wantedOf = (ids: readonly WorkloadId[], { kind }: Ownership): ReadonlySet<string> =>
  new Set(ids.filter((id) => id.kind === kind).map(({ name }) => name));

async function controllersOf(view: ClusterView, ids: readonly WorkloadId[]): Promise<ScopedQuery[]> {
  const known = await view.names();
  return ownerships.flatMap((ownership) => {
    const names = wantedOf(ids, ownership);
    const { metric } = between[ownership.through ?? ''] ?? {};
    if (names.size === 0 || !metric || !known.has(metric)) return [];
    const made = [{ label: 'owner_kind', op: '=', value: ownership.word } as const, namedLike('owner_name', names)];
    return [select(view.cluster, metric, made)];
  });
}

/** Pods that name one of these workloads, or one of their controllers, as what made them. */
async function ownedBy(
  view: ClusterView,
  ids: readonly WorkloadId[],
  controllers: readonly Labels[],
): Promise<ScopedQuery[]> {
  const { metric, kind, name } = await pointers(view);
  const byWord = new Map<string, Set<string>>();
  const add = (word: string, names: Iterable<string>) =>
    byWord.set(word, new Set([...(byWord.get(word) ?? []), ...names]));
  for (const ownership of ownerships) if (ownership.direct) add(ownership.word, wantedOf(ids, ownership));
  for (const [word, { metric: told, label }] of Object.entries(between)) {
    const own = controllers.filter((labels) => labels['__name__'] === told);
    add(
      word,
      own.flatMap((labels) => labels[`exported_${label}`] ?? labels[label] ?? []),
    );
  }
  const pods = new Set(ids.filter((id) => id.kind === 'POD').map((id) => id.name));
  return [
    ...[...byWord]
      .filter(([, names]) => names.size > 0)
      .map(([word, names]) =>
        select(view.cluster, metric, [{ label: kind, op: '=', value: word }, namedLike(name, names)]),
      ),
    ...(pods.size > 0
      ? ['pod', 'exported_pod'].map((label) => select(view.cluster, metric, [namedLike(label, pods)]))
      : []),
  ];
}
