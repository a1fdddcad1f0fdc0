import { summaryOf } from '../rules/summary.ts';
import { round6 } from '../samples/round.ts';
import { FlagKindEnum, SeverityEnum } from './enums.ts';
import { episodeOf, keyOf, referenceOfFlag, unless } from './flag-context.ts';
import { ClippedRef, EpisodeBoundsRef, EvidenceRef, FlagRef, GpuRef, NodeRef } from './refs.ts';

FlagRef.implement({
  description:
    'A condition that a rule found on one GPU or host, over one stretch of the window, with the numbers behind it.',
  fields: (t) => ({
    key: t.string({
      nullable: false,
      description:
        'Names the condition: it is the same under a later window that overlaps this one. Made of cluster, kind, node, GPU, when the condition began, and of a workload the pod that met it: `long ago` if that is more than a month before the window, `unknown` where the store did not tell.',
      resolve: keyOf,
    }),
    kind: t.field({
      type: FlagKindEnum,
      nullable: false,
      description: 'What was found.',
      resolve: ({ finding }) => finding.kind,
    }),
    severity: t.field({
      type: SeverityEnum,
      nullable: false,
      description: 'How serious this instance of it is.',
      resolve: ({ finding }) => finding.severity,
    }),
    node: t.field({ type: NodeRef, nullable: false, description: 'Where.', resolve: ({ node }) => node }),
    gpu: t.field({
      type: GpuRef,
      description:
        'The GPU that the evidence is of; null for a condition of the host, and for an episode that names no GPU.',
      resolve: ({ node, finding: { gpu } }) => {
        const entry = gpu === null ? undefined : node.entry.gpus.get(gpu);
        return entry ? { node, entry } : null;
      },
    }),
    from: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Where the evidence begins inside the window.',
      resolve: ({ finding }) => finding.from,
    }),
    to: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Where it ends inside the window.',
      resolve: ({ finding }) => finding.to,
    }),
    minutes: t.float({
      nullable: false,
      description: 'Length of that stretch, minutes; a floor where it is clipped.',
      resolve: ({ finding: { from, to } }) => round6((Math.floor(to) - Math.floor(from)) / 60),
    }),
    clipped: t.field({
      type: ClippedRef,
      nullable: false,
      description: 'Whether the evidence runs past an edge of the window.',
      resolve: ({ finding }) => finding.clipped,
    }),
    episode: t.field({
      type: EpisodeBoundsRef,
      description:
        "Bounds of the site's own health episode of this node and kind, also outside the window; null where none overlaps the flag.",
      resolve: episodeOf,
    }),
    evidence: t.field({
      type: EvidenceRef,
      nullable: false,
      description: 'The numbers behind it.',
      resolve: (flag) => flag,
    }),
    summary: t.string({
      nullable: false,
      description: 'One sentence with the numbers, in UTC, that can be quoted as it stands.',
      resolve: async (flag, _args, operation) => {
        // A sentence that lacks a comparison is worth more than none: the fields that show it say why it is missing.
        const [referenceP95C, episode] = await Promise.all([
          referenceOfFlag(flag, operation).catch(unless('unavailable')),
          episodeOf(flag).catch(unless('unavailable')),
        ]);
        const { start, end } = flag.node.of.view.window;
        return summaryOf(flag.finding, {
          node: flag.node.entry.name,
          referenceP95C,
          episode: episode === 'unavailable' ? episode : episode && { from: episode.started, to: episode.ended },
          window: { from: start, to: end },
        });
      },
    }),
  }),
});

ClippedRef.implement({
  description: 'Which edges of the window cut the evidence: the condition held within two scrapes of them.',
  fields: (t) => ({
    start: t.exposeBoolean('start', { nullable: false, description: 'It held already when the window began.' }),
    end: t.exposeBoolean('end', { nullable: false, description: 'It still held when the window ended.' }),
  }),
});

EpisodeBoundsRef.implement({
  description: "The true bounds of a health episode of the site's own alerting, also outside the window.",
  fields: (t) => ({
    from: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it began.',
      resolve: ({ started }) => started,
    }),
    to: t.field({
      type: 'DateTime',
      description: 'When it ended; null while it is open now.',
      resolve: ({ ended }) => ended,
    }),
  }),
});
