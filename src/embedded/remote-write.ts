import type { Labels } from '../domain/series.ts';

/** History to be written: the labels with `__name__`, the times in epoch seconds, rising, exact to the millisecond. */
export interface LoadedSeries {
  readonly labels: Labels;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Tag, length, and the two fields of a sample with a ten-byte timestamp at most. */
const sampleBytes = 22;
/** The snappy header: the length as a varint, one literal's tag, its length. */
const headerBytes = 10;

/**
 * A remote-write request: the protobuf message `WriteRequest` in snappy's block format as one literal.
 *
 * Written by hand for speed: nothing between the caller's numbers and the bytes. Uncompressed, because on loopback
 * the store would only spend time to expand it.
 */
export function writeRequest(series: readonly LoadedSeries[]): Buffer {
  const labels = series.map((one) => encodeLabels(one.labels));
  const room = series.reduce((sum, one, i) => sum + labels[i]!.length + 12 + one.times.length * sampleBytes, 0);
  const out = Buffer.allocUnsafe(headerBytes + room);
  let at = headerBytes;
  series.forEach((one, i) => {
    // The length stands before the content: leave the widest gap, then close it.
    const content = at + 6;
    const end = writeSamples(out, content + labels[i]!.copy(out, content), one);
    out[at++] = 0x0a;
    at = writeVarint(out, at, end - content);
    out.copyWithin(at, content, end);
    at += end - content;
  });
  return frame(out, at);
}

/** A series' label fields, sorted by name as the protocol asks. */
function encodeLabels(labels: Labels): Buffer {
  const fields = Object.keys(labels)
    .sort()
    .map((name) => {
      const key = Buffer.from(name);
      const value = Buffer.from(labels[name]!);
      const pair = Buffer.concat([field(0x0a, key), field(0x12, value)]);
      return field(0x0a, pair);
    });
  return Buffer.concat(fields);
}

function field(tag: number, content: Buffer): Buffer {
  const head = Buffer.allocUnsafe(11);
  head[0] = tag;
  return Buffer.concat([head.subarray(0, writeVarint(head, 1, content.length)), content]);
}

function writeSamples(out: Buffer, start: number, { times, values }: LoadedSeries): number {
  const view = new DataView(out.buffer, out.byteOffset, out.length);
  let at = start;
  for (let i = 0; i < times.length; i++) {
    out[at] = 0x12;
    out[at + 2] = 0x09;
    view.setFloat64(at + 3, values[i]!, true);
    out[at + 11] = 0x10;
    const end = writeVarint(out, at + 12, Math.round(times[i]! * 1000));
    out[at + 1] = end - at - 2;
    at = end;
  }
  return at;
}

/** Whole numbers up to 2^53. Split in two because the bit operators see 32 bits only. */
function writeVarint(out: Buffer, start: number, value: number): number {
  let at = start;
  let low = value;
  if (value >= 0x10000000) {
    const high = Math.floor(value / 0x10000000);
    low = value - high * 0x10000000;
    out[at++] = (low & 0x7f) | 0x80;
    out[at++] = ((low >>> 7) & 0x7f) | 0x80;
    out[at++] = ((low >>> 14) & 0x7f) | 0x80;
    out[at++] = (low >>> 21) | 0x80;
    low = high;
  }
  while (low > 0x7f) {
    out[at++] = (low & 0x7f) | 0x80;
    low >>>= 7;
  }
  out[at++] = low;
  return at;
}

/** Puts the snappy header right before the message, which begins at `headerBytes`. */
function frame(out: Buffer, end: number): Buffer {
  const size = end - headerBytes;
  const head = Buffer.allocUnsafe(headerBytes);
  const at = writeVarint(head, 0, size);
  head[at] = 0xfc; // one literal whose length is in the next four bytes
  head.writeUInt32LE(size - 1, at + 1);
  const start = headerBytes - (at + 5);
  head.copy(out, start, 0, at + 5);
  return out.subarray(start, end);
}
