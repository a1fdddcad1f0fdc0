import type { Row } from '../domain/series.ts';
import { type WorkloadId, workloadKey } from '../domain/workload.ts';
import { noStep, workloadIn } from '../runs/stored.ts';
import { merged } from '../samples/merged.ts';
import type { Stream } from '../samples/stream.ts';

/** What the events of a run in the window tell. */
export interface RunEvents {
  /** Every moment in which it reported anything. Never empty. */
  readonly moments: Stream;
  /** The step of each that has one. */
  readonly steps: Stream;
  /** The workloads that it was reported for, that of the newest event first. */
  readonly workloads: readonly WorkloadId[];
}

/** A run may be reported with a workload and without, and for several: its events are those of all. Null where there are none. */
export function runEventsOf(rows: readonly Row[]): RunEvents | null {
  const moments = merged(rows, Math.max);
  if (moments.times.length === 0) return null;
  const named = rows.flatMap(({ labels, times }) => {
    const workload = workloadIn(labels);
    return workload ? [{ workload, lastAt: times.at(-1)! }] : [];
  });
  named.sort((a, b) => b.lastAt - a.lastAt);
  return {
    moments,
    steps: withSteps(moments),
    workloads: [...new Map(named.map(({ workload }) => [workloadKey(workload), workload])).values()],
  };
}

const withSteps = ({ times, values }: Stream): Stream =>
  values.every((step) => step !== noStep)
    ? { times, values }
    : { times: times.filter((_, i) => values[i] !== noStep), values: values.filter((step) => step !== noStep) };
