import { jobs, streamsOf } from './exporters.ts';
import { HOUR } from './shapes.ts';
import { isWithin } from './stream.ts';
import type { Span } from './stream.ts';

/** One series with its history. `labels` hold everything, `__name__` too; `times` are epoch seconds and may be shared between series. */
export interface LoadedSeries {
  readonly labels: Record<string, string>;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** What the demo's store holds when it starts: `hours` up to `t0`, on whole multiples of `stepS`, incidents included. */
export function* history(t0: number, hours = 24, stepS = 30): Generator<LoadedSeries> {
  const first = Math.floor((t0 - hours * HOUR) / stepS) + 1;
  const last = Math.floor(t0 / stepS);
  const grid = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * stepS);

  // All series of a GPU live in the same spans: they share their times, and so what was computed for them.
  const cut = new Map<readonly Span[], { times: Float64Array; since: Float64Array }>();
  const momentsIn = (alive: readonly Span[]) => {
    const known = cut.get(alive);
    if (known) return known;
    const times = grid.filter((time) => isWithin(alive, time - t0));
    const made = { times, since: times.map((time) => time - t0) };
    cut.set(alive, made);
    return made;
  };

  for (const job of jobs) {
    for (const { name, labels, alive, at } of streamsOf[job](t0, 0)) {
      const { times, since } = momentsIn(alive);
      if (times.length > 0) yield { labels: { __name__: name, ...labels }, times, values: at(since) };
    }
  }
}
