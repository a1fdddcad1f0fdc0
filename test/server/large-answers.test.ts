import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { jsonPieces } from '../../src/server/json-pieces.ts';
import { onSocket, samplesOf, toyApp } from './toy-app.ts';

/** Repeatable: a failure names its seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const texts = ['', 'plain', 'quo"te', '\u2028', '\ud800', 'ü', '\n\t\\', '__proto__', 'toJSON'];

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const leaf = (): unknown =>
    pick([
      null,
      true,
      0,
      -0,
      1e21,
      random(),
      random() * 1e9,
      Number.NaN,
      -Infinity,
      pick(texts),
      undefined,
      () => 1,
      Symbol('s'),
    ]);
  const inner = (): unknown => (depth === 0 ? leaf() : randomValue(random, depth - 1));
  const length = Math.floor(random() * 6);
  switch (Math.floor(random() * 7)) {
    case 0:
      return leaf();
    case 1:
      return Array.from({ length: Math.floor(random() * 10_000) }, () => (random() < 0.1 ? null : random() * 100));
    case 2:
      return new Date(Math.floor(random() * 1e12));
    case 3:
      return pick([new Map([[1, 2]]), new Float64Array([1, 2]), Object(3), Object('x'), /x/]);
    case 4:
      return Array.from({ length }, inner);
    case 5:
      return Object.assign(
        Object.create(null),
        Object.fromEntries(Array.from({ length }, (_, i) => [pick(texts) + i, inner()])),
      );
    default:
      return Object.fromEntries(Array.from({ length }, () => [pick(texts.slice(0, -1)), inner()]));
  }
}

test('the pieces of any value join to what JSON.stringify writes', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom(seed);
    const value = { root: randomValue(random, 5), 7: randomValue(random, 3) };
    expect([...jsonPieces(value)].join('') === JSON.stringify(value), `seed ${seed}`).toBe(true);
  }
});

test('a large value comes in pieces of a few hundred kilobytes', () => {
  const series = () => ({ values: Array.from({ length: 96 }, Math.random), mean: 1.5, last: null });
  const value = { nodes: Array.from({ length: 3000 }, (_, i) => ({ name: `n${i}`, temp: series(), power: series() })) };
  const pieces = [...jsonPieces(value)];
  expect(pieces.length).toBeGreaterThan(20);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
  expect(pieces.join('')).toBe(JSON.stringify(value));
});

test('one long list of numbers comes in pieces too', () => {
  const value = { list: Array.from({ length: 300_000 }, (_, i) => i / 7) };
  const pieces = [...jsonPieces(value)];
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.join('')).toBe(JSON.stringify(value));
});

test('an answer of 50 MB on a socket is whole, and does not keep other requests waiting', async () => {
  const rows = 28_000;
  const port = await onSocket(toyApp().app);
  const url = `http://127.0.0.1:${port}/graphql`;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const began = performance.now();
  delay.enable();
  const large = await fetch(`${url}?query={samples(rows:${rows})}`);
  const [text, small] = await Promise.all([
    large.text(),
    fetch(`${url}?query={hello}`).then((answer) => answer.json()),
  ]);
  delay.disable();
  const tookMs = performance.now() - began;
  expect(small).toEqual({ data: { hello: 'world' } });
  expect(text.length).toBeGreaterThan(50_000_000);
  const samples = Array.from({ length: rows }, (_, row) => samplesOf(row));
  expect(text === JSON.stringify({ data: { samples } })).toBe(true);
  // Written in one go it would be nearly all of that time, on any machine.
  expect(delay.max / 1e6).toBeLessThan(tookMs / 3);
});

test('a client that leaves in the middle of a large answer leaves the gateway well', async () => {
  const { app, log } = toyApp();
  const port = await onSocket(app);
  const url = `http://127.0.0.1:${port}/graphql`;
  const client = new AbortController();
  const large = await fetch(`${url}?query={samples(rows:28000)}`, { signal: client.signal });
  client.abort();
  await expect(large.text()).rejects.toThrow('aborted');
  expect(await (await fetch(`${url}?query={hello}`)).json()).toEqual({ data: { hello: 'world' } });
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});
