import type { Labels } from '../domain/series.ts';
import type { RunEvent } from './event.ts';
import { annotationLabels, nonFiniteLabels, noStep, tellingLabels, valueLabels } from './stored.ts';

/** Tells the series of one run from each other: by what they are told by, and not by what is shown beside that. */
export type SeriesKey = string;

/** One number of one series, as a store holds it. */
export interface Sample {
  readonly key: SeriesKey;
  /** Without those of the cluster. */
  readonly labels: Labels;
  readonly tsMs: number;
  readonly value: number;
}

const telling = ['__name__', ...tellingLabels] as const;

/** @param labels  as written, or as a store answers them, with whatever it adds */
export const keyOf = (labels: Labels): SeriesKey => JSON.stringify(telling.map((name) => labels[name] ?? ''));

export const sampleAt = (labels: Labels, tsMs: number, value: number): Sample => ({
  key: keyOf(labels),
  labels,
  tsMs,
  value,
});

/** The sample that an event is kept as. What is no number is one of the step at which it was found. */
export function sampleOf(run: string, event: RunEvent): Sample {
  const { tsMs, step, name, metadata } = event;
  if (event.kind === 'annotation') return sampleAt(annotationLabels(run, event), tsMs, step ?? noStep);
  const { value } = event;
  if (typeof value === 'number') return sampleAt(valueLabels(run, event), tsMs, value);
  return sampleAt(nonFiniteLabels(run, { name, metadata, value }), tsMs, step ?? noStep);
}
