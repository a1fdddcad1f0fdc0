import type { Family, FlagKind, HostResource, Severity } from '../domain/fleet.ts';
import { jitterS } from './hold.ts';
import { joined, type Span, within } from './span.ts';

/** The numbers behind a flag, in the schema's units; only those that it rests on. */
export interface Evidence {
  readonly peakTempC?: number;
  readonly thermalThrottleS?: number;
  readonly powerThrottleS?: number;
  readonly clockEvents?: readonly { readonly kind: string; readonly count: number }[];
  readonly linkCrc?: number;
  readonly linkReplay?: number;
  readonly linkRecovery?: number;
  readonly pcieReplay?: number;
  readonly pcieRecovery?: number;
  readonly eccDbe?: number;
  readonly xid?: number;
  readonly xidCodes?: readonly number[];
  readonly activityPct?: number;
  readonly medianActivityPct?: number;
  readonly activityFamily?: Family;
  readonly resource?: HostResource;
  readonly peakPressurePct?: number;
  readonly peakHbmUsedGib?: number;
  readonly hbmTotalGib?: number;
}

/** A rule that fired, for one GPU or a host, over one stretch of the time that is judged. */
export interface Finding extends Span {
  readonly kind: FlagKind;
  readonly severity: Severity;
  readonly gpu: number | null;
  readonly clipped: { readonly start: boolean; readonly end: boolean };
  readonly evidence: Evidence;
  /** The holds in it, where one was the cause. */
  readonly held: readonly Span[];
}

/** What is judged: a stretch of time, `(from, to]`, and how often its samples come. */
export interface Judged extends Span {
  readonly scrapeS: number;
}

/** How far apart two stretches are two flags. */
export const apartS = 300;
/** From here on a stretch that was held, or throttled, is serious. */
const highS = 600;
export const isLong = (heldS: number, throttledS = 0): boolean => heldS >= highS - jitterS || throttledS >= highS;

/** The stretches that pieces of evidence make inside the judged time. */
export function stretches(pieces: readonly Span[], judged: Judged): Span[] {
  return joined(
    pieces.flatMap((piece) => within(piece, judged) ?? []),
    apartS,
  );
}

/** Whether a stretch runs up to the edges of what is judged, within two scrapes: then its length is a floor. */
export const clippedAt = ({ from, to }: Span, judged: Judged): Finding['clipped'] => ({
  start: from - judged.from <= 2 * judged.scrapeS,
  end: judged.to - to <= 2 * judged.scrapeS,
});

/** How far beyond the judged time samples must be known for a hold that an edge cuts to be seen as one. */
export const reachS = 600;
