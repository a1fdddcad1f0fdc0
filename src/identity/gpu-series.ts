import type { Labels } from '../domain/series.ts';
import type { Vendor } from '../domain/fleet.ts';

/** What the labels of a GPU series say about whose reading it is. */
export interface GpuSeries {
  /** NVIDIA: the GPU's index. AMD: the logical id, of which a partitioned device has several. */
  readonly id: number;
  /** The physical device, where a label names it: a UUID or a serial number. */
  readonly device: string | null;
  /** The MIG instance or AMD partition; '' for the whole device. */
  readonly part: string;
  /** One of several that a single exporter prints for one reading of one part: a clock domain, an HBM stack, a link. */
  readonly variant: string;
  /** The pod that holds the GPU, `namespace/name`. */
  readonly pod: string | null;
}

/** Labels that name the physical device. */
export const deviceLabels = ['UUID', 'uuid', 'gpu_uuid', 'serial_number'];
const variantLabels = ['clock_index', 'hbm_index', 'xcc_index', 'nvlink', 'link_index'];

const first = (labels: Labels, keys: readonly string[]): string | null => {
  for (const key of keys) if (labels[key]) return labels[key];
  return null;
};

/** The id alone; null where the labels name no GPU. */
export function gpuIdOf(labels: Labels, vendor: Vendor): number | null {
  const raw = vendor === 'AMD' ? (labels['gpu_id'] ?? labels['gpu']) : (labels['gpu'] ?? labels['gpu_id']);
  return raw === undefined || !/^\d{1,6}$/.test(raw) ? null : Number(raw);
}

/** Null where the labels name no GPU. */
export function gpuSeriesOf(labels: Labels, vendor: Vendor): GpuSeries | null {
  const id = gpuIdOf(labels, vendor);
  if (id === null) return null;
  return {
    id,
    device: first(labels, vendor === 'AMD' ? ['serial_number', 'gpu_uuid'] : deviceLabels),
    part: vendor === 'AMD' ? amdPart(labels) : (labels['GPU_I_ID'] ?? ''),
    variant: variantLabels.map((key) => labels[key] ?? '').join(' '),
    pod: podOf(labels),
  };
}

/** '' for the primary partition, which reports for the whole device. */
function amdPart(labels: Labels): string {
  const part = labels['gpu_partition_id'];
  return part && /^\d+$/.test(part) && part !== '0' && part !== '4294967295' ? part : '';
}

/** The label that names the model. */
export const modelLabelOf = (labels: Labels): string | null =>
  first(labels, ['modelName', 'card_model', 'card_series']);

/** True where the labels say that the device is cut into instances or partitions. */
export function isPartitioned(labels: Labels): boolean {
  const mode = labels['gpu_compute_partition_type']?.toLowerCase();
  return labels['GPU_I_ID'] !== undefined || (mode !== undefined && mode !== '' && mode !== 'spx' && mode !== 'na');
}

/**
 * The workload's pod. Where Prometheus keeps the target's own labels, those are `exported_*`, and the plain ones name
 * the exporter; where it does not, the plain ones are the workload's, unless they are the exporter's all the same.
 */
function podOf(labels: Labels): string | null {
  if (labels['exported_pod']) return `${labels['exported_namespace'] ?? ''}/${labels['exported_pod']}`;
  const pod = labels['pod'] ?? labels['pod_name'];
  if (!pod || /exporter/.test(pod) || /exporter/.test(labels['container'] ?? '')) return null;
  return `${labels['namespace'] ?? labels['pod_namespace'] ?? ''}/${pod}`;
}
