export { CannotReport } from './cannot-report.ts';
export { openReporter, type ReporterOptions } from './open-reporter.ts';
export type { Average, Pass } from './pass.ts';
export type { Reporter } from './reporter.ts';
export type { Step, StepEnd } from './step.ts';
export type { Summary } from './summary.ts';
export type { Fold } from './folds.ts';
export type { Metadata } from '../runs/metadata.ts';
