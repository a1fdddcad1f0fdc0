import type { Row } from '../domain/series.ts';
import { plausibleSteps } from '../rules/slowdown.ts';
import { metadataIn, readMetadata } from '../runs/stored.ts';
import { medianOf } from '../samples/median.ts';
import { merged } from '../samples/merged.ts';

/** What the steps of one stage of a run took. */
export interface RunStage {
  readonly name: string;
  /** Seconds. */
  readonly medianS: number;
}

/**
 * The stages of a run, the fastest first. Steps that were reported without a stage are of none.
 *
 * @param rows  what each training step took, in seconds, of all stages
 */
export function stagesOf(rows: readonly Row[]): RunStage[] {
  const byName = Map.groupBy(rows, ({ labels }) => readMetadata(metadataIn(labels))['stage']);
  return [...byName]
    .flatMap(([name, own]) => {
      const { values } = plausibleSteps(merged(own));
      return name === undefined || values.length === 0 ? [] : [{ name, medianS: medianOf(values) }];
    })
    .sort((a, b) => a.medianS - b.medianS);
}
