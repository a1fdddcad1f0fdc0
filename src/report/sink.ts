import type { Status } from './deliver.ts';
import type { Tally } from './tally.ts';

/** What takes events, in order. None of its functions fails: what is lost is counted, and said once. */
export interface Sink {
  /** Where numbers go: printed at the start, and the same in the summary and the status file. */
  readonly place: string;
  readonly tally: Tally;
  /**
   * @param text    one event, as JSON
   * @param values  JSON values in it
   */
  put(text: string, values: number): void;
  /**
   * The run's state now.
   *
   * @param isNews  false where only a step was added
   */
  show(status: Status, isNews: boolean): void;
  /** Waits for what is on its way, thirty seconds at the most. */
  close(): Promise<void>;
}
