import type { RunStage } from '../reads/run-stages.ts';
import { usualFactor } from '../rules/slowdown.ts';
import { figure } from '../rules/words.ts';

/** What there is to say of a run whose stages, the fastest first, do not take the same: slow is told against all of them. */
export function aboutStages(stages: readonly RunStage[]): string[] {
  const [fastest, slowest] = [stages[0], stages.at(-1)];
  if (!fastest || !slowest || slowest.medianS <= usualFactor * fastest.medianS) return [];
  const took = ({ name, medianS }: RunStage) => `${figure(medianS)} s in stage ${JSON.stringify(name)}`;
  return [
    `Its median step took ${took(fastest)} and ${took(slowest)}: slow is told against the steps of all stages, so a stage as such may show as slow.`,
  ];
}
