import { numberIn } from './number.ts';
import type { SampleBuffer } from './sample-buffer.ts';

const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const open = 0x5b;
const close = 0x5d;

/** No engine writes a sample longer than this: two numbers of at most 24 characters and six of punctuation. */
const longestSample = 64;
/** `[0,"0"],` */
const shortestSample = 8;
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const exactBelow = 2 ** 53;

/**
 * Reads a run of `[1758456000.123,"45.5"],` into `samples`, and stops at the first byte that is anything else: the end
 * of the list, a sample that the chunk cuts, a spelling that no engine uses. The caller looks at what it is.
 *
 * Digits become an integer and one division by a power of ten. Where both are exact, IEEE rounds that division as
 * `Number()` would; everything else goes to `Number()`.
 *
 * @returns the position of the first byte that was not read
 */
export function scanSamples(bytes: Buffer, from: number, samples: SampleBuffer): number {
  samples.reserve(Math.ceil((bytes.length - from) / shortestSample) + 1);
  const { times, values } = samples;
  const last = bytes.length - longestSample;
  let count = samples.length;
  let at = from;
  while (at <= last) {
    let i = bytes[at] === comma ? at + 1 : at;
    if (bytes[i] !== open) break;
    i += 1;

    let mantissa = 0;
    let scale = 0;
    let digit = bytes[i]! - zero;
    const firstOfTime = i;
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      i += 1;
      digit = bytes[i]! - zero;
    }
    if (bytes[i] === dot && i > firstOfTime) {
      i += 1;
      const firstOfFraction = i;
      digit = bytes[i]! - zero;
      while (digit >= 0 && digit <= 9) {
        mantissa = mantissa * 10 + digit;
        i += 1;
        digit = bytes[i]! - zero;
      }
      scale = i - firstOfFraction;
      if (scale === 0) break;
    }
    if (i === firstOfTime || mantissa >= exactBelow || scale > 22) break;
    if (bytes[i] !== comma || bytes[i + 1] !== quote) break;
    const time = mantissa / powersOfTen[scale]!;
    i += 2;

    const firstOfValue = i;
    const negative = bytes[i] === minus;
    if (negative || bytes[i] === plus) i += 1;
    const firstDigit = i;
    mantissa = 0;
    scale = 0;
    digit = bytes[i]! - zero;
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      i += 1;
      digit = bytes[i]! - zero;
    }
    if (bytes[i] === dot && i > firstDigit) {
      i += 1;
      const firstOfFraction = i;
      digit = bytes[i]! - zero;
      while (digit >= 0 && digit <= 9) {
        mantissa = mantissa * 10 + digit;
        i += 1;
        digit = bytes[i]! - zero;
      }
      scale = i - firstOfFraction;
    }
    let value: number;
    if (bytes[i] === quote && i > firstDigit) {
      value =
        mantissa < exactBelow && scale <= 22
          ? mantissa / powersOfTen[scale]!
          : Number(bytes.toString('latin1', firstDigit, i));
      if (negative) value = -value;
    } else {
      // NaN, infinities, exponents.
      while (i < bytes.length && bytes[i] !== quote) i += 1;
      const number = numberIn(bytes.toString('latin1', firstOfValue, i));
      if (number === undefined) break;
      value = number;
    }
    if (bytes[i] !== quote || bytes[i + 1] !== close) break;
    times[count] = time;
    values[count] = value;
    count += 1;
    at = i + 2;
  }
  samples.length = count;
  return at;
}
