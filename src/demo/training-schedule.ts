import { effects, isDuring, lags } from './gpu-physics.ts';
import { gpuIncidents, type GpuIncident } from './incidents.ts';
import { checkpointEveryS, checkpointPhaseS, checkpointS } from './profiles.ts';
import { into, jitter, seedOf } from './shapes.ts';
import { podGroups } from './workloads.ts';

/** What the demo's training job did, in seconds since the demo started. */
export interface Happening {
  readonly kind: 'step' | 'evaluation' | 'checkpoint';
  readonly from: number;
  readonly to: number;
  /** The step, or the one that was done before it. */
  readonly step: number;
}

/** The job that reports its steps. */
export const trainingJob = podGroups.find(({ top }) => top[1] === 'train-llm')!;

const usualStepS = 4;
const evaluationS = 40;
/** Evaluates after every other checkpoint. */
const evaluateEvery = 2;
const seed = seedOf('steps');

/**
 * What the job did, one thing after the other, for as long as somebody asks. Its GPUs wait for each other at the end of
 * each step: the slowest of them says how long it takes.
 */
export function* trainingSchedule(): Generator<Happening> {
  const phaseS = checkpointPhaseS(trainingJob.top[1]);
  const roundAt = (at: number): number => Math.floor((at + phaseS) / checkpointEveryS);
  const slowness = slownessOf();
  let at = trainingJob.from + lags.loadS;
  let round = roundAt(at);
  for (let step = 1; ; step += 1) {
    const to = at + usualStepS * slowness(at) * (1 + 0.02 * jitter(seed, step));
    yield { kind: 'step', from: at, to, step };
    at = to;
    if (roundAt(at) === round) continue;
    round = roundAt(at);
    const written = at + checkpointS - Math.min(checkpointS - 5, into(at, checkpointEveryS, phaseS));
    yield { kind: 'checkpoint', from: at, to: written, step };
    at = written;
    if (round % evaluateEvery !== 0) continue;
    yield { kind: 'evaluation', from: at, to: at + evaluationS, step };
    at += evaluationS;
  }
}

/** How much longer than usual a step takes that begins at a moment. */
function slownessOf(): (at: number) => number {
  const places = new Set(trainingJob.pods.flatMap(({ node, gpus }) => gpus.map((gpu) => `${node} ${gpu}`)));
  let known = { until: -Infinity, own: [] as readonly GpuIncident[] };
  return (at) => {
    if (at >= known.until) {
      const own = gpuIncidents(at + checkpointEveryS).filter(({ node, gpu }) => places.has(`${node} ${gpu}`));
      known = { until: at + checkpointEveryS, own };
    }
    const during = known.own.filter((incident) => isDuring(incident, at));
    return Math.max(1, ...during.map(({ kind }) => 1 / (effects[kind]?.work ?? 1)));
  };
}
