import { reportsXid } from '../reads/xid-source.ts';
import { keyOf } from './gpu-key.ts';
import type { GpuInWindow } from './refs.ts';

export interface Xid {
  readonly count: number;
  readonly codes: readonly number[];
  /** A code of an event before the window that a gauge still shows. */
  readonly stale: string | null;
}

/**
 * XID events of one GPU. New exporters show no series until the first fault, so a GPU that says nothing of XIDs has had
 * none if the cluster's exporter is known to report them and the GPU itself reported in the window; else null.
 */
export async function xidOf(gpu: GpuInWindow): Promise<Xid | null> {
  const { view, load } = gpu.node.of;
  if (!(await reportsXid(view))) return null;
  const [log, presence] = await Promise.all([load.events('xid', keyOf(gpu)), load.gpuPresence(keyOf(gpu))]);
  if (!presence?.present && !log) return null;
  const events = log?.events ?? [];
  return {
    count: events.reduce((sum, { count }) => sum + count, 0),
    codes: [...new Set(events.map(({ kind }) => Number(kind)))].filter(isCode).sort((a, b) => a - b),
    stale: log?.stale ?? null,
  };
}

// A counter's code is a label, which may hold anything.
const isCode = (code: number): boolean => Number.isInteger(code) && code > 0 && code < 2 ** 31;
