import { joined, type Stream } from './stream.ts';

/** Samples of several series as one stream, one to a moment: of those of one moment `stands` says which, the first given where left out. */
export function merged(streams: readonly Stream[], stands: (held: number, other: number) => number = first): Stream {
  const following = streams.every(rises) ? joined(streams) : null;
  if (following) return following;
  const times = Float64Array.from(streams.flatMap((stream) => [...stream.times]));
  const values = Float64Array.from(streams.flatMap((stream) => [...stream.values]));
  const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a]! - times[b]! || a - b);
  let length = 0;
  const kept = { times: new Float64Array(times.length), values: new Float64Array(times.length) };
  for (const i of order) {
    const isAgain = length > 0 && kept.times[length - 1] === times[i];
    if (!isAgain) length += 1;
    kept.times[length - 1] = times[i]!;
    kept.values[length - 1] = isAgain ? stands(kept.values[length - 1]!, values[i]!) : values[i]!;
  }
  return { times: kept.times.subarray(0, length), values: kept.values.subarray(0, length) };
}

const first = (held: number): number => held;

/** Whether no moment has two samples, as one engine keeps what was written twice. */
function rises({ times }: Stream): boolean {
  for (let i = 1; i < times.length; i += 1) if (!(times[i]! > times[i - 1]!)) return false;
  return true;
}
