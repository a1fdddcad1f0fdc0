import type { Metadata } from '../runs/metadata.ts';

/**
 * What one request may hold, with room for what stands beside the events: a gateway takes 500 events, 5,000 values and
 * 1 MiB, and no UTF-16 code unit has more than three bytes.
 */
export const batchLimits = { events: 500, codeUnits: 300_000, values: 4_500 } as const;

/** JSON values in the text of one event: the object, its six fields, and what its metadata holds. */
export function valuesIn(metadata: Metadata): number {
  let values = 7;
  for (const _ in metadata) values += 1;
  return values;
}

/** Events that are sent together. */
export class Batch {
  readonly events: string[] = [];
  #codeUnits = 0;
  #values = 0;

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /**
   * @param text    one event, as JSON
   * @param values  see valuesIn
   * @returns       false where it does not fit any more, and was not taken; the first one always fits
   */
  add(text: string, values: number): boolean {
    const fits =
      this.events.length < batchLimits.events &&
      this.#codeUnits + text.length < batchLimits.codeUnits &&
      this.#values + values <= batchLimits.values;
    if (!fits && !this.isEmpty) return false;
    this.events.push(text);
    this.#codeUnits += text.length + 1;
    this.#values += values;
    return true;
  }
}
