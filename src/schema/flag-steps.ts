import type { Severity } from '../domain/fleet.ts';
import { type Change, changesSince } from '../live/changes.ts';
import { cursorOf } from '../live/cursor.ts';
import type { Known } from '../live/known.ts';
import type { Moment } from '../live/moment.ts';
import type { FlagLook } from './live-flags.ts';
import type { Operation } from './operation.ts';
import type { FlagChange, FlagInWindow } from './refs.ts';

interface Step {
  readonly moments: readonly Moment<Operation, FlagChange>[];
  /** Said once all of that was told. */
  readonly current: Moment<Operation, FlagChange>;
  readonly known: Known;
}

const stepsOf = new WeakMap<FlagLook, Map<string, Steps>>();

/**
 * What to tell those who know so much. Subscribers who know the same are told the same objects, however many they are: what
 * it takes, and the cursors, are made once.
 *
 * @param mark  tells their question from others
 */
export function stepAfter(known: Known, look: FlagLook, least: Severity, mark: string): Step {
  const all = stepsOf.get(look) ?? new Map<string, Steps>();
  stepsOf.set(look, all);
  const steps = all.get(mark) ?? new Steps();
  all.set(mark, steps);
  return steps.after(known, look, least, mark);
}

class Steps {
  readonly #known = new Map<Known, Step>();
  readonly #same = new Map<string, Known>();

  after(known: Known, look: FlagLook, least: Severity, mark: string): Step {
    const held = this.#known.get(known);
    if (held) return held;
    const { changes, known: next } = changesSince(known, look, least);
    const after = this.#asOne(next);
    const momentOf = (change: Change<FlagInWindow>) => ({
      operation: look.operation,
      value: { ...change, cursor: once(() => cursorOf(change.known(), mark)) },
    });
    const step = {
      moments: changes.map(momentOf),
      current: momentOf({ type: 'CURRENT', key: null, flag: null, at: look.at, known: () => after }),
      known: after,
    };
    this.#known.set(known, step);
    return step;
  }

  /** Who came by different ways to know the same knows the same object from here on. */
  #asOne(known: Known): Known {
    const words = JSON.stringify([
      known.at,
      [...known.flags].map(([key, { severity, state }]) => [key, severity, state]).sort(),
    ]);
    const same = this.#same.get(words) ?? known;
    this.#same.set(words, same);
    return same;
  }
}

function once<T>(make: () => T): () => T {
  let held: { readonly made: T } | undefined;
  return () => (held ??= { made: make() }).made;
}
