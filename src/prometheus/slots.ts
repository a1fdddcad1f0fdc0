/** A bound on how many jobs run at once; the others wait in the order they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Runs `job` in a slot. A signal that aborts while waiting gives the place in the queue up at once. */
  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    await this.#slot(signal);
    try {
      return await job();
    } finally {
      this.#release();
    }
  }

  async #slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    // The slot is handed over, never freed in between: a newcomer must not overtake those who wait.
    this.#waiting.delete(next);
    next();
  }
}
