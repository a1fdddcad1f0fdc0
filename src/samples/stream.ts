/** The samples of one thing, oldest first: epoch seconds, and values in the reading's unit. */
export interface Stream {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export const empty: Stream = { times: new Float64Array(0), values: new Float64Array(0) };

/** First index whose time is later than `t`. */
export function firstAfter(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The samples in `(after, until]`. Shares memory with the stream. */
export function between(stream: Stream, after: number, until: number): Stream {
  const [from, to] = [firstAfter(stream.times, after), firstAfter(stream.times, until)];
  return { times: stream.times.subarray(from, to), values: stream.values.subarray(from, to) };
}

/** Samples from pairs in any order; of pairs with one time the last one stays. */
export function streamOf(pairs: readonly (readonly [time: number, value: number])[]): Stream {
  const byTime = [...new Map(pairs)].sort(([a], [b]) => a - b);
  return { times: Float64Array.from(byTime, ([t]) => t), values: Float64Array.from(byTime, ([, v]) => v) };
}
