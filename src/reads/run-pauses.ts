import type { Row } from '../domain/series.ts';
import { metadataIn, readMetadata } from '../runs/stored.ts';
import type { Stretch } from './run-rows.ts';

/** Time in which a run did not train, inside the window. Epoch seconds. */
export interface RunPause {
  readonly kind: 'EVALUATION' | 'CHECKPOINT';
  readonly from: number;
  readonly to: number;
  /** The evaluation's pass; null where it has none. */
  readonly name: string | null;
}

/** What ends after the window can have begun inside it. */
export const longestPauseS = 3600;

/** A pass is reported at its end with what it took, and so is a checkpoint, which need not say how long. Oldest first. */
export function pausesOf(
  evaluations: readonly Row[],
  checkpoints: readonly Row[],
  { start, end }: Stretch,
): RunPause[] {
  const passes = evaluations.flatMap(({ labels, times, values }) => {
    const name = readMetadata(metadataIn(labels))['pass'] ?? null;
    return [...times].map((to, i) => ({ kind: 'EVALUATION', from: to - Math.max(0, values[i]!), to, name }) as const);
  });
  const saves = checkpoints.flatMap(({ labels, times }) => {
    const told = Number(readMetadata(metadataIn(labels))['seconds'] ?? 0);
    const seconds = Number.isFinite(told) && told > 0 ? told : 0;
    return [...times].map((to) => ({ kind: 'CHECKPOINT', from: to - seconds, to, name: null }) as const);
  });
  const once = new Map(
    [...passes, ...saves].map((pause) => [`${pause.kind} ${pause.from} ${pause.to} ${pause.name}`, pause]),
  );
  return [...once.values()]
    .filter(({ from, to }) => from < end && to > start && (from < to || to <= end))
    .map((pause) => ({ ...pause, from: Math.max(start, pause.from), to: Math.min(end, pause.to) }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
}
