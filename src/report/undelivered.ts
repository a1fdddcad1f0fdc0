import { type Delivered, joined, nothingDelivered } from './delivered.ts';

/** Sending ended before all was taken, because it was stopped. What was under way may be in the store or not. */
export class Undelivered extends Error {
  /** Where a batch was sent in parts: what became of the first of them. */
  delivered: Delivered = nothingDelivered;

  constructor(message: string) {
    super(message);
    this.name = 'Undelivered';
  }

  /** The same, after `length` events that were taken. */
  after(first: Delivered, length: number): this {
    this.delivered = joined(first, length, this.delivered);
    return this;
  }
}

/** The gateway will not take it, however often it is sent; the message says what to change. */
export class NotTaken extends Undelivered {
  constructor(message: string) {
    super(message);
    this.name = 'NotTaken';
  }
}
