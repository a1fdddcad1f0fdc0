import type { Sharing } from '../domain/fleet.ts';
import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { gpuKey } from './by-gpu.ts';
import type { ScaledRow } from './fold.ts';
import { readHeartbeats } from './heartbeat.ts';
import type { GpuEntry } from './inventory.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** The physical GPU at one index, the newest where it was replaced, and who holds it. */
export interface Device {
  readonly uuid: string | null;
  readonly sharing: Sharing;
}

/**
 * Devices of many GPUs, by `gpuKey`.
 *
 * Upstream: nothing where the labels settle it; the heartbeats of those GPUs that several devices or pods have used.
 */
export async function readDevices(view: ClusterView, targets: Targets): Promise<ReadonlyMap<string, Device>> {
  const { byName } = await view.inventory();
  const doubtful = new Map<string, Set<number>>();
  const found = new Map<string, Device>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const gpu = byName.get(node)?.gpus.get(index);
      if (!gpu) continue;
      const settled = gpu.devices.size <= 1 && (gpu.pods.size <= 1 || gpu.partitioned || gpu.copies.size > 1);
      if (!settled) doubtful.set(node, (doubtful.get(node) ?? new Set()).add(index));
      found.set(gpuKey(node, index), { uuid: [...gpu.devices][0] ?? null, sharing: byLabels(gpu) });
    }
  }
  for (const [key, rows] of await readHeartbeats(view, doubtful)) {
    const { uuid, sharing } = found.get(key)!;
    const shared = sharing === 'EXCLUSIVE' && podsMeet(rows, view.cluster.vendor);
    found.set(key, { uuid: newest(rows, view.cluster.vendor) ?? uuid, sharing: shared ? 'SHARED' : sharing });
  }
  return found;
}

function byLabels({ partitioned, copies }: GpuEntry): Sharing {
  if (partitioned) return 'PARTITIONED';
  return copies.size > 1 ? 'SHARED' : 'EXCLUSIVE';
}

/** Two pods on the device in one scrape. Pods that follow each other do not meet. */
function podsMeet(rows: readonly ScaledRow[], vendor: 'NVIDIA' | 'AMD'): boolean {
  const holder = new Map<number, string>();
  return rows.some(({ row }) => {
    const pod = gpuSeriesOf(row.labels, vendor)?.pod;
    return pod && row.times.some((time) => (holder.get(time) ?? pod) !== pod || !holder.set(time, pod));
  });
}

function newest(rows: readonly ScaledRow[], vendor: 'NVIDIA' | 'AMD'): string | null {
  const last = rows.toSorted((a, b) => (b.row.times.at(-1) ?? 0) - (a.row.times.at(-1) ?? 0))[0];
  return last ? (gpuSeriesOf(last.row.labels, vendor)?.device ?? null) : null;
}
