import { firstAfter, type Stream } from './stream.ts';

/** Something that happened between two neighbouring samples. `code` is an XID, or the number of a bit. */
export interface Happening {
  readonly from: number;
  readonly to: number;
  readonly code: number;
}

/** Each sample of the window with its predecessor, however old; null where there is none. */
function* steps({ times, values }: Stream, start: number, end: number) {
  for (let i = firstAfter(times, start); i < times.length && times[i]! <= end; i += 1) {
    yield { from: times[i - 1] ?? null, before: values[i - 1] ?? null, at: times[i]!, value: values[i]! };
  }
}

/**
 * A gauge that keeps showing the last code: an event is where it changes to another. Where it showed nothing before, for
 * the first time or after a silence, its code is an event only if the thing was watched meanwhile: a restarted exporter
 * forgets the code, and shows none until the next event.
 */
export function codeChanges(
  stream: Stream,
  start: number,
  end: number,
  silentS: number,
  watchedBefore: (at: number) => number | null,
): Happening[] {
  return [...steps(stream, start, end)].flatMap(({ from, before, at, value }) => {
    const watched = before === null || at - from! > silentS ? watchedBefore(at) : null;
    const isNew = value !== 0 && ((before !== null && value !== before) || watched !== null);
    return isNew ? [{ from: watched ?? from!, to: at, code: value }] : [];
  });
}

/** A bit mask: an event is where a bit appears. What the first sample shows may have been there for long. */
export function risingBits(stream: Stream, start: number, end: number, bits: number): Happening[] {
  return [...steps(stream, start, end)].flatMap(({ from, before, at, value }) => {
    if (before === null || from === null) return [];
    const fresh = BigInt(Math.trunc(value)) & ~BigInt(Math.trunc(before));
    return Array.from({ length: bits }, (_, bit) => bit)
      .filter((bit) => (fresh >> BigInt(bit)) & 1n)
      .map((code) => ({ from, to: at, code }));
  });
}

/**
 * How often something was seen in the last minutes, which falls back to 0 or vanishes: an event is where it begins.
 * A sample long after its predecessor begins anew.
 */
export function beginnings(
  stream: Stream,
  start: number,
  end: number,
  code: number,
  silentS: number,
  watchedBefore: (at: number) => number | null,
): Happening[] {
  return [...steps(stream, start, end)].flatMap(({ from, before, at, value }) => {
    const isLate = from === null || at - from > silentS;
    const watched = isLate ? watchedBefore(at) : null;
    const quiet = before === null ? watched !== null : before === 0 || isLate;
    return value > 0 && quiet ? [{ from: watched ?? from!, to: at, code }] : [];
  });
}
