import { StoreFault } from './store-fault.ts';

/**
 * A bound on how many jobs run at once; the others wait, and not for ever. Owners who wait take turns, the jobs of one come
 * in the order they came: one with hundreds of jobs keeps another's single job waiting for one slot, not for hundreds.
 */
export class Slots {
  #free: number;
  readonly #waitS: number;
  /** By owner, whose turn is next first; nobody is here who waits for nothing. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(size: number, waitS: number) {
    this.#free = size;
    this.#waitS = waitS;
  }

  /**
   * Runs `job` in a slot. A signal that aborts while waiting gives the place in the queue up at once.
   *
   * @throws StoreFault: its turn did not come in time; behind a store that hangs, it would not come for minutes
   */
  async run<T>(owner: string, signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    await this.#slot(owner, signal);
    try {
      return await job();
    } finally {
      this.#release();
    }
  }

  async #slot(owner: string, signal: AbortSignal): Promise<void> {
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
        this.#leaveQueue(owner, enter);
      };
      const timer = setTimeout(giveUp, this.#waitS * 1000);
      this.#joinQueue(owner, enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #release(): void {
    const [turn] = this.#waiting;
    if (turn === undefined) {
      this.#free += 1;
      return;
    }
    const [owner, queue] = turn;
    // Its next turn comes after that of everyone who waits now.
    this.#waiting.delete(owner);
    this.#waiting.set(owner, queue);
    // The slot is handed over, never freed in between: a newcomer must not overtake those who wait.
    const [next] = queue;
    next!();
  }

  #joinQueue(owner: string, enter: () => void): void {
    const queue = this.#waiting.get(owner);
    if (queue) queue.add(enter);
    else this.#waiting.set(owner, new Set([enter]));
  }

  #leaveQueue(owner: string, enter: () => void): void {
    const queue = this.#waiting.get(owner);
    queue?.delete(enter);
    if (queue?.size === 0) this.#waiting.delete(owner);
  }
}
