import { Refusal } from '../errors.ts';
import type { Evidence } from '../rules/finding.ts';
import { summaryOf } from '../rules/summary.ts';
import { overlap } from '../rules/span.ts';
import { checkOf } from '../evidence/needs.ts';
import type { Episode } from '../reads/episodes.ts';
import { modelName } from '../reads/reference.ts';
import { round6 } from '../samples/round.ts';
import { formatInstant } from '../window/instant.ts';
import { FlagKindEnum, HostResourceEnum, MetricFamilyEnum, SeverityEnum } from './enums.ts';
import type { FlagInWindow } from './refs.ts';
import type { Operation } from './operation.ts';
import { gpuModelOf, referenceOf } from './reference.ts';
import { ClippedRef, ClockEventRef, EpisodeBoundsRef, EvidenceRef, FlagRef, GpuRef, NodeRef } from './refs.ts';

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
          referenceP95COf(flag, operation).catch(unless('unavailable')),
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

/** A word in place of what the store did not tell. */
const unless =
  <W extends string>(word: W) =>
  (error: unknown): W => {
    if (error instanceof Refusal) return word;
    throw error;
  };

async function keyOf(flag: FlagInWindow): Promise<string> {
  const { node, finding, target } = flag;
  const { view, load } = node.of;
  // Where the store does not answer for the time before the window, the report is still worth having.
  const began = await load.flags.beginning({ node: node.entry.name, finding, target }).catch(unless('unknown'));
  const stay = target.spans.find(({ to }) => finding.from <= to)?.stay;
  return [
    view.cluster.island,
    view.cluster.name,
    finding.kind,
    node.entry.name,
    finding.gpu === null ? (finding.evidence.resource ?? 'node') : `gpu ${finding.gpu}`,
    began === null ? 'long ago' : began === 'unknown' ? began : formatInstant(Math.floor(began)),
    ...(stay === undefined ? [] : [stay]),
  ].join('/');
}

/** The episode of the flag's kind that overlaps it: one of its GPU rather than one that names none, the longest first. */
async function episodeOf({ node, finding }: FlagInWindow): Promise<Episode | null> {
  const { view, load } = node.of;
  const all = (await load.episodes()).get(node.entry.name) ?? [];
  const own = all.filter(
    ({ check, gpu, started, ended }) =>
      check === checkOf[finding.kind] &&
      (gpu === null || finding.gpu === null || gpu === finding.gpu) &&
      overlap({ from: started, to: ended ?? view.newest }, finding),
  );
  const lengthOf = ({ started, ended }: Episode) => (ended ?? view.newest) - started;
  return (
    own.toSorted((a, b) => Number(a.gpu === null) - Number(b.gpu === null) || lengthOf(b) - lengthOf(a))[0] ?? null
  );
}

/** °C to compare a thermal flag's own temperature with. */
async function referenceP95COf({ node, finding }: FlagInWindow, operation: Operation): Promise<number | null> {
  if (finding.evidence.peakTempC === undefined) return null;
  const [label] = [...(node.entry.gpus.get(finding.gpu ?? -1)?.models ?? [])];
  const model = label ? modelName(node.of.view.site, label) : await gpuModelOf(node.of, operation);
  return model === null ? null : ((await referenceOf(node.of, operation, model))?.tempP95C ?? null);
}

const number = (name: keyof Evidence, description: string) => ({
  description,
  resolve: ({ finding }: FlagInWindow) => finding.evidence[name] as number | undefined,
});
const count = (name: keyof Evidence, description: string) => ({ type: 'Count' as const, ...number(name, description) });

EvidenceRef.implement({
  description: 'The numbers behind one flag, over its own stretch; null is what it does not rest on.',
  fields: (t) => ({
    peakTempC: t.float(number('peakTempC', 'Highest GPU temperature, °C.')),
    referenceP95C: t.float({
      description:
        'What to compare it with: 95th percentile of GPU temperature of this model, °C. Null where there is nothing to pool.',
      resolve: (flag, _args, operation) => referenceP95COf(flag, operation),
    }),
    thermalThrottleS: t.float(number('thermalThrottleS', 'Seconds throttled by temperature.')),
    powerThrottleS: t.float(number('powerThrottleS', 'Seconds throttled by the power limit.')),
    clockEvents: t.field({
      type: [ClockEventRef],
      nullable: { list: true, items: false },
      description: 'Clock events of the cause, by kind.',
      resolve: ({ finding }) => finding.evidence.clockEvents && [...finding.evidence.clockEvents],
    }),
    linkCrc: t.field(count('linkCrc', 'NVLink CRC errors.')),
    linkReplay: t.field(count('linkReplay', 'NVLink replays.')),
    linkRecovery: t.field(count('linkRecovery', 'NVLink recoveries.')),
    pcieReplay: t.field(count('pcieReplay', 'PCIe replays.')),
    pcieRecovery: t.field(count('pcieRecovery', 'PCIe link recoveries.')),
    eccDbe: t.field(count('eccDbe', 'Uncorrectable memory errors.')),
    xid: t.field(count('xid', 'GPU fault (XID) events.')),
    xidCodes: t.field({
      type: ['Int'],
      nullable: { list: true, items: false },
      description: 'The XID codes of those events, lowest first, each once.',
      resolve: ({ finding }) => finding.evidence.xidCodes && [...finding.evidence.xidCodes],
    }),
    activityPct: t.float(number('activityPct', 'Mean activity, percent.')),
    medianActivityPct: t.float(number('medianActivityPct', "The window's median that it is compared with, percent.")),
    activityFamily: t.field({
      type: MetricFamilyEnum,
      description: 'TENSOR_ACTIVE, or GPU_UTIL where that is the fallback.',
      resolve: ({ finding }) => finding.evidence.activityFamily,
    }),
    resource: t.field({
      type: HostResourceEnum,
      description: 'What the host waited for.',
      resolve: ({ finding }) => finding.evidence.resource,
    }),
    peakPressurePct: t.float(number('peakPressurePct', 'Highest share of time that the host waited, percent.')),
    peakHbmUsedGib: t.float(number('peakHbmUsedGib', 'Most GPU memory in use, GiB.')),
    hbmTotalGib: t.float(number('hbmTotalGib', 'GPU memory in all, GiB.')),
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
