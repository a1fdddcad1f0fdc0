import type { Labels } from '../../src/domain/series.ts';
import type { WorkloadId } from '../../src/domain/workload.ts';
import { type Metric, type NonFinite, type RunEvent } from '../../src/runs/event.ts';
import type { Metadata } from '../../src/runs/metadata.ts';
import { annotationLabels, eventLabels, nonFiniteLabels, noStep, stored, valueLabels } from '../../src/runs/stored.ts';
import type { Series } from './fleet/series.ts';

/** An event by its moment, epoch seconds. */
export const metric = (
  at: number,
  step: number | null,
  name: string,
  value: number | NonFinite,
  metadata: Metadata = {},
): RunEvent => ({ kind: 'metric', tsMs: Math.round(at * 1000), step, name, value, metadata });

export const annotation = (at: number, step: number | null, name: string, metadata: Metadata = {}): RunEvent => ({
  kind: 'annotation',
  tsMs: Math.round(at * 1000),
  step,
  name,
  metadata,
});

const isNumber = (event: Metric): event is Metric & { value: number } => typeof event.value === 'number';

/** What a store holds of a run that reported these events. */
export function runSeries(run: string, events: readonly RunEvent[], workload: WorkloadId | null = null): Series[] {
  const held = new Map<string, { labels: Labels; samples: Map<number, number> }>();
  const add = (labels: Labels, tsMs: number, value: number, higher = false) => {
    const key = JSON.stringify(labels);
    const own = held.get(key) ?? { labels, samples: new Map<number, number>() };
    held.set(key, own);
    const before = own.samples.get(tsMs);
    if (before === undefined || (higher && value > before)) own.samples.set(tsMs, value);
  };
  for (const event of events) {
    const step = event.step ?? noStep;
    add(eventLabels(run, workload), event.tsMs, step, true);
    if (event.kind === 'annotation') add(annotationLabels(run, event), event.tsMs, step);
    else if (isNumber(event)) add(valueLabels(run, event), event.tsMs, event.value);
    else add(nonFiniteLabels(run, event as Metric & { value: NonFinite }), event.tsMs, step);
  }
  return [...held.values()].map(({ labels, samples }) => {
    const sorted = [...samples].sort(([a], [b]) => a - b);
    return { labels, times: sorted.map(([ms]) => ms / 1000), values: sorted.map(([, value]) => value) };
  });
}

/** The leaves of one state, as they are stored. */
export function statusSeries(
  run: string,
  reports: readonly (readonly [at: number, leaves: readonly Leaf[]])[],
): Series[] {
  return reports.flatMap(([at, leaves]) =>
    leaves.map(([path, type, content]) => ({
      labels: {
        __name__: stored.status,
        run,
        path,
        type,
        ...(type === 'number' || content === '' ? {} : { text: String(content) }),
      },
      times: [at],
      values: [type === 'number' ? Number(content) : 1],
    })),
  );
}
type Leaf = readonly [path: string, type: string, content: string | number];

/** Training steps of so many seconds each, one after the other, each with what the runtime reports at its end. */
export function training(
  from: number,
  steps: readonly { readonly step: number; readonly seconds: number }[],
  more: (at: number, step: number) => readonly RunEvent[] = () => [],
): RunEvent[] {
  let at = from;
  return steps.flatMap(({ step, seconds }) => {
    at += seconds;
    return [metric(at, step, 'runtime/step_seconds', seconds, { split: 'train' }), ...more(at, step)];
  });
}
