import type { GpuFacts } from '../../src/rules/facts.ts';
import type { Judged } from '../../src/rules/finding.ts';
import { empty, type Stream, streamOf } from '../../src/samples/stream.ts';

/** An hour, judged in seconds from its beginning, with a sample every 30 s. */
export const hour: Judged = { from: 0, to: 3600, scrapeS: 30 };

/** A sample every `everyS`, from 30 s on, of what holds at its time. */
export const sampled = (value: (time: number) => number, everyS = 30, until = 3600): Stream =>
  streamOf(Array.from({ length: until / everyS }, (_, i) => [(i + 1) * everyS, value((i + 1) * everyS)] as const));

/** `odd` from one moment to another, both included, else `usual`. */
export const between =
  (usual: number, odd: number, from: number, to: number) =>
  (time: number): number =>
    time >= from && time <= to ? odd : usual;

export const quiet: GpuFacts = {
  tempC: empty,
  thermal: { rises: [], events: [] },
  power: { rises: [], events: [] },
  counters: {},
  xids: [],
  activity: null,
  memory: null,
};
