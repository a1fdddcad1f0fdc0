import type { FlagKind, HostResource, Severity } from '../domain/fleet.ts';

/** What a flag is about. */
export interface Subject {
  readonly kind: FlagKind;
  readonly node: string;
  readonly gpu: number | null;
  readonly resource: HostResource | null;
}

/** A flag as a subscriber was told of it last. What is over is remembered until that time lies behind. */
export interface KnownFlag {
  readonly subject: Subject;
  readonly severity: Severity;
  readonly state: 'burning' | 'silent' | 'over';
}

/** All that a subscriber was told. */
export interface Known {
  /** Up to when, epoch seconds; null for who was not told everything of any moment yet. */
  readonly at: number | null;
  /** When the latest evaluation was that any of it came from, epoch seconds; later than `at` where not all of that one was told. */
  readonly seen: number | null;
  readonly flags: ReadonlyMap<string, KnownFlag>;
}

export const nothing: Known = { at: null, seen: null, flags: new Map() };
