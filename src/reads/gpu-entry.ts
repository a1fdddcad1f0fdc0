import type { Vendor } from '../domain/fleet.ts';
import type { Labels } from '../domain/series.ts';
import { gpuSeriesOf, isPartitioned, modelLabelOf } from '../identity/gpu-series.ts';

/** One GPU of a node. Everything but `index` is what the labels of its series said somewhere in the last day. */
export interface GpuEntry {
  readonly index: number;
  /** What its series call it: its index, and of a partitioned AMD device several more. */
  readonly ids: Set<number>;
  readonly devices: Set<string>;
  readonly models: Set<string>;
  readonly pods: Set<string>;
  /** Some series of it, or some other one, was of an instance or partition, or of the whole device. */
  partitioned: boolean;
  whole: boolean;
  /** Virtual GPU ids, where an exporter prints one copy a pod. */
  readonly copies: Set<string>;
}

/** Takes in what the labels of one series of the GPU say. */
export function learn(entry: GpuEntry, labels: Labels, vendor: Vendor): void {
  const { id, device, pod } = gpuSeriesOf(labels, vendor)!;
  const model = modelLabelOf(labels);
  entry.ids.add(id);
  if (device) entry.devices.add(device);
  if (model) entry.models.add(model);
  if (pod) entry.pods.add(pod);
  if (labels['vgpu']) entry.copies.add(labels['vgpu']);
  if (isPartitioned(labels)) entry.partitioned = true;
  else entry.whole = true;
}

export const blankGpu = (index: number): GpuEntry => ({
  index,
  ids: new Set([index]),
  devices: new Set(),
  models: new Set(),
  pods: new Set(),
  partitioned: false,
  whole: false,
  copies: new Set(),
});

/**
 * Indexes of GPUs that Kubernetes could allocate and no exporter showed: the lowest that are free. Device plugins multiply
 * what they offer where GPUs are shared or cut, so twice what was seen, or more, is no sign of a missing one.
 */
export function unseen(seen: readonly GpuEntry[], allocatable: number): number[] {
  const shared = seen.some(({ partitioned, copies }) => partitioned || copies.size > 1);
  if (seen.length > 0 && (shared || allocatable >= 2 * seen.length)) return [];
  const held = new Set(seen.map(({ index }) => index));
  const free = Array.from({ length: allocatable + seen.length }, (_, i) => i).filter((index) => !held.has(index));
  return free.slice(0, Math.max(0, allocatable - seen.length));
}
