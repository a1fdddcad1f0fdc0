/** One event of a subscription: what it tells, and the operation in which a document is answered about it. */
export interface Moment<Operation, Value> {
  readonly operation: Operation;
  /** An error, where something could not be told; the stream goes on. */
  readonly value: Value | Error;
}
