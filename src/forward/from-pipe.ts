import { addAbortListener } from 'node:events';
import type { Readable } from 'node:stream';
import { LineReader, start } from '../runs/lines.ts';
import type { Intake } from './intake.ts';
import { Outbox } from './outbox.ts';
import type { Tally } from './tally.ts';

/** Bytes of the stream that wait at most; then it is read no further, and the program that writes it waits. */
const mostWaiting = 64 * 1_048_576;
/** Ctrl-C reaches the program before a pipe as well, and its last words tell that it was interrupted. */
const lastWordsMs = 2_000;

export interface PipeSettings {
  readonly stream: Readable;
  readonly tally: Tally;
  readonly say: (line: string) => void;
  /** Ends the reading, after what the program still says at once. */
  readonly signal: AbortSignal;
  readonly mostBytes?: number;
}

/** What another program writes to this one. It can be read once. */
export function openPipe({ stream, tally, say, signal, mostBytes = mostWaiting }: PipeSettings): Intake<null> {
  const outbox = new Outbox<null>(mostBytes);
  outbox.begin(null, start);

  async function readToEnd(): Promise<void> {
    const reader = new LineReader();
    let isSaid = false;
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      if (outbox.isEnded) return;
      for (const line of reader.read(bytes)) {
        tally.read(line);
        outbox.add(line);
      }
      outbox.readTo(reader.position);
      if (outbox.hasRoom) continue;
      const size = Math.round(mostBytes / 1_048_576);
      if (!isSaid)
        say(`${size} MiB wait for the gateway; until it takes them, the program before this one may wait too.`);
      isSaid = true;
      await outbox.room();
    }
    const last = reader.end();
    if (last !== null) {
      tally.read(last);
      outbox.add(last);
    }
    if (reader.isCut) tally.bad(reader.position.line + 1, 'its end never came');
  }

  async function readAll(): Promise<void> {
    const { promise: stopped, resolve } = Promise.withResolvers<'stopped'>();
    const listener = addAbortListener(signal, () => void setTimeout(resolve, lastWordsMs, 'stopped'));
    const how = await Promise.race([readToEnd(), stopped]).finally(() => {
      outbox.end();
      listener[Symbol.dispose]();
    });
    if (how === 'stopped') say('Stopped: what the program before this one writes from now on is not forwarded.');
  }

  return { outbox, readAll, isKept: false, onTaken: () => {}, settled: async () => {} };
}
