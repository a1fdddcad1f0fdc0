/** What samples a Prometheus takes. Lengths of time are spelled as Prometheus has them. */
export interface Tsdb {
  /** How much time a block spans. */
  readonly block: string;
  /** How far a sample may lie behind the newest of its series; `0s`: not at all. */
  readonly outOfOrderWindow: string;
  /** Whether it takes what is written to it by others. */
  readonly receiver: boolean;
}

/**
 * One block that spans two months, held in memory, instead of one every two hours.
 *
 * Prometheus takes a sample as in order when it is no older than half a block behind the newest of all series. With
 * two months, history of up to thirty days loads at full speed in any order of series, and nothing is compacted while
 * somebody waits. The window is for a series that goes back behind its own newest sample.
 */
export const wide: Tsdb = { block: '60d', outOfOrderWindow: '60d', receiver: true };
