import { together } from '../reads/coverage.ts';
import { unavailable } from '../evidence/needs.ts';
import { CheckEnum, MetricFamilyEnum } from './enums.ts';
import type { Report } from './refs.ts';
import { noteOfReport } from './flag-note.ts';
import { CoverageRef, FlagRef, FlagReportRef, WindowRef } from './refs.ts';
import { silencesOf, unseenNodes } from './silences.ts';

FlagReportRef.implement({
  description:
    'What the rules found on a target, and what they could not see. A clean report says that the signals are clean, and no more. Null only with an error.',
  fields: (t) => ({
    window: t.field({
      type: WindowRef,
      nullable: false,
      description: 'The window that was judged.',
      resolve: ({ of }) => of.view.window,
    }),
    checked: t.field({
      type: [CheckEnum],
      nullable: false,
      description: "What was checked: what was asked for, as far as the GPU maker's readings can tell it.",
      resolve: ({ checked }) => [...checked],
    }),
    unavailable: t.field({
      type: [MetricFamilyEnum],
      nullable: false,
      description: 'Families that the GPU maker structurally lacks. They were not asked for, and hold back nothing.',
      resolve: ({ of }) => [...unavailable[of.view.cluster.vendor]],
    }),
    clean: t.boolean({
      nullable: false,
      description:
        'No flag fired, hidden ones included, and every family of every check answered for every node and GPU without silence. False where nothing was checked.',
      resolve: isClean,
    }),
    flags: t.field({
      type: [FlagRef],
      nullable: false,
      description: 'What fired, the most serious first, then by time.',
      resolve: ({ shown }) => [...shown],
    }),
    hiddenFlags: t.int({
      nullable: false,
      description: 'How many fired below minSeverity; they keep clean false.',
      resolve: ({ fired, shown }) => fired.length - shown.length,
    }),
    coverage: t.field({
      type: CoverageRef,
      description: 'Which families answered for any node of the target.',
      resolve: async ({ of, nodes }) => {
        const each = await Promise.all(nodes.map(({ node }) => of.load.coverage({ node: node.entry.name })));
        return together(
          of.view,
          each.filter((coverage) => coverage !== null),
        );
      },
    }),
    note: t.string({
      nullable: false,
      description:
        'How to read it: what was checked, which flags are clipped, what fell silent, what is not exported or not to be had.',
      resolve: (report) => noteOfReport(report, silencesOf(report.nodes)),
    }),
  }),
});

function isClean(report: Report): boolean {
  const { fired, partial, nodes } = report;
  const isQuiet = silencesOf(nodes).length === 0 && unseenNodes(nodes).length === 0;
  return wasLookedAt(report) && fired.length === 0 && !partial && isQuiet;
}

/** Some check was made of something: what was not looked at is not clean. */
const wasLookedAt = ({ nodes }: Report): boolean =>
  nodes.some(({ node, spans, evidence }) => {
    const isTold = !evidence.untold.has(node.entry.name);
    const made = evidence.answered.filter(({ check }) => check !== 'UTILIZATION' || isTold);
    return spans.length > 0 && made.some(({ of }) => of === 'host' || node.entry.gpus.size > 0);
  });
