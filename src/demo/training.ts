import { setTimeout as sleep } from 'node:timers/promises';
import { openReporter, type Reporter } from '../report/index.ts';
import { jitter, seedOf } from './shapes.ts';
import { type Happening, trainingJob, trainingSchedule } from './training-schedule.ts';

/** What the job's reporter is told by the environment of a pod. */
const environment = {
  GPUQL_METRICS: 'gpuql:train-llm',
  GPUQL_URL: 'http://gpuql/graphql',
  GPUQL_CLUSTER: trainingJob.cluster,
  GPUQL_WORKLOAD: `${trainingJob.top[0]}/${trainingJob.namespace}/${trainingJob.top[1]}`,
};

const microbatches = 4;
const tokensPerStep = 2 ** 20;
/** What its GPUs had allocated at the most. */
const peakBytes = 71_403_831_296;
const seed = seedOf('loss');
/** Where the loss is after so many steps. */
const lossAt = (step: number): number => 1.9 + 3.4 * Math.exp(-step / 2_600) + 0.012 * jitter(seed, step);

export interface Training {
  stop(): void;
}

export interface TrainingSettings {
  /** Epoch seconds at which the demo starts. */
  readonly t0: number;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Leads to the gateway. */
  readonly fetch: typeof globalThis.fetch;
  readonly say: (line: string) => void;
}

/**
 * The demo's training job: reports what it did up to now, as any trainer does that uses `gpuql/report`, and goes on step
 * by step.
 *
 * @returns  when the gateway has taken what there was to tell up to now
 */
export async function startTraining({ t0, now, fetch, say }: TrainingSettings): Promise<Training> {
  // The job's own clock: what it did is over by the time it is reported.
  let at: number = trainingJob.from;
  const reporter = await openReporter({
    argv: [],
    env: environment,
    now: () => Math.round((t0 + at) * 1000),
    diagnostics: { 'grad-norm': 25 },
    say,
    fetch,
  });
  const schedule = trainingSchedule();
  const since = (): number => now() - t0;
  const tell = (happening: Happening): void =>
    report[happening.kind](reporter, happening, (moment) => {
      at = moment;
    });

  let next = schedule.next().value as Happening;
  for (; next.to <= since(); next = schedule.next().value as Happening) tell(next);
  while (reporter.pending > 0) await sleep(50);

  let timer: NodeJS.Timeout;
  const goOn = (): void => {
    timer = setTimeout(
      () => {
        tell(next);
        next = schedule.next().value as Happening;
        goOn();
      },
      Math.max(0, next.to - since()) * 1000,
    ).unref();
  };
  goOn();
  return { stop: () => clearTimeout(timer) };
}

const report: Readonly<
  Record<Happening['kind'], (reporter: Reporter, what: Happening, moveTo: (at: number) => void) => void>
> = {
  step(reporter, { from, to, step: index }, moveTo) {
    moveTo(from);
    const step = reporter.step(index);
    for (let i = 0; i < microbatches; i += 1) {
      const loss = lossAt(index) + 0.02 * jitter(seed, -index * microbatches - i);
      step.objective(loss);
      step.metric('train/loss', loss);
      step.diagnostic('grad-norm', () => 0.4 + 0.08 * jitter(seed, index + i), { param: 'blocks' });
    }
    step.count('tokens', tokensPerStep);
    moveTo(to);
    step.end({ peakBytes });
  },
  evaluation(reporter, { from, to, step }, moveTo) {
    moveTo(from);
    const pass = reporter.evaluation('eval');
    for (let i = 0; i < microbatches; i += 1)
      pass.metric('eval/loss', lossAt(step) + 0.06 + 0.01 * jitter(seed, step * 7 + i));
    moveTo(to);
    pass.end();
  },
  checkpoint(reporter, { from, to, step }, moveTo) {
    moveTo(to);
    reporter.checkpoint({ path: `checkpoints/step-${step}`, seconds: Math.round((to - from) * 10) / 10 });
  },
};
