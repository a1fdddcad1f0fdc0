import type { Labels } from '../domain/series.ts';
import { type WorkloadId, type WorkloadKind, workloadKinds } from '../domain/workload.ts';
import type { Annotation, Metric, NonFinite } from './event.ts';
import { canonical, type Metadata, metadataOf, type MetadataText } from './metadata.ts';
import { isLeafType, type StatusLeaf } from './status.ts';

/**
 * How a run lies in a store: the metrics, beside the labels that tell the cluster.
 *
 * - `value`: one series for each name and metadata of a run, its numbers.
 * - `event`: the step at each moment in which the run reported anything, -1 where that has none; with the run's workload.
 * - `nonFinite`: as `value`, of what was no number; `finding` says which, the sample is the step.
 * - `annotation`: what happened, at its time; the sample is the step.
 * - `status`: one series for each leaf of the run's status file.
 */
export const stored = {
  value: 'gpuql_run_value',
  event: 'gpuql_run_event',
  nonFinite: 'gpuql_run_nonfinite',
  annotation: 'gpuql_run_annotation',
  status: 'gpuql_run_status',
} as const;

/** The sample where an event has no step. */
export const noStep = -1;

/** Metadata that is a label of its own too, for those who ask the store itself; the series is told by `metadata` alone. */
const plain = ['split', 'pass', 'stage', 'param'] as const;

/** What tells a series from others of its run and metric. */
export const tellingLabels = [
  'metric',
  'annotation',
  'metadata',
  'finding',
  'workload_kind',
  'workload_namespace',
  'workload',
  'path',
  'type',
  'text',
] as const;

/** Every label that is written beside those of the cluster; no site's label for clusters can have one of these names. */
export const ownLabels: ReadonlySet<string> = new Set(['run', ...tellingLabels, ...plain]);

function spelledMetadata(metadata: Metadata): Labels {
  const text = canonical(metadata);
  if (text === '') return {};
  // Prometheus takes an empty label for none, and text that is not Unicode for a fault.
  const shown = plain
    .filter((key) => Object.hasOwn(metadata, key))
    .map((key) => [key, String(metadata[key])] as const)
    .filter(([, value]) => value !== '' && value.isWellFormed());
  return { metadata: text, ...Object.fromEntries(shown) };
}

export const valueLabels = (run: string, { name, metadata }: Pick<Metric, 'name' | 'metadata'>): Labels => ({
  __name__: stored.value,
  run,
  metric: name,
  ...spelledMetadata(metadata),
});

export const nonFiniteLabels = (
  run: string,
  { name, metadata, value }: Pick<Metric, 'name' | 'metadata'> & { readonly value: NonFinite },
): Labels => ({ ...valueLabels(run, { name, metadata }), __name__: stored.nonFinite, finding: value });

export const annotationLabels = (run: string, { name, metadata }: Pick<Annotation, 'name' | 'metadata'>): Labels => ({
  __name__: stored.annotation,
  run,
  annotation: name,
  ...spelledMetadata(metadata),
});

/** @param workload  null where the run was reported for none */
export const eventLabels = (run: string, workload: WorkloadId | null): Labels => ({
  __name__: stored.event,
  run,
  ...(workload && {
    workload_kind: workload.kind,
    workload_namespace: workload.namespace,
    workload: workload.name,
  }),
});

/** The root of a status has no path, and a number or null no text: an empty label is none. */
export const statusLabels = (run: string, { path, type, text = '' }: StatusLeaf): Labels => ({
  __name__: stored.status,
  run,
  ...(path !== '' && { path }),
  type,
  ...(text !== '' && { text }),
});

/** The leaf that a sample of a `status` series is. */
export function leafIn(labels: Labels, value: number): StatusLeaf | null {
  const { path = '', type, text } = labels;
  if (!isLeafType(type)) return null;
  return { path, type, value, ...(type !== 'number' && type !== 'null' && { text: text ?? '' }) };
}

/** The workload that an `event` series names. */
export function workloadIn(labels: Labels): WorkloadId | null {
  const { workload_kind: kind, workload_namespace: namespace, workload: name } = labels;
  if (!kind || !namespace || !name || !isKind(kind)) return null;
  return { kind, namespace, name };
}

const isKind = (kind: string): kind is WorkloadKind => (workloadKinds as readonly string[]).includes(kind);

/** The metadata of a `value`, `nonFinite` or `annotation` series. */
export const metadataIn = (labels: Labels): MetadataText => labels['metadata'] ?? '';

/** The same as an object. Of what is no such text, as nobody here writes it, the text itself. */
export function readMetadata(text: MetadataText): Readonly<Record<string, string>> {
  try {
    const read: unknown = metadataOf(text);
    if (typeof read === 'object' && read !== null && Object.values(read).every((value) => typeof value === 'string'))
      return read as Readonly<Record<string, string>>;
  } catch {
    // Told below.
  }
  return { metadata: text };
}
