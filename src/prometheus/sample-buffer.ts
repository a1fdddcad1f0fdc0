/** 64 kB: small enough that the unused end of the last one does not matter. */
const slabLength = 8_192;
/** Longer rows get an array of their own, so that a slab never ends in a large unused piece. */
const longestInSlab = slabLength / 8;

const nothing = new Float64Array(0);

/**
 * Where the samples of one row are collected before their number is known, and then packed.
 *
 * Packed rows are views into shared slabs: an array of its own costs a row of one sample ten times its content. Rows on
 * one grid share one array of times, which halves a range answer.
 */
export class SampleBuffer {
  times = new Float64Array(1_024);
  values = new Float64Array(1_024);
  length = 0;
  #slab = nothing;
  #used = 0;
  #lastTimes: Float64Array = nothing;

  /** Room for `more` samples, so that the loop that adds them need not look. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.times.length) return;
    const size = Math.max(needed, this.times.length * 2);
    this.times = grown(this.times, this.length, size);
    this.values = grown(this.values, this.length, size);
  }

  add(time: number, value: number): void {
    this.reserve(1);
    this.times[this.length] = time;
    this.values[this.length] = value;
    this.length += 1;
  }

  /** The samples since the last call, packed. */
  take(): { times: Float64Array; values: Float64Array } {
    const { length } = this;
    this.length = 0;
    if (length === 0) return { times: nothing, values: nothing };
    if (!this.#onLastGrid(length)) this.#lastTimes = this.#pack(this.times, length);
    return { times: this.#lastTimes, values: this.#pack(this.values, length) };
  }

  #onLastGrid(length: number): boolean {
    const last = this.#lastTimes;
    if (last.length !== length) return false;
    const { times } = this;
    for (let i = 0; i < length; i += 1) if (last[i] !== times[i]) return false;
    return true;
  }

  #pack(from: Float64Array, length: number): Float64Array {
    if (length > longestInSlab) return from.slice(0, length);
    if (this.#slab.length - this.#used < length) {
      // Small answers get small slabs: a one-row answer must not hold 64 kB.
      this.#slab = new Float64Array(Math.min(slabLength, Math.max(length, this.#slab.length * 2)));
      this.#used = 0;
    }
    const packed = this.#slab.subarray(this.#used, this.#used + length);
    packed.set(from.subarray(0, length));
    this.#used += length;
    return packed;
  }
}

function grown(from: Float64Array, length: number, size: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(size);
  to.set(from.subarray(0, length));
  return to;
}
