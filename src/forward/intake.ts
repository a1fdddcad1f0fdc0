import type { Outbox, Parcel } from './outbox.ts';

/** Where events come from, read into an outbox. */
export interface Intake<Source> {
  readonly outbox: Outbox<Source>;
  /** To its end, or until it is stopped. */
  readAll(): Promise<void>;
  /** Whether what is not taken is there to be read again. */
  readonly isKept: boolean;
  /** All of it is taken. */
  onTaken(parcel: Parcel<Source>): void;
  /** Once what is taken is remembered. */
  settled(): Promise<void>;
}
