import { Refusal } from '../errors.ts';
import type { RunPause } from '../reads/run-pauses.ts';
import { type SeriesData, seriesOfStream } from '../reads/series-data.ts';
import type { Stream } from '../samples/stream.ts';
import type { GraphQLResolveInfo } from 'graphql';
import type { RunInWindow } from './refs.ts';
import { RunPauseKindEnum } from './enums.ts';
import {
  RunAnnotationRef,
  RunFindingRef,
  RunMetricRef,
  RunPauseRef,
  RunResumeRef,
  RunStatusRef,
  SeriesRef,
} from './refs.ts';
import { partsBelow } from './selection.ts';

/** What is made of a stream, which is one window's, by the parts that are selected. */
const made = new WeakMap<Stream, Map<string, SeriesData | null>>();

/** What steps report is told at their ends: a bucket has those of its own time. However many aliases want it, it is made once. */
export function shown(stream: Stream | null, { view }: RunInWindow['of'], info: GraphQLResolveInfo): SeriesData | null {
  if (!stream) return null;
  const parts = partsBelow(info);
  const key = [...parts].sort().join(' ');
  const own = made.get(stream) ?? new Map<string, SeriesData | null>();
  made.set(stream, own);
  const known = own.get(key);
  if (known !== undefined) return known;
  const series = seriesOfStream(stream, parts, view.window, 0);
  own.set(key, series);
  return series;
}

const keys = {
  split: 'The part of the data that it is of, as train or eval; null where it was reported without.',
  pass: 'The evaluation pass that it is of; null where it was reported without.',
  stage: 'The stage of the training data that it is of; null where it was reported without.',
  param: 'The update group that it is of; null where it was reported without.',
} as const;

RunMetricRef.implement({
  description: 'One series of a run: a name and its metadata together.',
  fields: (t) => {
    const member = (key: keyof typeof keys) =>
      t.string({ description: keys[key], resolve: ({ metric: { metadata } }) => metadata[key] });
    return {
      name: t.string({ nullable: false, description: 'Its name.', resolve: ({ metric }) => metric.name }),
      metadata: t.field({
        type: 'LabelSet',
        nullable: false,
        description: 'All of its metadata, exactly as reported; numbers and booleans as text.',
        resolve: ({ metric }) => metric.metadata,
      }),
      split: member('split'),
      pass: member('pass'),
      stage: member('stage'),
      param: member('param'),
      series: t.field({
        type: SeriesRef,
        description:
          'Its numbers, in the unit that the run reports. Null where the window holds none; what was no number is in findings.',
        resolve: ({ of, metric: { stream } }, _args, _operation, info) => shown(stream, of, info),
      }),
      findings: t.field({
        type: [RunFindingRef],
        nullable: false,
        description: 'Values of it in the window that were no numbers, the newest 500, oldest first.',
        resolve: ({ metric }) => newest(metric.findings),
      }),
    };
  },
});

/** The most findings, and the most annotations, that one list shows. */
export const mostShown = 500;
export const newest = <T>(all: readonly T[]): T[] => all.slice(-mostShown);

/** A pass every ten minutes of the longest window is inside. */
const mostPauses = 2_500;

/** @throws Refusal QUERY_TOO_LARGE */
export function allOf(pauses: readonly RunPause[]): RunPause[] {
  if (pauses.length <= mostPauses) return [...pauses];
  throw new Refusal(
    'QUERY_TOO_LARGE',
    `There are ${pauses.length} pauses, ${pauses.length - mostPauses} more than the ${mostPauses} that are shown; narrow the window.`,
  );
}

RunFindingRef.implement({
  description: 'A value of a run that was no number: a loss that became NaN.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', nullable: false, description: 'When it was reported.', resolve: ({ at }) => at }),
    step: t.field({
      type: 'Count',
      description: 'Number of the step, from 0; null where it was reported without one.',
      resolve: ({ step }) => step,
    }),
    name: t.exposeString('name', { nullable: false, description: "The metric's name." }),
    metadata: t.field({
      type: 'LabelSet',
      nullable: false,
      description: "The metric's metadata.",
      resolve: ({ metadata }) => metadata,
    }),
    value: t.exposeString('value', {
      nullable: false,
      description: 'What came: NaN, +Inf, -Inf, or null where the reporter had no word for it.',
    }),
  }),
});

RunAnnotationRef.implement({
  description: 'Something that happened to a run: a checkpoint, an interruption, its end.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', nullable: false, description: 'When.', resolve: ({ at }) => at }),
    step: t.field({
      type: 'Count',
      description: 'Number of the step, from 0; null where it was reported without one.',
      resolve: ({ step }) => step,
    }),
    name: t.exposeString('name', {
      nullable: false,
      description: 'What: checkpoint, interrupted and finished mean something to the gateway; others are kept.',
    }),
    metadata: t.field({
      type: 'LabelSet',
      nullable: false,
      description: 'What was told with it, exactly; numbers and booleans as text.',
      resolve: ({ metadata }) => metadata,
    }),
  }),
});

RunPauseRef.implement({
  description: 'Time of the window in which a run did something else than train.',
  fields: (t) => ({
    kind: t.field({
      type: RunPauseKindEnum,
      nullable: false,
      description: 'What it did.',
      resolve: ({ kind }) => kind,
    }),
    from: t.field({
      type: 'DateTime',
      nullable: false,
      description:
        'When it began, or the start of the window. Where a checkpoint does not say how long it took, its end.',
      resolve: ({ from }) => from,
    }),
    to: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it ended, or the end of the window.',
      resolve: ({ to }) => to,
    }),
    name: t.string({
      description: "The evaluation's pass; null where it was reported without, and of a checkpoint.",
      resolve: ({ name }) => name,
    }),
  }),
});

RunResumeRef.implement({
  description: "Where a run's training went on from an earlier step: it was interrupted and took up a checkpoint.",
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the first step after it was reported.',
      resolve: ({ at }) => at,
    }),
    fromStep: t.field({
      type: 'Count',
      nullable: false,
      description: 'Number of the last step before it.',
      resolve: ({ fromStep }) => fromStep,
    }),
    toStep: t.field({
      type: 'Count',
      nullable: false,
      description: 'Number of the first step after it.',
      resolve: ({ toStep }) => toStep,
    }),
  }),
});

RunStatusRef.implement({
  description: 'The last state that a run showed in the window.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it was read.',
      resolve: ({ at }) => at,
    }),
    state: t.field({
      type: 'JSON',
      description: 'The state itself, as the run wrote it. A state that is null was written so.',
      resolve: ({ state }) => state,
    }),
  }),
});
