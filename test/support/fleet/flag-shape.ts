import { coveredS, type Piece, stretches } from './flag-pieces.ts';
import { greatest, type Sample, sum, valuesOf, type Window } from './truth.ts';

export type FlagKind =
  'THERMAL_THROTTLE' | 'POWER_CAP' | 'UTILIZATION_COLLAPSE' | 'COMM_ERRORS' | 'HOST_PRESSURE' | 'MEMORY_PRESSURE';

export interface Target {
  readonly node: string;
  readonly vendor: 'nvidia' | 'amd';
  readonly window: Window;
  readonly now: number;
  /** Pods of the workload that is asked about. */
  readonly own?: (pod: string) => boolean;
}

export type Evidence = Readonly<Record<string, unknown>>;

export interface Bounds {
  readonly from: number;
  readonly to: number | null;
}

export interface TrueFlag {
  readonly kind: FlagKind;
  readonly severity: 'WARN' | 'HIGH';
  readonly node: string;
  readonly gpu: number | null;
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
  readonly clipped: { readonly start: boolean; readonly end: boolean };
  readonly episode: Bounds | null;
  readonly evidence: Evidence;
}

/** Every field of the schema's `Evidence` but `referenceP95C`, which is the cluster's own. */
const nothing = {
  peakTempC: null,
  thermalThrottleS: null,
  powerThrottleS: null,
  clockEvents: null,
  linkCrc: null,
  linkReplay: null,
  linkRecovery: null,
  pcieReplay: null,
  pcieRecovery: null,
  eccDbe: null,
  xid: null,
  xidCodes: null,
  activityPct: null,
  medianActivityPct: null,
  activityFamily: null,
  resource: null,
  peakPressurePct: null,
  peakHbmUsedGib: null,
  hbmTotalGib: null,
} as const;

const longS = 600 - 1;
export const lasted = (pieces: readonly Piece[]): boolean => coveredS(pieces) >= longS;
export const heldLong = (pieces: readonly Piece[]): boolean => lasted(pieces.filter(({ held }) => held));
export const amountOf = (pieces: readonly Piece[], field: string): number | null => {
  const amounts = pieces.filter((piece) => piece.field === field).map(({ amount = 0 }) => amount);
  return amounts.length === 0 ? null : sum(amounts);
};
export const within = (samples: readonly Sample[], from: number, to: number): number[] =>
  valuesOf(samples.filter(([time]) => time >= from && time <= to));
export const peak = (values: readonly number[]): number | null => (values.length === 0 ? null : greatest(values));

interface Judgement {
  readonly isHigh: boolean;
  readonly episode?: Bounds | null;
  readonly evidence: Evidence;
}
type Judged = (pieces: readonly Piece[], from: number, to: number) => Judgement;

export const flagsFrom = (
  { node, window }: Target,
  kind: FlagKind,
  gpu: number | null,
  pieces: readonly Piece[],
  judge: Judged,
): TrueFlag[] =>
  stretches(pieces).map((stretch) => {
    const from = Math.min(...stretch.map((piece) => piece.from));
    const to = Math.max(...stretch.map((piece) => piece.to));
    const { isHigh, episode = null, evidence } = judge(stretch, from, to);
    return {
      kind,
      severity: isHigh ? 'HIGH' : 'WARN',
      node,
      gpu,
      from,
      to,
      minutes: (to - from) / 60,
      clipped: { start: from <= window.start + 60, end: to >= window.end - 60 },
      episode,
      evidence: { ...nothing, ...evidence },
    };
  });
