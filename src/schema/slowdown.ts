import { round6 } from '../samples/round.ts';
import { unavailable } from '../evidence/needs.ts';
import { usualFactor } from '../rules/slowdown.ts';
import { slowdownSummary } from '../rules/slowdown-summary.ts';
import { builder } from './builder.ts';
import { CheckEnum, MetricFamilyEnum } from './enums.ts';
import { ClippedRef, FlagRef, NodeRef, RunPauseRef, RunRef, SlowdownRef } from './refs.ts';
import { allOf } from './run-parts.ts';
import { noteOfSlowdown, unheardS } from './slowdown-note.ts';
import { slowdownsOf } from './slowdowns.ts';

builder.objectFields(RunRef, (t) => ({
  slowdowns: t.field({
    type: [SlowdownRef],
    nullable: { list: true, items: false },
    description:
      "Stretches in which each step took longer than factor times the median of the run's own steps in the window, oldest first. What more than half of its steps do is what is usual: a run that was slow most of the time shows none; Run.note tells where it was faster, and of a run that was slow all the time only a longer window can. Only steps that ended are seen. Empty where step times were reported and none was slow for that long; null where none was reported.",
    args: {
      factor: t.arg.float({
        defaultValue: usualFactor,
        description: 'How many times the median a step must take longer than; above 1, at most 100.',
      }),
      forAtLeastMinutes: t.arg.float({
        defaultValue: 2,
        description:
          'How long a stretch must be, pauses not counted, in minutes, 0 to 1440. One that the window cuts is measured with what is known of it beyond.',
      }),
    },
    resolve: slowdownsOf,
  }),
}));

SlowdownRef.implement({
  description:
    "A stretch in which a run's steps were slow, with what the platform saw on the run's nodes meanwhile. Overlap is not cause.",
  fields: (t) => ({
    from: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When its first slow step began, inside the window.',
      resolve: ({ stretch }) => stretch.from,
    }),
    to: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When its last slow step ended.',
      resolve: ({ stretch }) => stretch.to,
    }),
    minutes: t.float({
      nullable: false,
      description: 'Its length without pauses, minutes; a floor where it is clipped.',
      resolve: ({ stretch }) => round6(stretch.slowS / 60),
    }),
    clipped: t.field({
      type: ClippedRef,
      nullable: false,
      description: 'Whether it runs past an edge of the window.',
      resolve: ({ stretch }) => stretch.clipped,
    }),
    steps: t.field({
      type: 'Count',
      nullable: false,
      description: 'How many slow steps were reported in it.',
      resolve: ({ stretch }) => stretch.steps,
    }),
    medianS: t.float({
      nullable: false,
      description: "The median of all of the run's steps in the window, seconds.",
      resolve: ({ stretch }) => round6(stretch.medianS),
    }),
    meanS: t.float({
      nullable: false,
      description: 'The mean of its slow steps, seconds.',
      resolve: ({ stretch }) => round6(stretch.meanS),
    }),
    worstS: t.float({
      nullable: false,
      description: 'The longest of its slow steps, seconds.',
      resolve: ({ stretch }) => round6(stretch.worstS),
    }),
    ratio: t.float({
      nullable: false,
      description: 'How many times the median its mean step took.',
      resolve: ({ stretch }) => round6(stretch.meanS / stretch.medianS),
    }),
    pauses: t.field({
      type: [RunPauseRef],
      nullable: false,
      description:
        'Evaluation passes and checkpoints that overlap it, oldest first. They are no slow time. QUERY_TOO_LARGE where they are more than 2500.',
      resolve: ({ pauses }) => allOf(pauses),
    }),
    flags: t.field({
      type: [FlagRef],
      nullable: { list: true, items: false },
      description:
        "Flags of the run's workload that overlap it, the most serious first: the very flags that Workload.flags shows under this window, of all kinds. Empty where there is none, which is no all-clear: see summary. Null only with an error.",
      resolve: async ({ evidence }) => (await evidence()).flags.map(({ flag }) => flag),
    }),
    cleanNodes: t.field({
      type: [NodeRef],
      nullable: { list: true, items: false },
      description:
        'Nodes on which the workload was Running at that time, without a flag that overlaps it, of which every check was answered without silence. Empty where the nodes are not known for sure. Null only with an error.',
      resolve: async ({ evidence }) => [...(await evidence()).clean],
    }),
    unsureNodes: t.field({
      type: [NodeRef],
      nullable: { list: true, items: false },
      description:
        'Its other nodes without a flag, which are not to be called clean: something that is checked did not answer there, or the placement is that of the pods that exist now. Null only with an error.',
      resolve: async ({ evidence }) => [...(await evidence()).unsure],
    }),
    checked: t.field({
      type: [CheckEnum],
      nullable: { list: true, items: false },
      description:
        "What was checked on its nodes, as far as the GPU maker's readings can tell it; empty where no node is known. Null only with an error.",
      resolve: async ({ evidence }) => {
        const { report } = await evidence();
        return report && report.nodes.length > 0 ? [...report.checked] : [];
      },
    }),
    families: t.field({
      type: [MetricFamilyEnum],
      nullable: { list: true, items: false },
      description:
        'Families that answered for those checks, without silence on some node of it. Null only with an error.',
      resolve: async ({ evidence }) => [...(await evidence()).families],
    }),
    summary: t.string({
      description: 'One sentence with the numbers, in UTC, that can be quoted as it stands. Null only with an error.',
      resolve: async ({ of, stretch, evidence }) => {
        const { flags, clean, families, placementDoubts, nodeDoubts } = await evidence();
        return slowdownSummary(stretch, {
          flags: flags.map(({ flag: { node, finding }, overlapS }) => ({
            kind: finding.kind,
            node: node.entry.name,
            gpu: finding.gpu,
            overlapS,
          })),
          clean: clean.map(({ entry }) => entry.name),
          families,
          lacking: unavailable[of.view.cluster.vendor],
          doubts: [...placementDoubts, ...nodeDoubts],
          unheardS: unheardS(of),
        });
      },
    }),
    note: t.string({
      description:
        'What to know when reading it: edges that cut it, times without a step, stages that take longer than others, nodes that are not known or fell silent, families that are missing or not to be had. Null where there is nothing to say.',
      resolve: async ({ of, stretch, stages, evidence }) => noteOfSlowdown(of, stretch, stages, await evidence()),
    }),
  }),
});
