/** One thing that an operation wanted from a store, as its client may read it. Milliseconds, to a tenth. */
export interface CostPart {
  readonly island: string;
  /** Null where it was about several clusters at once. */
  readonly cluster: string | null;
  /** A short name that stays: a reading or metric and what was asked of it, or a kind of list. */
  readonly what: string;
  /** `shared`: the organization's same question was under way already; `kept`: an earlier operation's answer was still good. */
  readonly from: 'store' | 'shared' | 'kept';
  /** From the operation's start. */
  readonly startedMs: number;
  /** Null while it is under way. */
  readonly tookMs: number | null;
  /** Of the time that it took, until the first byte was sent. The operator's: it tells of what others ask. */
  readonly waitedMs?: number | null;
  /** Sent for this operation: 0 where not from the store, 2 where a lost connection was tried again. */
  readonly requests: number;
  /** Null where its size tells of more than the organization's own series, to all but the operator. */
  readonly samples: number | null;
  /** Of bodies, as they came; null as above. */
  readonly bytes: number | null;
  readonly failed?: true;
  /** What the store was sent, the operator's alone. */
  readonly promql?: readonly string[];
}

/** What an operation did upstream, so far. The totals are those of the parts. */
export interface OperationCost {
  readonly tookMs: number;
  readonly requests: number;
  readonly samples: number;
  readonly bytes: number;
  /** In the order of their start. */
  readonly parts: readonly CostPart[];
}
