import { setTimeout as after } from 'node:timers/promises';
import type { Sleep } from '../../src/live/polls.ts';

/** Time between evaluations that passes when a test says so. */
export interface Turns {
  readonly sleep: Sleep;
  /** Polls that rest. */
  asleep(): number;
  /** Seconds that each of them wants to rest. */
  rests(): number[];
  /** Resolves when so many rest. */
  until(count: number): Promise<void>;
  /** Lets all that rest evaluate, and resolves when they rest again. */
  turn(): Promise<void>;
}

export function turns(): Turns {
  const resting = new Map<() => void, number>();
  const until = async (count: number): Promise<void> => {
    for (let waited = 0; resting.size !== count; waited += 5) {
      if (waited > 30_000) throw new Error(`${resting.size} polls rest, not ${count}`);
      await after(5);
    }
    // What they told is on its way.
    await after(5);
  };
  return {
    sleep: (seconds, signal) =>
      new Promise((resolve, reject) => {
        const go = () => resolve(undefined);
        resting.set(go, seconds);
        signal.addEventListener('abort', () => (resting.delete(go), reject(new Error('aborted'))), { once: true });
      }),
    asleep: () => resting.size,
    rests: () => [...resting.values()],
    until,
    async turn() {
      const all = [...resting.keys()];
      resting.clear();
      for (const go of all) go();
      await until(all.length);
    },
  };
}
