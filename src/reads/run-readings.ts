import type { Matcher } from '../domain/matcher.ts';
import { annotations, rateName, runtime } from '../runs/names.ts';
import { stored } from '../runs/stored.ts';
import { oneOf } from '../scope/scope.ts';
import { mostTold, type RunReading } from './run-rows.ts';

const labelled = (label: string, value: string): Matcher => ({ label, op: '=', value });
/** What a training step reports; a run that tells no splits has only this one. */
const ofTraining: Matcher = { label: 'split', op: '=~', value: 'train|' };

const training = (what: string, metric: string): RunReading => ({
  what: `runs: ${what}`,
  metric: stored.value,
  matchers: [labelled('metric', metric), ofTraining],
});

/** What the gateway itself reads of a run, by what clients call it. */
export const runReadings = {
  events: { what: 'runs: events', metric: stored.event },
  stepSeconds: training('step times', runtime.stepSeconds),
  evaluations: {
    what: 'runs: evaluations',
    metric: stored.value,
    matchers: [labelled('metric', runtime.evalSeconds)],
    most: mostTold,
  },
  checkpoints: {
    what: 'runs: checkpoints',
    metric: stored.annotation,
    matchers: [labelled('annotation', annotations.checkpoint)],
    most: mostTold,
  },
  finished: {
    what: 'runs: finished',
    metric: stored.annotation,
    matchers: [labelled('annotation', annotations.finished)],
  },
  annotations: { what: 'runs: annotations', metric: stored.annotation, most: mostTold },
  findings: { what: 'runs: findings', metric: stored.nonFinite, most: mostTold },
} as const satisfies Record<string, RunReading>;

export const rateOf = (counter: string): RunReading => training('rates', rateName(counter));

/** Which series of a run are asked for; null for all, '' for those without. */
export interface MetricFilter {
  readonly name: readonly string[] | null;
  readonly metadata: Readonly<Partial<Record<'split' | 'pass' | 'stage', string | null | undefined>>>;
}

/** The numbers of these series, and what was none. */
export function metricReadings({ name, metadata }: MetricFilter) {
  const matchers = [
    ...(name ? [oneOf('metric', name)] : []),
    ...Object.entries(metadata).flatMap(([key, value]) => (value == null ? [] : [labelled(key, value)])),
  ];
  return {
    values: { what: 'runs: metrics', metric: stored.value, matchers },
    findings: { what: 'runs: findings of metrics', metric: stored.nonFinite, matchers, most: mostTold },
  } as const;
}
