import { setTimeout as after } from 'node:timers/promises';

/** What came of one evaluation. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Who is told. */
export interface Listener<T> {
  tell(outcome: Outcome<T>): void;
  /** There will be no more. */
  end(): void;
}

/** A question that is asked of the stores again and again. */
export interface Polled<T> {
  readonly organization: string;
  /** Tells it from other questions of the organization. */
  readonly key: string;
  readonly everyS: number;
  /** @param previous  what came of the evaluation before, if anything ever came */
  readonly evaluate: (signal: AbortSignal, previous: T | undefined) => Promise<T>;
}

/** Resolves after so many seconds, rejects when aborted. */
export type Sleep = (seconds: number, signal: AbortSignal) => Promise<unknown>;

const sleepFor: Sleep = (seconds, signal) => after(seconds * 1000, undefined, { signal });

/** Of the time, evaluating may take a quarter: what keeps a store busy for longer is asked more rarely. */
const restPerWork = 3;

interface Running<T> {
  readonly listeners: Set<Listener<T>>;
  readonly over: AbortController;
  latest?: Outcome<T>;
}

/**
 * One evaluation for all who ask the same: it begins with the first of them and ends with the last. Who comes later is told
 * what came of the latest. Nothing is shared between organizations.
 */
export class Polls {
  readonly #running = new Map<string, Running<unknown>>();
  readonly #sleep: Sleep;

  constructor(sleep: Sleep | undefined = sleepFor) {
    this.#sleep = sleep;
  }

  /** Questions that somebody listens to. */
  get size(): number {
    return this.#running.size;
  }

  /** @returns leaves; calling it again does nothing */
  join<T>(polled: Polled<T>, listener: Listener<T>): () => void {
    // Here, and not in each caller's key: nobody can forget it.
    const key = JSON.stringify([polled.organization, polled.key]);
    const held = this.#running.get(key) as Running<T> | undefined;
    const running = held ?? { listeners: new Set<Listener<T>>(), over: new AbortController() };
    running.listeners.add(listener);
    if (!held) {
      this.#running.set(key, running as Running<unknown>);
      void this.#run(polled, running);
    } else if (running.latest) listener.tell(running.latest);
    return () => {
      if (!running.listeners.delete(listener) || running.listeners.size > 0) return;
      running.over.abort();
      if (this.#running.get(key) === (running as Running<unknown>)) this.#running.delete(key);
    };
  }

  /** Ends everything. */
  close(): void {
    for (const { listeners } of this.#running.values()) for (const listener of listeners) listener.end();
  }

  async #run<T>({ evaluate, everyS }: Polled<T>, running: Running<T>): Promise<void> {
    const { signal } = running.over;
    let previous: T | undefined;
    while (!signal.aborted) {
      const began = performance.now();
      const outcome: Outcome<T> = await evaluate(signal, previous).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if (signal.aborted) return;
      running.latest = outcome;
      if ('value' in outcome) previous = outcome.value;
      for (const listener of running.listeners) listener.tell(outcome);
      const tookS = (performance.now() - began) / 1000;
      await this.#sleep(Math.max(everyS, restPerWork * tookS), signal).catch(() => {});
    }
  }
}
