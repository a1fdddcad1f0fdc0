import { gunzipSync } from 'node:zlib';
import type { BodySink } from './exchange.ts';
import { StoreFault } from './store-fault.ts';

// What a hostile store can make of a few bytes must end somewhere.
const unzippedLimit = 256 * 1024 * 1024;
/** It is held until it is whole, so it must be whole some time. */
const zippedLimit = 64 * 1024 * 1024;

/** Holds a zipped body until it is whole, and hands it on as it was before. */
export class ZippedBody implements BodySink {
  readonly #chunks: Buffer[] = [];
  readonly #body: BodySink;
  #length = 0;

  constructor(body: BodySink) {
    this.#body = body;
  }

  /** @throws StoreFault: more than any store has to say */
  push(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > zippedLimit) throw new StoreFault(`more than ${zippedLimit} zipped bytes`);
    // undici may use the memory of a chunk again.
    this.#chunks.push(Buffer.from(chunk));
  }

  /** @throws StoreFault: it is not zipped, not all of it came, or it has no end */
  end(): void {
    let whole: Buffer;
    try {
      whole = gunzipSync(Buffer.concat(this.#chunks), { maxOutputLength: unzippedLimit });
    } catch (cause) {
      throw new StoreFault('a zipped answer that cannot be unzipped', { cause });
    }
    this.#body.push(whole);
  }
}
