import type { RunPause } from '../reads/run-pauses.ts';
import type { RunStage } from '../reads/run-stages.ts';
import { type FasterPart, fasterPart } from '../rules/faster-part.ts';
import { passedOver } from '../rules/passed-over.ts';
import { plausibleSteps, usualFactor } from '../rules/slowdown.ts';
import { figure, minutes, when } from '../rules/words.ts';
import { runtime } from '../runs/names.ts';
import type { Stream } from '../samples/stream.ts';
import { counted } from './silence-words.ts';

/** Slow steps that were not judged are told from so many seconds on. */
const passedOverS = 120;

/** What of the step times of a run its slow stretches do not tell. */
export function aboutSteps(stepTimes: Stream | null, pauses: readonly RunPause[]): string[] {
  const steps = stepTimes && plausibleSteps(stepTimes);
  const count = steps?.times.length ?? 0;
  const others = (stepTimes?.times.length ?? 0) - count;
  const faster = steps && fasterPart(steps, usualFactor);
  return [
    ...(others > 0
      ? [
          `${counted(others, 'step time')} of 0 s or less, or of more than 14 days, ${others === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    ...(faster ? [aboutFaster(faster)] : []),
    ...(count > 0 ? aboutPassedOver(passedOver(steps!, pauses, usualFactor)) : []),
    ...(count > 0
      ? []
      : [
          `It reported no ${others > 0 ? 'other ' : ''}${runtime.stepSeconds} in the window, so whether its steps were slow is not known.`,
        ]),
  ];
}

const aboutPassedOver = ({ steps, seconds }: ReturnType<typeof passedOver>): string[] =>
  seconds < passedOverS
    ? []
    : [
        `${counted(steps, 'step')} of more than ${usualFactor} times the median (${minutes(seconds)}) lie inside evaluations or checkpoints, as those were reported, and are not judged: slowdowns does not show them.`,
      ];

const aboutFaster = (faster: FasterPart): string =>
  `Its median step took ${figure(faster.usualS)} s, and ${figure(faster.medianS)} s ${when(faster)}: what more than half of its steps do is taken as usual, so slowdowns does not show it as slow.`;

/** What there is to say of a run whose stages, the fastest first, do not take the same: slow is told against all of them. */
export function aboutStages(stages: readonly RunStage[]): string[] {
  const [fastest, slowest] = [stages[0], stages.at(-1)];
  if (!fastest || !slowest || slowest.medianS <= usualFactor * fastest.medianS) return [];
  const took = ({ name, medianS }: RunStage) => `${figure(medianS)} s in stage ${JSON.stringify(name)}`;
  return [
    `Its median step took ${took(fastest)} and ${took(slowest)}: slow is told against the steps of all stages, so a stage as such may show as slow.`,
  ];
}
