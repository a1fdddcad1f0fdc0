/**
 * What waits for one subscriber. It takes so many batches and no more: then it drops them all and ends with an error. Not an
 * async generator, because one that waits inside cannot be ended from outside, and a client that leaves would never be let go.
 */
export class Mailbox<T> implements AsyncIterableIterator<T> {
  readonly #most: number;
  readonly #overflow: () => Error;
  readonly #onEnd: () => void;
  #batches: (readonly T[])[] = [];
  #at = 0;
  #waiting: PromiseWithResolvers<IteratorResult<T>> | undefined;
  #isOver = false;
  #error: Error | undefined;

  /**
   * @param most      batches that may wait, beside the one that is being read
   * @param overflow  why it ends where more come
   * @param onEnd     called once, however it ends
   */
  constructor(most: number, overflow: () => Error, onEnd: () => void) {
    this.#most = most;
    this.#overflow = overflow;
    this.#onEnd = onEnd;
  }

  /** Nobody will get what is posted now. */
  get isOver(): boolean {
    return this.#isOver;
  }

  post(batch: readonly T[]): void {
    if (this.#isOver || batch.length === 0) return;
    if (this.#batches.length > this.#most) return this.end(this.#overflow());
    this.#batches.push(batch);
    this.#serve();
  }

  /** Drops what waits. With an error, that is what the subscriber gets last. */
  end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#batches = [];
    this.#error = error;
    this.#onEnd();
    this.#serve();
  }

  next(): Promise<IteratorResult<T>> {
    this.#waiting ??= Promise.withResolvers();
    const { promise } = this.#waiting;
    this.#serve();
    return promise;
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #serve(): void {
    const waiting = this.#waiting;
    const [batch] = this.#batches;
    if (!waiting || !(batch || this.#isOver)) return;
    this.#waiting = undefined;
    if (batch) {
      const value = batch[this.#at]!;
      this.#at += 1;
      if (this.#at === batch.length) [this.#at] = [0, this.#batches.shift()];
      return waiting.resolve({ done: false, value });
    }
    const error = this.#error;
    this.#error = undefined;
    if (error) waiting.reject(error);
    else waiting.resolve({ done: true, value: undefined });
  }
}
