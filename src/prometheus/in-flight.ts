interface Shared<T> {
  readonly result: Promise<T>;
  readonly abandoned: AbortController;
  waiting: number;
}

/** One piece of work for everyone who wants the same thing at the same time. Nothing is kept once it is done. */
export class InFlight<T> {
  readonly #shared = new Map<string, Shared<T>>();

  /**
   * The result of `work`, shared with all who ask for `key` while it runs.
   *
   * @param signal  ends the wait of this caller alone, at once, with the signal's reason
   * @param work    its signal aborts when the last waiting caller has gone
   */
  async join(key: string, signal: AbortSignal | undefined, work: (abandoned: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.#shared.get(key) ?? this.#start(key, work);
    shared.waiting += 1;
    if (signal === undefined) return shared.result;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        shared.waiting -= 1;
        if (shared.waiting > 0) return;
        // Forgotten before it is aborted: whoever asks next must not join work that is being torn down.
        this.#forget(key, shared);
        shared.abandoned.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  /** Ends all work that runs; whoever waits for it gets what the work makes of that. */
  abandon(reason: unknown): void {
    for (const { abandoned } of this.#shared.values()) abandoned.abort(reason);
  }

  #start(key: string, work: (abandoned: AbortSignal) => Promise<T>): Shared<T> {
    const abandoned = new AbortController();
    const shared: Shared<T> = { result: work(abandoned.signal), abandoned, waiting: 0 };
    this.#shared.set(key, shared);
    const forget = (): void => this.#forget(key, shared);
    shared.result.then(forget, forget);
    return shared;
  }

  #forget(key: string, shared: Shared<T>): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }
}
