/** Counts work that is under way, so that others can wait for a moment without any. */
export class Activity {
  #pending = 0;
  #waiting: (() => void)[] = [];

  track<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    const done = () => {
      this.#pending -= 1;
      if (this.#pending > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
    };
    work.then(done, done);
    return work;
  }

  get isStill(): boolean {
    return this.#pending === 0;
  }

  /** Resolves when nothing is under way, and what just ended has started nothing new. */
  async still(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      if (this.#pending === 0) return;
      await new Promise<void>((go) => this.#waiting.push(go));
    }
  }
}
