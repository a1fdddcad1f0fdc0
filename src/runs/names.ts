/** Metric names that mean something to the gateway. */
export const runtime = {
  stepSeconds: 'runtime/step_seconds',
  trainSeconds: 'runtime/train_seconds',
  evalSeconds: 'runtime/eval_seconds',
  peakBytes: 'runtime/peak_bytes',
} as const;

export const trainObjective = 'train/objective';
export const curriculumStage = 'curriculum/stage';
export const diagnosticName = (name: string): string => `diagnostics/${name}`;
export const counterName = (counter: string): string => `counter/${counter}`;
/** What a counter grew by in a step, per second of `runtime/step_seconds`. */
export const rateName = (counter: string): string => `rate/${counter}`;

/** Annotations that mean something to the gateway. */
export const annotations = { checkpoint: 'checkpoint', interrupted: 'interrupted', finished: 'finished' } as const;
