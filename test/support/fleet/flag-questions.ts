import { iso } from './clock.ts';
import { between, differences } from './differences.ts';
import type { TrueFlag } from './flag-shape.ts';

export const evidenceFields = `peakTempC referenceP95C thermalThrottleS powerThrottleS clockEvents { kind count }
  linkCrc linkReplay linkRecovery pcieReplay pcieRecovery eccDbe xid xidCodes
  activityPct medianActivityPct activityFamily resource peakPressurePct peakHbmUsedGib hbmTotalGib`;

export const flagFields = `key kind severity node { name } gpu { index } from to minutes clipped { start end }
  episode { from to } evidence { ${evidenceFields} } summary`;

export const wholeReport = `window { start end stepS points } checked unavailable clean hiddenFlags
  coverage { present missing } note flags { ${flagFields} }`;

/** A flag as a gateway tells it. */
export interface ToldFlag {
  readonly key: string;
  readonly kind: string;
  readonly severity: string;
  readonly node: { readonly name: string };
  readonly gpu: { readonly index: number } | null;
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly clipped: { readonly start: boolean; readonly end: boolean };
  readonly episode: { readonly from: string; readonly to: string | null } | null;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly summary: string;
}

/** What a flag must be in an answer, in which the cluster's reference is given. */
export const expectedFlag = (flag: TrueFlag, reference: number | null) => {
  const isWhole = Number.isInteger(flag.from) && Number.isInteger(flag.to);
  return {
    kind: flag.kind,
    severity: flag.severity,
    node: { name: flag.node },
    gpu: flag.gpu === null ? null : { index: flag.gpu },
    from: iso(flag.from),
    to: iso(flag.to),
    // Between scrapes at fractions of a second: of the seconds as they are, or as they are printed.
    minutes: isWhole ? flag.minutes : between(flag.minutes - 1 / 60, flag.minutes + 1 / 60),
    clipped: flag.clipped,
    episode: flag.episode && {
      from: iso(flag.episode.from),
      to: flag.episode.to === null ? null : iso(flag.episode.to),
    },
    evidence: {
      ...Object.fromEntries(Object.entries(flag.evidence).filter(([, value]) => value !== undefined)),
      referenceP95C: flag.evidence.peakTempC == null ? null : reference,
    },
  };
};

type Comparable = ReturnType<typeof expectedFlag> | ToldFlag;

/** What tells one flag of a report from the others. */
const nameOf = ({ kind, node, gpu, from, evidence }: Comparable): string =>
  [node.name, kind, gpu === null ? 'host' : gpu.index, (evidence as ToldFlag['evidence'])['resource'] ?? '', from].join(
    ' ',
  );
const byName = (a: Comparable, b: Comparable): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** In the order of their kinds, so that a list of events can be compared. */
const settled = (flag: ToldFlag): ToldFlag => {
  const { clockEvents, xidCodes } = flag.evidence as {
    clockEvents: { kind: string }[] | null;
    xidCodes: number[] | null;
  };
  return {
    ...flag,
    evidence: {
      ...flag.evidence,
      clockEvents: clockEvents?.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)) ?? clockEvents,
      xidCodes: xidCodes?.toSorted((a, b) => a - b) ?? xidCodes,
    },
  };
};

/** Where the flags of a report are not the true ones: none too many, none missing, every field equal. */
export const wrongFlags = (
  truth: readonly TrueFlag[],
  told: readonly ToldFlag[],
  reference: number | null,
): string[] => {
  const expected = truth.map((flag) => expectedFlag(flag, reference)).sort(byName);
  const got = told.map(settled).sort(byName);
  const names = expected.map(nameOf);
  const gotNames = got.map(nameOf);
  const missing = names.filter((name) => !gotNames.includes(name)).map((name) => `missing: ${name}`);
  const tooMany = gotNames.filter((name) => !names.includes(name)).map((name) => `too many: ${name}`);
  if (missing.length > 0 || tooMany.length > 0 || got.length !== expected.length) {
    return [...missing, ...tooMany, `${got.length} flags in place of ${expected.length}`];
  }
  return [
    ...expected.flatMap((flag, at) => differences(names[at]!, flag, got[at])),
    ...got.flatMap((flag) => wrongWords(flag)),
  ];
};

/** A sentence names where it was. */
const wrongWords = ({ summary, node, gpu }: ToldFlag): string[] => {
  const parts = [node.name, ...(gpu === null ? [] : [`GPU ${gpu.index}`])];
  return parts.filter((part) => !summary.includes(part)).map((part) => `${part} is not in: ${summary}`);
};

/** Nobody should have to look for what matters: high before warn, then by time, then by node. */
export const outOfOrder = (told: readonly ToldFlag[]): string[] =>
  told.slice(1).flatMap((flag, at) => {
    const before = told[at]!;
    const bySeverity = Number(before.severity === 'WARN') - Number(flag.severity === 'WARN');
    const byTime = Date.parse(before.from) - Date.parse(flag.from);
    const byNode = before.node.name.localeCompare(flag.node.name, 'en', { numeric: true });
    const order = bySeverity || byTime || byNode;
    return order > 0 ? [`${flag.severity} ${flag.from} ${flag.node.name} after ${before.severity} ${before.from}`] : [];
  });
