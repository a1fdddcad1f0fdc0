import type { Sink } from './sink.ts';
import { Tally } from './tally.ts';
import type { WriteLine } from './whole-lines.ts';

/** One event a line, written before the call returns. */
export function toLines(
  place: string,
  lines: { readonly write: WriteLine; readonly close?: () => void },
  say: (line: string) => void,
): Sink {
  const tally = new Tally();
  return {
    place,
    tally,
    put(text) {
      tally.events += 1;
      try {
        lines.write(text);
        tally.delivered += 1;
      } catch (error) {
        // The disk may have room again later; a training is not stopped for its numbers.
        if (tally.lost === 0) say(`${place} cannot be written to, and events are lost: ${(error as Error).message}`);
        tally.lose('not_written', 1);
      }
    },
    show() {},
    async close() {
      lines.close?.();
    },
  };
}

/** Where no target is named. Nothing is counted: nothing was to arrive. */
export const toNowhere = (): Sink => ({ place: 'nowhere', tally: new Tally(), put() {}, show() {}, async close() {} });
