import { Refusal } from '../errors.ts';
import { type RunMetric, mostRunMetrics } from '../reads/run-metrics.ts';
import { plausibleSteps } from '../rules/slowdown.ts';
import { checkText, checkTexts } from './names.ts';
import { allOf, newest, shown } from './run-parts.ts';
import { noteOfRun } from './run-note.ts';
import {
  ClusterRef,
  RunAnnotationRef,
  RunFindingRef,
  RunMetricRef,
  RunPauseRef,
  RunRef,
  RunResumeRef,
  RunStatusRef,
  SeriesRef,
  WorkloadRef,
} from './refs.ts';
import { selectedBelow } from './selection.ts';
import { placedWorkloadOf } from './run-workload.ts';

RunRef.implement({
  description: 'A training run, as it reported itself: its steps, its own numbers, and what happened to it.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
    cluster: t.field({
      type: ClusterRef,
      nullable: false,
      description: 'Its cluster, under the same window.',
      resolve: ({ of }) => of,
    }),
    workload: t.field({
      type: WorkloadRef,
      description:
        'What it ran as, as its newest events name it. Null where none was named, or where the store tells of none of its pods; note says which.',
      resolve: placedWorkloadOf,
    }),
    firstEventAt: t.field({
      type: 'DateTime',
      description: 'When it first reported anything in the window; null where it did not.',
      resolve: async ({ of, name }) => (await of.load.runs.events(name))?.moments.times[0],
    }),
    lastEventAt: t.field({
      type: 'DateTime',
      description: 'When it last reported anything in the window; null where it did not.',
      resolve: async ({ of, name }) => (await of.load.runs.events(name))?.moments.times.at(-1),
    }),
    steps: t.field({
      type: SeriesRef,
      description:
        'The number of the step by time, of evaluations too: one may be of an older step. Null where no event of the window has one.',
      resolve: async ({ of, name }, _args, _operation, info) =>
        shown((await of.load.runs.events(name))?.steps ?? null, of, info),
    }),
    stepSeconds: t.field({
      type: SeriesRef,
      description:
        'What each training step took, in seconds, at its end, evaluation excluded: runtime/step_seconds of all stages. What can be no length of a step is left out, and note says how many. Null where the run reported none in the window.',
      resolve: async ({ of, name }, _args, _operation, info) => {
        const told = await of.load.runs.stepTimes(name);
        return shown(told && plausibleSteps(told), of, info);
      },
    }),
    rate: t.field({
      type: SeriesRef,
      description:
        'What a counter counted in each training step, as a count per second of the step: rate/<counter>, so that tokens tells tokens per second. Null where the run reported none in the window.',
      args: {
        counter: t.arg.string({ required: true, description: "The counter's name, as tokens." }),
      },
      resolve: async ({ of, name }, { counter }, _operation, info) => {
        checkText('counter', counter);
        return shown(await of.load.runs.rate(counter, name), of, info);
      },
    }),
    metrics: t.field({
      type: [RunMetricRef],
      nullable: { list: true, items: false },
      description:
        'What it reported in the window, one for each name and metadata, by name. QUERY_TOO_LARGE where they are more than 500. Empty where there is none. Null only with an error.',
      args: {
        name: t.arg.stringList({ description: 'Only metrics of these names, at most 100.' }),
        split: t.arg.string({ description: 'Only those of this split; "" for those without.' }),
        pass: t.arg.string({ description: 'Only those of this evaluation pass; "" for those without.' }),
        stage: t.arg.string({ description: 'Only those of this stage; "" for those without.' }),
      },
      resolve: async ({ of, name: run }, { name, ...metadata }, _operation, info) => {
        checkTexts('name', name ?? []);
        for (const [key, value] of Object.entries(metadata)) if (value) checkText(key, value);
        const selected = selectedBelow(info);
        const numbers = selected.has('series') || selected.has('findings');
        const found = await of.load.runs.metrics({ name: name ?? null, metadata, numbers }, run);
        return atMost(found).map((metric) => ({ of, metric }));
      },
    }),
    findings: t.field({
      type: [RunFindingRef],
      nullable: { list: true, items: false },
      description:
        'Values in the window that were no numbers, the newest 500, oldest first. Empty where there was none. Null only with an error.',
      resolve: async ({ of, name }) => newest(await of.load.runs.findings(name)),
    }),
    annotations: t.field({
      type: [RunAnnotationRef],
      nullable: { list: true, items: false },
      description:
        'What happened to it in the window, the newest 500, oldest first. Empty where nothing did. Null only with an error.',
      resolve: async ({ of, name }) => newest(await of.load.runs.annotations(name)),
    }),
    pauses: t.field({
      type: [RunPauseRef],
      nullable: { list: true, items: false },
      description:
        'Evaluation passes and checkpoints that overlap the window, oldest first. QUERY_TOO_LARGE where they are more than 2500. Empty where it reported none. Null only with an error.',
      resolve: async ({ of, name }) => allOf(await of.load.runs.pauses(name)),
    }),
    resumes: t.field({
      type: [RunResumeRef],
      nullable: { list: true, items: false },
      description:
        'Where its training went back to an earlier step inside the window, the newest 500, oldest first. Empty where it did not, or reported no steps. Null only with an error.',
      resolve: async ({ of, name }) => newest(await of.load.runs.resumes(name)),
    }),
    status: t.field({
      type: RunStatusRef,
      description: 'The last state that its status file had in the window; null where none was kept.',
      resolve: ({ of, name }) => of.load.runs.status(name),
    }),
    note: t.string({
      description:
        'What to know when reading this run: values that were no numbers, resumes, since when it is silent, steps that were mostly slow, a workload that is not known. Null where there is nothing to say.',
      resolve: (run, _args, operation) => noteOfRun(run, operation),
    }),
  }),
});

function atMost(metrics: readonly RunMetric[]): readonly RunMetric[] {
  if (metrics.length <= mostRunMetrics) return metrics;
  throw new Refusal(
    'QUERY_TOO_LARGE',
    `The run has ${metrics.length} metrics in the window, ${metrics.length - mostRunMetrics} more than the ${mostRunMetrics} that are shown; name some, or narrow split, pass or stage.`,
  );
}
