import type { Sharing, Vendor } from '../domain/fleet.ts';
import { gpuSeriesOf, isPartitioned, modelLabelOf } from '../identity/gpu-series.ts';
import { gpuKey } from './by-gpu.ts';
import type { ScaledRow } from './fold.ts';
import { readHeartbeats } from './heartbeat.ts';
import type { GpuEntry } from './gpu-entry.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** The physical GPU at one index, the newest where it was replaced, and who holds it. */
export interface Device {
  readonly uuid: string | null;
  readonly modelLabel: string | null;
  readonly sharing: Sharing;
}

/**
 * Devices of many GPUs, by `gpuKey`.
 *
 * Upstream: nothing where the labels settle it; the heartbeats in the window of those GPUs whose labels changed.
 */
export async function readDevices(view: ClusterView, targets: Targets): Promise<ReadonlyMap<string, Device>> {
  const { byName } = await view.inventory();
  const doubtful = new Map<string, Set<number>>();
  const found = new Map<string, Device>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const gpu = byName.get(node)?.gpus.get(index);
      if (!gpu) continue;
      if (!isSettled(gpu)) doubtful.set(node, (doubtful.get(node) ?? new Set()).add(index));
      found.set(gpuKey(node, index), byLabels(gpu));
    }
  }
  for (const [key, rows] of await readHeartbeats(view, doubtful)) {
    const newest = rows.toSorted((a, b) => b.row.times.at(-1)! - a.row.times.at(-1)!)[0]!.row.labels;
    found.set(key, {
      uuid: gpuSeriesOf(newest, view.cluster.vendor)?.device ?? found.get(key)!.uuid,
      modelLabel: modelLabelOf(newest) ?? found.get(key)!.modelLabel,
      sharing: sharingIn(rows, view.cluster.vendor),
    });
  }
  return found;
}

function isSettled({ devices, models, pods, partitioned, whole, copies }: GpuEntry): boolean {
  return (
    devices.size <= 1 &&
    models.size <= 1 &&
    copies.size <= 1 &&
    !(partitioned && whole) &&
    (partitioned || pods.size <= 1)
  );
}

const byLabels = ({ devices, models, partitioned, copies }: GpuEntry): Device => ({
  uuid: [...devices][0] ?? null,
  modelLabel: [...models][0] ?? null,
  sharing: partitioned ? 'PARTITIONED' : copies.size > 1 ? 'SHARED' : 'EXCLUSIVE',
});

function sharingIn(rows: readonly ScaledRow[], vendor: Vendor): Sharing {
  if (rows.some(({ row }) => isPartitioned(row.labels))) return 'PARTITIONED';
  return holdersMeet(rows, vendor) ? 'SHARED' : 'EXCLUSIVE';
}

/** Two pods, or two copies for pods, on the device in one scrape. Pods that follow each other do not meet. */
function holdersMeet(rows: readonly ScaledRow[], vendor: Vendor): boolean {
  const holder = new Map<number, string>();
  return rows.some(({ row }) => {
    const mine = [gpuSeriesOf(row.labels, vendor)?.pod, row.labels['vgpu']].filter(Boolean).join(' ');
    return mine !== '' && row.times.some((time) => (holder.get(time) ?? mine) !== mine || !holder.set(time, mine));
  });
}
