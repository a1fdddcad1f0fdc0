import { StoreFault } from './store-fault.ts';

/** A bound on how many jobs run at once; the others wait in the order they came, and not for ever. */
export class Slots {
  #free: number;
  readonly #waitS: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number, waitS: number) {
    this.#free = size;
    this.#waitS = waitS;
  }

  /**
   * Runs `job` in a slot. A signal that aborts while waiting gives the place in the queue up at once.
   *
   * @throws StoreFault: its turn did not come in time; behind a store that hangs, it would not come for minutes
   */
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
        settle();
        resolve();
      };
      const leave = (): void => {
        settle();
        reject(signal.reason);
      };
      const giveUp = (): void => {
        settle();
        reject(new StoreFault(`no slot was free within ${this.#waitS} s`));
      };
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.#waiting.delete(enter);
      };
      const timer = setTimeout(giveUp, this.#waitS * 1000);
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
    next();
  }
}
