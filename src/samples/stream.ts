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
  const newest = stream.times.length - 1;
  // What was asked for by its window lies inside it whole; a view costs more than the look.
  if (newest < 0 || (stream.times[0]! > after && stream.times[newest]! <= until)) return stream;
  const [from, to] = [firstAfter(stream.times, after), firstAfter(stream.times, until)];
  return { times: stream.times.subarray(from, to), values: stream.values.subarray(from, to) };
}

/** Samples from pairs in any order; of pairs with one time the last one stays. */
export function streamOf(pairs: readonly (readonly [time: number, value: number])[]): Stream {
  const byTime = [...new Map(pairs)].sort(([a], [b]) => a - b);
  return { times: Float64Array.from(byTime, ([t]) => t), values: Float64Array.from(byTime, ([, v]) => v) };
}

/** Whether streams have their samples at the very same times, as series of one scrape do. */
export function sameTimes(streams: readonly Stream[]): boolean {
  const [first, ...others] = streams;
  return others.every(({ times }) => {
    if (times === first!.times) return true;
    if (times.length !== first!.times.length) return false;
    for (let i = 0; i < times.length; i += 1) if (times[i] !== first!.times[i]) return false;
    return true;
  });
}

/** Streams that follow each other as one; null where two of them overlap in time. */
export function joined(streams: readonly Stream[]): Stream | null {
  const ordered = streams.filter(({ times }) => times.length > 0).sort((a, b) => a.times[0]! - b.times[0]!);
  if (ordered.some(({ times }, i) => i > 0 && ordered[i - 1]!.times.at(-1)! >= times[0]!)) return null;
  const length = ordered.reduce((sum, { times }) => sum + times.length, 0);
  const whole = { times: new Float64Array(length), values: new Float64Array(length) };
  let at = 0;
  for (const { times, values } of ordered) {
    whole.times.set(times, at);
    whole.values.set(values, at);
    at += times.length;
  }
  return whole;
}
