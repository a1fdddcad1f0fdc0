import { expect, test } from 'vitest';
import { Slots } from '../../src/prometheus/slots.ts';

const never = new AbortController().signal;

const turn = () => new Promise(setImmediate);

/** Jobs that note when they begin, and end when they are told to. */
function bench(size: number, waitS = 20) {
  const slots = new Slots(size, waitS);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    ends,
    start: (owner: string, name: string, signal: AbortSignal = never) =>
      slots.run(owner, signal, async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.push(end));
      }),
    /** Ends the job that has run longest, and lets whoever is next begin. */
    async end() {
      await turn();
      ends.shift()!();
      await turn();
    },
  };
}
const settled = (all: readonly Promise<void>[]) => Promise.allSettled(all);

test('the single job of one owner waits for one slot behind the hundreds of another', async () => {
  const { begun, start, end } = bench(2);
  for (let i = 0; i < 200; i += 1) void start('acme', `a${i}`);
  void start('zeta', 'z');
  await end();
  await end();
  expect(begun).toEqual(['a0', 'a1', 'a2', 'z']);
});

test('owners take turns, and the jobs of each begin in the order they came', async () => {
  const { begun, start, end } = bench(1);
  const jobs = [
    ['acme', 'a0'],
    ['acme', 'a1'],
    ['acme', 'a2'],
    ['acme', 'a3'],
    ['zeta', 'z0'],
    ['zeta', 'z1'],
    ['crux', 'c0'],
  ] as const;
  for (const [owner, name] of jobs) void start(owner, name);
  for (const _ of jobs) await end();
  expect(begun).toEqual(['a0', 'a1', 'z0', 'c0', 'a2', 'z1', 'a3']);
});

test('who comes again and again has no turn before those who wait', async () => {
  const { begun, start, end } = bench(1);
  for (const name of ['a0', 'a1', 'a2', 'a3']) void start('acme', name);
  void start('zeta', 'z0');
  await end();
  await end();
  // Its queue was empty; it is behind acme now, whose turn is next.
  void start('zeta', 'z1');
  await end();
  await end();
  expect(begun).toEqual(['a0', 'a1', 'z0', 'a2', 'z1']);
});

test('an owner whose last waiting job has left has no turn', async () => {
  const { begun, start, end } = bench(1);
  const leaving = new AbortController();
  void start('acme', 'a0');
  const left = start('zeta', 'z0', leaving.signal);
  void start('acme', 'a1');
  leaving.abort('gone');
  await expect(left).rejects.toBe('gone');
  await end();
  expect(begun).toEqual(['a0', 'a1']);
});

test('of an owner with several waiting jobs one can leave, and its place goes to the next', async () => {
  const { begun, start, end } = bench(1);
  const leaving = new AbortController();
  void start('acme', 'a0');
  const left = start('zeta', 'z0', leaving.signal);
  void start('zeta', 'z1');
  void start('acme', 'a1');
  leaving.abort('gone');
  await expect(left).rejects.toBe('gone');
  await end();
  await end();
  expect(begun).toEqual(['a0', 'z1', 'a1']);
});

test('a slot that is handed over goes to nobody who comes at that moment', async () => {
  const { begun, start, ends } = bench(1);
  void start('acme', 'a0');
  void start('zeta', 'z0');
  await turn();
  ends[0]!();
  // One in each of the steps in which the slot changes hands.
  for (let i = 1; i <= 20; i += 1) {
    void start('acme', `a${i}`);
    await Promise.resolve();
  }
  expect(begun).toEqual(['a0', 'z0']);
});

test('whoever waits gives up in time, whoever it is, and its slot is not lost', async () => {
  const { begun, start, end } = bench(1, 0.05);
  void start('acme', 'a0');
  const waited = await settled([start('acme', 'a1'), start('zeta', 'z0')]);
  for (const one of waited) expect(one).toMatchObject({ reason: { message: 'no slot was free within 0.05 s' } });
  await end();
  void start('zeta', 'z1');
  await turn();
  expect(begun).toEqual(['a0', 'z1']);
});
