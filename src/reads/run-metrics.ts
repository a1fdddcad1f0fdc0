import type { Row } from '../domain/series.ts';
import { type NonFinite, nonFinite } from '../runs/event.ts';
import type { MetadataText } from '../runs/metadata.ts';
import { metadataIn, noStep, readMetadata } from '../runs/stored.ts';
import { merged } from '../samples/merged.ts';
import type { Stream } from '../samples/stream.ts';

/** Something that a run reported at a moment, epoch seconds. */
export interface RunAnnotation {
  readonly at: number;
  /** Null where it was reported without one. */
  readonly step: number | null;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A value that was no number. */
export interface RunFinding extends RunAnnotation {
  readonly value: NonFinite;
}

/** One series of a run: a name and its metadata. */
export interface RunMetric {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null where the window holds no number of it. */
  readonly stream: Stream | null;
  readonly findings: readonly RunFinding[];
}

/** The most series of a run that one field shows. */
export const mostRunMetrics = 500;

/** What samples of `annotation` series tell, oldest first. */
export const annotationsOf = (rows: readonly Row[]): RunAnnotation[] =>
  perSeries(rows, 'annotation').flatMap(toldBy).sort(byTime);

/** What samples of `nonFinite` series tell, oldest first. */
export const findingsOf = (rows: readonly Row[]): RunFinding[] =>
  perSeries(rows, 'metric')
    .flatMap((series) => {
      const value = nonFinite.find((word) => word === series.finding);
      return value ? toldBy(series).map((told) => ({ ...told, value })) : [];
    })
    .sort(byTime);

/** The series of a run, by name and then by metadata; what was never a number has findings alone. */
export function metricsOf(values: readonly Row[], findings: readonly Row[]): RunMetric[] {
  const numbers = Map.groupBy(values, seriesKey);
  const others = Map.groupBy(findings, seriesKey);
  const keys = [...new Set([...numbers.keys(), ...others.keys()])].sort();
  return keys.map((key) => {
    const [name, text] = JSON.parse(key) as [string, MetadataText];
    const rows = numbers.get(key);
    return {
      name,
      metadata: readMetadata(text),
      stream: rows ? merged(rows) : null,
      findings: findingsOf(others.get(key) ?? []),
    };
  });
}

const seriesKey = ({ labels }: Row): string => JSON.stringify([labels['metric'] ?? '', metadataIn(labels)]);

interface StepSeries {
  readonly name: string;
  readonly metadata: RunAnnotation['metadata'];
  readonly finding: string | undefined;
  readonly stream: Stream;
}

/** Series whose samples are steps, each once, whatever other labels a store puts on its copies. */
const perSeries = (rows: readonly Row[], name: 'annotation' | 'metric'): StepSeries[] =>
  [
    ...Map.groupBy(rows, ({ labels }) =>
      JSON.stringify([labels[name], metadataIn(labels), labels['finding']]),
    ).values(),
  ].map((own) => {
    const { labels } = own[0]!;
    const metadata = readMetadata(metadataIn(labels));
    return { name: labels[name] ?? '', metadata, finding: labels['finding'], stream: merged(own) };
  });

const toldBy = ({ name, metadata, stream: { times, values } }: StepSeries): RunAnnotation[] =>
  [...times].map((at, i) => ({ at, step: values[i] === noStep ? null : values[i]!, name, metadata }));

const byTime = (a: RunAnnotation, b: RunAnnotation): number => a.at - b.at;
