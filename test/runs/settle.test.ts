import { describe, expect, test } from 'vitest';
import { settle } from '../../src/reads/settle.ts';
import type { NotTaken } from '../../src/reads/write.ts';
import type { Claim } from '../../src/runs/batch.ts';

const minuteMs = 60_000;
const claim = (key: string, minute: number): Claim => ({
  key,
  labels: { __name__: key },
  tsMs: minute * minuteMs,
  value: minute,
  said: [minute],
});
const series = (key: string, from: number, to: number): Claim[] =>
  Array.from({ length: to - from + 1 }, (_, i) => claim(key, from + i));

interface Rules {
  /** Nothing older than that is taken, of any series. */
  readonly oldest?: number;
  /** Nothing newer. */
  readonly newest?: number;
  /** Nothing behind the newest of a series. */
  readonly inOrder?: true;
  readonly held?: Readonly<Record<string, number>>;
  readonly tooLong?: string;
  /** What is good of a request is taken, whatever else it holds. */
  readonly inPart?: true;
}

/** A store as it says that it is, told without the rules of the gateway. */
function store({ oldest = 0, newest = Infinity, inOrder, held = {}, tooLong, inPart }: Rules) {
  const last = new Map(Object.entries(held));
  const taken = new Set<Claim>();
  let requests = 0;
  const faultOf = ({ key, value }: Claim): NotTaken | null =>
    key === tooLong
      ? 'labels'
      : value < oldest
        ? 'tooOld'
        : value > newest
          ? 'ahead'
          : inOrder && value <= (last.get(key) ?? -1)
            ? 'late'
            : null;
  const take = (one: Claim): void => {
    taken.add(one);
    last.set(one.key, Math.max(last.get(one.key) ?? -1, one.value));
  };
  return {
    taken,
    requests: () => requests,
    offer: async (offered: readonly (readonly Claim[])[]): Promise<NotTaken | null> => {
      requests += 1;
      const faults = offered.flat().map((one) => [one, faultOf(one)] as const);
      const fault = faults.find(([, why]) => why !== null)?.[1] ?? null;
      if (fault === null || inPart) for (const [one, why] of faults) if (why === null) take(one);
      return fault;
    },
  };
}

const ofAll = [...series('a', 1, 100), ...series('b', 1, 100), claim('c', 50)];

test.each<[string, Rules, Claim[], taken: number, requests: number]>([
  ['takes all', {}, ofAll, 201, 1],
  ['takes nothing', { oldest: 1000 }, ofAll, 0, 9],
  ['takes what is not that old', { oldest: 61 }, ofAll, 80, 40],
  ['takes nothing so far ahead', { newest: 60 }, ofAll, 121, 26],
  ['takes what is in order', { inOrder: true, held: { a: 20 } }, ofAll, 181, 5],
  ['does not take the labels of one series', { tooLong: 'b' }, ofAll, 101, 4],
  ['takes the rest of a request', { oldest: 61, inPart: true }, ofAll, 80, 40],
  ['takes nothing of one sample', { oldest: 1000 }, [claim('c', 50)], 0, 1],
])('a store that %s', async (_what, rules, claims, taken, most) => {
  const { offer, requests, taken: has } = store(rules);
  const known = (key: string) => rules.held?.[key] && rules.held[key] * minuteMs;
  const fates = await settle(claims, known, offer);
  expect(fates.size).toBe(claims.length);
  expect(has.size).toBe(taken);
  expect(claims.filter((one) => (fates.get(one) === 'written') !== has.has(one))).toEqual([]);
  expect(requests()).toBeLessThanOrEqual(most);
});

describe('a store that takes what is in order loses nothing', () => {
  test('where it is known what it has', async () => {
    const { offer, taken, requests } = store({ inOrder: true, held: { a: 20 } });
    await settle(series('a', 1, 100), () => 20 * minuteMs, offer);
    expect([taken.size, requests()]).toEqual([80, 2]);
  });

  test('where what it has lies between two stretches', async () => {
    const { offer, taken, requests } = store({ inOrder: true, held: { a: 120 } });
    await settle([...series('a', 1, 97), ...series('a', 130, 132), ...series('a', 150, 180)], () => undefined, offer);
    expect([taken.size, requests()]).toEqual([34, 2]);
  });
});
