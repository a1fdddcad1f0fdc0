import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf, type Told } from './told.ts';

export interface Training {
  /** All that it has told whole, and what of its stream is no event. */
  readonly events: readonly Told[];
  readonly counts: { bad: number; summaries: number };
  /** The last line is whole by then. */
  stop(): Promise<void>;
}

export interface Pace {
  /** From step to step; within that the stream ends for `cutMs` inside a line. */
  readonly everyMs?: number;
  readonly cutMs?: number;
  /** A store that keeps a number's first digits only is told no more. */
  readonly decimals?: number;
}

/** What is no event among the lines: one that lost its end, and the kind that ends a run. */
const [bad, summary] = ['{"kind":"metric","ts_ms":', '{"kind":"summary","step":3}'];

/** A training program that goes on telling until it is stopped, in pieces that end anywhere, inside a character too. */
export function training(write: (bytes: Buffer) => void | Promise<void>, pace: Pace = {}): Training {
  const { everyMs = 60, cutMs = 40, decimals } = pace;
  const events: Told[] = [];
  const counts = { bad: 0, summaries: 0 };
  const random = randomFrom(20_261_201);
  const over = new AbortController();
  let last = 0;
  // A moment has one step: two moments never fall on one millisecond.
  const moment = (): number => (last = Math.max(last + 1, Date.now()));
  const number = (): number =>
    decimals === undefined ? random() * 10 ** (random() * 8 - 4) : Number((random() * 90 + 1).toFixed(decimals));

  const linesOf = (step: number): string[] => {
    const at = moment();
    const metric = (name: string, value: Told['value'], metadata?: Told['metadata'], ts_ms = at): Told => ({
      kind: 'metric',
      ts_ms,
      step,
      name,
      value: value!,
      ...(metadata && { metadata }),
    });
    const train = { split: 'train', stage: step % 200 < 100 ? 'easy' : 'hard' };
    const told: Told[] = [
      metric('runtime/step_seconds', number(), { split: 'train' }),
      metric('train/loss', step % 37 === 36 ? 'NaN' : number(), train),
      metric('train/loss', number()),
      metric('probe/logit-rms', number(), { layer: 'größe 😀 "x"\\', split: 'train', head: 3, tied: true }),
      metric('rate/tokens', step % 53 === 52 ? (['Infinity', '-Infinity', null] as const)[step % 3]! : number(), train),
    ];
    if (step % 10 === 9) {
      const after = moment();
      told.push(
        metric('eval/loss', number(), { split: 'eval', pass: 'eval' }, after),
        metric('runtime/eval_seconds', number(), { split: 'eval', pass: 'eval' }, after),
      );
    }
    if (step % 25 === 24)
      told.push({
        kind: 'annotation',
        ts_ms: moment(),
        step,
        name: 'checkpoint',
        metadata: { path: `/ckpt/${step}`, seconds: 1.5 },
      });
    if (step % 60 === 59) told.push({ kind: 'annotation', ts_ms: moment(), name: 'data/epoch' });
    events.push(...told);
    const others = [
      ...(step % 31 === 30 ? [bad] : []),
      ...(step % 41 === 40 ? [summary] : []),
      ...(step % 17 === 16 ? [''] : []),
    ];
    for (const line of others) {
      counts.bad += Number(line === bad);
      counts.summaries += Number(line === summary);
    }
    return [...told.map(lineOf), ...others];
  };

  const ended = (async () => {
    for (let step = 0; !over.signal.aborted; step++) {
      const bytes = Buffer.from(`${linesOf(step).join('\n')}\n`);
      const cut = Math.floor(random() * bytes.length);
      await write(bytes.subarray(0, cut));
      await sleep(cutMs);
      await write(bytes.subarray(cut));
      await sleep(Math.max(0, everyMs - cutMs));
    }
  })();
  return {
    events,
    counts,
    stop: async () => {
      over.abort();
      await ended;
    },
  };
}

/** The same numbers each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
