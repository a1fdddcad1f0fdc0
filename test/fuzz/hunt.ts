import * as fc from 'fast-check';
import pLimit from 'p-limit';

import type { Engine } from '../../src/embedded/store.ts';
import { type Pair, startPair } from './pair.ts';
import { examples, type FuzzQuestion, questions } from './questions.ts';
import { type Tally, Tallies } from './tally.ts';
import { judge, type Verdict } from './verdict.ts';

export interface Hunt {
  readonly engine: Engine;
  readonly seed: number;
  readonly count: number;
}

export interface Hunted {
  readonly tally: Tally;
  /** The smallest expression that broke the property, with what it did, and how to come back to it. */
  readonly counterexample: string | undefined;
}

/** Under way at once: two cores and two stores are busy with it. */
const AT_ONCE = 12;
/** After so many, what was found is asked again alone, and the stores must be there. */
const TOGETHER = 250;

/** Pairs of stores, of which one can die of a question. */
class Ring {
  #pair: Promise<Pair>;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#pair = startPair(engine);
  }

  async judge(query: string): Promise<Verdict> {
    return judge(await this.#pair, query);
  }

  /** A store that died is an answer to who asked, and not to those who asked at the same time. */
  async judgeAlone(query: string): Promise<Verdict> {
    await this.revive();
    const verdict = await this.judge(query);
    if (verdict.ownFault) await this.revive();
    if (verdict.finding !== undefined || (await (await this.#pair).alive())) return verdict;
    return { ...verdict, finding: 'it ended a store' };
  }

  async revive(): Promise<boolean> {
    const pair = await this.#pair;
    if (await pair.alive()) return false;
    await pair.close();
    this.#pair = startPair(this.#engine);
    await this.#pair;
    return true;
  }

  async close(): Promise<void> {
    await (await this.#pair).close();
  }
}

/**
 * Asks every known attack and `count` expressions made from `seed`, and stops at the first that breaks the property. The same seed makes the same
 * expressions, whichever the engine.
 */
export async function hunt({ engine, seed, count }: Hunt): Promise<Hunted> {
  const ring = new Ring(engine);
  const tallies = new Tallies();
  const all = await made(seed, count);
  const limit = pLimit(AT_ONCE);
  try {
    for (let from = 0; from < all.length; from += TOGETHER) {
      const part = all.slice(from, from + TOGETHER);
      const verdicts = await Promise.all(part.map(({ query }) => limit(() => ring.judge(query))));
      for (const [at, { query, origin }] of part.entries()) {
        const doubtful = verdicts[at]!.finding !== undefined || verdicts[at]!.ownFault;
        const verdict = doubtful ? await ring.judgeAlone(query) : verdicts[at]!;
        tallies.add(origin, verdict);
        if (verdict.finding === undefined) continue;
        const first = `${JSON.stringify(query)}\n  ${verdict.finding}\n  seed ${seed}, path ${from + at}`;
        return {
          tally: tallies.all,
          counterexample: (await smaller(ring, seed, from + at)) ?? `${first}, and not again`,
        };
      }
      if (await ring.revive())
        return { tally: tallies.all, counterexample: 'a store ended, and of nothing that was asked' };
    }
    return { tally: tallies.all, counterexample: undefined };
  } finally {
    await ring.close();
  }
}

/** The expressions that a check of that seed would run through: a run's number then finds each again, to make it smaller. */
async function made(seed: number, count: number): Promise<FuzzQuestion[]> {
  const all: FuzzQuestion[] = [];
  const noted = fc.asyncProperty(questions, async (question) => void all.push(question));
  await fc.assert(noted, { seed, examples, numRuns: examples.length + count });
  return all;
}

/** The run of that number made again, and then smaller for as long as it breaks the property. */
async function smaller(ring: Ring, seed: number, at: number): Promise<string | undefined> {
  let last = '';
  const property = fc.asyncProperty(questions, async ({ query }: FuzzQuestion) => {
    const { finding } = await ring.judgeAlone(query);
    if (finding !== undefined) last = finding;
    return finding === undefined;
  });
  const { counterexample, counterexamplePath } = await fc.check(property, {
    seed,
    examples,
    path: String(at),
    numRuns: 1,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: false,
  });
  if (counterexample === null) return undefined;
  return `${JSON.stringify(counterexample[0].query)}\n  ${last}\n  seed ${seed}, path ${counterexamplePath}`;
}
