import DataLoader from 'dataloader';
import type { Activity } from './activity.ts';

/** What a batch waits for, and what knows that it is under way. */
export interface Rhythm {
  /** What a document is finding out: which nodes and GPUs it is about. Batches wait for it, so that all branches join. */
  readonly structure: Pick<Activity, 'still'>;
  /** What is being read of them. */
  readonly readings: Activity;
}

/** The same for what finds out the structure itself. */
export interface WholeRhythm extends Rhythm {
  readonly structure: Activity;
}

/** The answer for one key of a batch: a value, null for none, or the error of just this key. */
export type AnswerFor<K, V> = (key: K) => V | Error | null;

const keysPerTurn = 250;

/** A DataLoader whose batches join however deep a document goes, and whose fields resume a few hundred at a time. */
export function batched<K, V>(
  { structure, readings }: Rhythm,
  name: string,
  keyOf: (key: K) => string,
  read: (keys: readonly K[]) => Promise<AnswerFor<K, V>>,
): DataLoader<K, V | null, string> {
  let running: Promise<unknown> | null = null;
  const run = async (keys: readonly K[]) => inTurns(keys.map(await read(keys)));
  return new DataLoader<K, V | null, string>(
    (keys) => {
      const answers = run(keys);
      running = answers;
      return answers;
    },
    {
      name,
      cacheKeyFn: keyOf,
      batchScheduleFn: (dispatch) => {
        const batch = structure.still().then(() => {
          // A batch of keys that are all known runs nothing.
          running = null;
          dispatch();
          return running;
        });
        void readings.track(batch);
      },
    },
  );
}

/** Thousands of fields that resume at once would hold up the event loop: each few hundred wait for a turn of their own. */
function inTurns<V>(values: (V | Error | null)[]): (V | Error | null)[] {
  let turn: Promise<unknown> = Promise.resolve();
  return values.map((value, i) => {
    if (i < keysPerTurn) return value;
    if (i % keysPerTurn === 0) turn = turn.then(() => new Promise(setImmediate));
    // A promise among the values is awaited by whoever loads that key.
    return turn.then(() => (value instanceof Error ? Promise.reject(value) : value)) as V;
  });
}
