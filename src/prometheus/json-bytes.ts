const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The position after the string that begins at `at`, or -1 where it is not complete. */
export function endOfString(bytes: Buffer, at: number): number {
  for (let i = at + 1; i < bytes.length; i += 1) {
    const c = bytes[i];
    if (c === quote) return i + 1;
    if (c === backslash) i += 1;
  }
  return -1;
}

/** The position after the object that begins at `at`, or -1 where it is not complete. Only strings can hide a brace. */
export function endOfObject(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < bytes.length; i += 1) {
    const c = bytes[i];
    if (c === quote) {
      i = endOfString(bytes, i) - 1;
      if (i < 0) return -1;
    } else if (c === openObject) {
      depth += 1;
    } else if (c === closeObject) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Passes over one value of any kind and size, over as many chunks as it takes. */
export class ValueSkipper {
  finished = true;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** @returns the position after the value, or after the last byte; `finished` says which */
  skip(bytes: Buffer, at: number): number {
    this.finished = false;
    for (let i = at; i < bytes.length; i += 1) {
      const c = bytes[i];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (c === backslash) this.#escaped = true;
        else if (c === quote) this.#inString = false;
      } else if (c === quote) {
        this.#inString = true;
      } else if (c === openList || c === openObject) {
        this.#depth += 1;
      } else if (c === comma || c === closeList || c === closeObject) {
        // A value ends before what follows it; that byte is the caller's.
        if (this.#depth === 0) {
          this.finished = true;
          return i;
        }
        if (c !== comma) this.#depth -= 1;
      }
    }
    return bytes.length;
  }
}
