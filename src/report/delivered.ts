/** What became of the events that were sent, each of which is counted once. */
export interface Delivered {
  /** New in the store. */
  readonly written: number;
  /** In the store already, with the same value. */
  readonly repeated: number;
  /** The store has another value for that series and moment, which stands. */
  readonly conflicting: number;
  /** Older, or further ahead, than the store takes. */
  readonly refused: number;
  /** Of kinds that are no events. */
  readonly skipped: readonly { readonly kind: string; readonly count: number }[];
  /** Those that are none, by their place in what was sent. */
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
  /** In words what was not written and why; null where all was. */
  readonly note: string | null;
}

export const nothingDelivered: Delivered = {
  written: 0,
  repeated: 0,
  conflicting: 0,
  refused: 0,
  skipped: [],
  rejected: [],
  note: null,
};

/** Of two parts of one list, the first of which had `length` events. */
export function joined(first: Delivered, length: number, second: Delivered): Delivered {
  const notes = new Set([first.note, second.note].filter((note) => note !== null));
  return {
    written: first.written + second.written,
    repeated: first.repeated + second.repeated,
    conflicting: first.conflicting + second.conflicting,
    refused: first.refused + second.refused,
    skipped: [...first.skipped, ...second.skipped],
    rejected: [...first.rejected, ...second.rejected.map(({ index, reason }) => ({ index: length + index, reason }))],
    note: notes.size === 0 ? null : [...notes].join(' '),
  };
}
