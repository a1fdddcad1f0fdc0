import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/embedded/free-port.ts';
import type { Sample } from '../support/fleet/truth.ts';
import { type MortalStore, mortalStore } from '../support/reported/mortal-store.ts';
import { configOf, type MortalGateway, mortalGateway, run, type Running } from '../support/reported/processes.ts';
import { differences, heldBy } from '../support/reported/raw.ts';
import { ask, expectMetrics, seriesLike, wholeRun } from '../support/reported/read-back.ts';
import { heldOf, type Told } from '../support/reported/told.ts';
import { type Training, training } from '../support/reported/training.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpuql-nothing-lost-'));
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

interface Stage {
  readonly store: MortalStore;
  readonly gateway: MortalGateway;
  /** A forwarder of that run, by words of its own; it dies with the test. */
  forward(name: string, ...words: string[]): Running;
}

async function stage(): Promise<Stage> {
  const store = await mortalStore();
  ends.push(() => store.close());
  const gateway = await mortalGateway(folder, await freePort(), configOf(store));
  ends.push(() => gateway.kill());
  const env = { GPUQL_URL: gateway.url };
  return {
    store,
    gateway,
    forward(name, ...words) {
      const running = run(['forward', '--run', name, '--cluster', 'aurora-prod', ...words], env);
      ends.push(() => running.kill());
      return running;
    },
  };
}

/** VictoriaMetrics keeps the first digits of a number that stands beside a larger one. */
const paceFor = ({ family }: MortalStore) => (family === 'prometheus' ? {} : { decimals: 3 });

/** A program that goes on writing a file. */
function writing(path: string, { store }: Stage): Training {
  const file = openSync(path, 'a');
  ends.push(() => closeSync(file));
  return training((bytes) => void writeSync(file, bytes), paceFor(store));
}

/** Until the store holds all of it, or will not in time: what differs then. */
async function settled({ store }: Stage, name: string, told: readonly Told[], withinMs = 60_000): Promise<string[]> {
  const expected = heldOf(told, name);
  const until = Date.now() + withinMs;
  for (;;) {
    const found = differences(expected, await heldBy(store, name));
    if (found.length === 0 || Date.now() > until) return found;
    await sleep(1000);
  }
}

/** Until the store has been given more of it, and so many milliseconds longer: whoever is killed then was at work. */
async function moves({ store }: Stage, name: string, thenMs: number): Promise<void> {
  const count = async (): Promise<number> => {
    const held = await heldBy(store, name, 'gpuql_run_event');
    return [...held.values()].reduce((sum, { length }) => sum + length, 0);
  };
  const before = await count();
  while ((await count()) === before) await sleep(100);
  await sleep(thenMs);
}

/** The same through the graph. */
async function expectGraph({ gateway }: Stage, name: string, told: readonly Told[]): Promise<void> {
  const [first, last] = [told[0]!.ts_ms, told.at(-1)!.ts_ms];
  const window = { start: Math.floor(first / 1000) - 1, end: Math.ceil(last / 1000), points: 12 };
  const { run: read } = await ask(gateway.query, wholeRun, window, { run: name });
  expectMetrics(told, read.metrics, window);
  const steps = new Map(told.flatMap(({ ts_ms, step }) => (step == null ? [] : [[ts_ms / 1000, step] as const])));
  expect(read.steps).toEqual(seriesLike([...steps] as Sample[], window));
  const taken = told.filter(({ name: metric }) => metric === 'runtime/step_seconds');
  expect(read.stepSeconds).toEqual(
    seriesLike(
      taken.map(({ ts_ms, value }) => [ts_ms / 1000, value as number]),
      window,
    ),
  );
  const annotations = told.filter(({ kind }) => kind === 'annotation');
  expect(read.annotations.map((one: Told) => [one.name, one.step])).toEqual(
    annotations.map(({ name: annotation, step = null }) => [annotation, step]),
  );
}

/** From the beginning once more: all of it is known, so nothing is told to be new, and what is no event is told. */
async function expectKnown(place: Stage, name: string, path: string, { events, counts }: Training): Promise<void> {
  const again = place.forward(name, '--file', path, '--state', `${path}.again`);
  expect(await again.ended).toBe(0);
  expect(again.said()).toContain(`${events.length} events: 0 new, ${events.length} already there`);
  expect(again.said()).toContain(`${counts.summaries} of kind "summary"`);
  expect(again.said()).toContain(`; ${counts.bad} bad lines (`);
  expect(await settled(place, name, events, 0)).toEqual([]);
}

// Its times are those of a machine that is busy with other tests.
describe.concurrent('a program that goes on writing', { timeout: 240_000 }, () => {
  test('the forwarder is killed and started again', async ({ expect }) => {
    const place = await stage();
    const path = join(folder, 'forwarder.jsonl');
    const program = writing(path, place);
    let forwarder = place.forward('a', '--file', path, '--follow');
    for (const thenMs of [0, 90, 400, 950, 1100]) {
      await moves(place, 'a', thenMs);
      await forwarder.kill();
      await sleep(300);
      forwarder = place.forward('a', '--file', path, '--follow');
    }
    await sleep(1000);
    await program.stop();
    expect(await settled(place, 'a', program.events)).toEqual([]);
    expect(await forwarder.stop()).toBe(0);
    await expectGraph(place, 'a', program.events);
    // Its last line waits for its end.
    appendFileSync(path, '{"kind":"metric","ts_ms":17645730001');
    await expectKnown(place, 'a', path, program);
  });

  test('the gateway is killed and started again', async ({ expect }) => {
    const place = await stage();
    const path = join(folder, 'gateway.jsonl');
    const program = writing(path, place);
    const forwarder = place.forward('b', '--file', path, '--follow');
    for (const [thenMs, deadMs] of [
      [0, 800],
      [950, 3000],
      [400, 0],
    ] as const) {
      await moves(place, 'b', thenMs);
      await place.gateway.kill();
      await sleep(deadMs);
      await place.gateway.start();
    }
    await sleep(1000);
    await program.stop();
    expect(await settled(place, 'b', program.events)).toEqual([]);
    expect(await forwarder.stop()).toBe(0);
    await expectGraph(place, 'b', program.events);
    await expectKnown(place, 'b', path, program);
  });

  // A store that acknowledges what it has in memory only has lost it when it is killed, and nobody can tell.
  const canDie = !process.env['GPUQL_ENGINE']?.startsWith('victoria');

  test.runIf(canDie)('the store is down for a minute: a file and a pipe', async ({ expect }) => {
    const place = await stage();
    const path = join(folder, 'store.jsonl');
    const ofFile = writing(path, place);
    const follows = place.forward('c', '--file', path, '--follow');
    const pipe = place.forward('pipe');
    const ofPipe = training(async (bytes) => {
      if (!pipe.process.stdin!.write(bytes)) await once(pipe.process.stdin!, 'drain');
    }, paceFor(place.store));
    await Promise.all([moves(place, 'c', 500), moves(place, 'pipe', 500)]);
    await place.store.kill();
    await sleep(20_000);
    await place.gateway.kill();
    await sleep(5000);
    await place.gateway.start();
    await sleep(35_000);
    await place.store.start();
    await sleep(2000);
    await Promise.all([ofFile.stop(), ofPipe.stop()]);
    pipe.process.stdin!.end();
    expect(await settled(place, 'c', ofFile.events)).toEqual([]);
    expect(await settled(place, 'pipe', ofPipe.events)).toEqual([]);
    expect(await pipe.ended).toBe(0);
    expect(pipe.said()).toContain(`${ofPipe.events.length} events: `);
    expect(pipe.said()).not.toContain('LOST');
    expect(await follows.stop()).toBe(0);
    await expectGraph(place, 'c', ofFile.events);
    await expectKnown(place, 'c', path, ofFile);
    await expectGraph(place, 'pipe', ofPipe.events);
  });

  test.runIf(canDie)('all three in one run', async ({ expect }) => {
    const place = await stage();
    const path = join(folder, 'all.jsonl');
    const program = writing(path, place);
    let forwarder = place.forward('d', '--file', path, '--follow');
    const restart = async (): Promise<void> => {
      await forwarder.kill();
      forwarder = place.forward('d', '--file', path, '--follow');
    };
    await moves(place, 'd', 300);
    await place.gateway.kill();
    await restart();
    await sleep(1500);
    await place.gateway.start();
    await moves(place, 'd', 0);
    await place.store.kill();
    await sleep(1000);
    await restart();
    await sleep(4000);
    await place.gateway.kill();
    await place.gateway.start();
    await sleep(4000);
    await restart();
    await place.store.start();
    await moves(place, 'd', 100);
    await place.store.kill();
    await place.gateway.kill();
    await forwarder.kill();
    await sleep(1000);
    await place.store.start();
    await place.gateway.start();
    forwarder = place.forward('d', '--file', path, '--follow');
    await sleep(1500);
    await program.stop();
    expect(await settled(place, 'd', program.events)).toEqual([]);
    expect(await forwarder.stop()).toBe(0);
    await expectGraph(place, 'd', program.events);
    await expectKnown(place, 'd', path, program);
  });
});
