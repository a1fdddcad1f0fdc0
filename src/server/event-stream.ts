import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { jsonPieces } from './json-pieces.ts';

const usualPingMs = 12_000;
/** A client that takes nothing for so many pings is gone, whatever its connection says. */
const patience = 25;
const ping = ':\n\n';

/**
 * Results as server-sent events in the form of the GraphQL over SSE protocol, distinct connections mode.
 *
 * Not yoga's: that one goes on pinging for a client that left while it was not reading, for as long as the process lives, and
 * writes an event in one piece. Here whoever destroys the body, as Node does when the connection closes, ends the results too.
 *
 * @param everyMs  how often it says that it lives, while there is nothing else to say
 */
export function eventStream(results: AsyncIterator<object>, everyMs = usualPingMs): Readable {
  let [isFilling, isWriting, isWanted] = [false, false, false];
  let unread = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Until the client has enough for now; then it is asked for again. */
  async function fill(): Promise<void> {
    for (;;) {
      const { done, value } = await results.next();
      if (stream.destroyed) return;
      if (done) {
        clearInterval(timer);
        stream.push('event: complete\ndata:\n\n');
        stream.push(null);
        return;
      }
      isWriting = true;
      let wantsMore = stream.push('event: next\ndata: ');
      for (const piece of jsonPieces(value)) {
        wantsMore = stream.push(piece);
        await setImmediate();
        if (stream.destroyed) return;
      }
      isWriting = isWanted = false;
      // It may be asked for more while the rest is pushed.
      if ((stream.push('\n\n') && wantsMore) || isWanted) continue;
      isFilling = false;
      return;
    }
  }

  const stream = new Readable({
    read() {
      unread = 0;
      isWanted = true;
      if (isFilling) return;
      isFilling = true;
      fill().catch((error: Error) => stream.destroy(error));
    },
    destroy(error, callback) {
      clearInterval(timer);
      void results.return?.();
      callback(error);
    },
  });
  // At once, because a client may wait for the first byte to know that it is connected.
  stream.push(ping);
  timer = setInterval(() => {
    if (isWriting) return;
    if (stream.readableLength === 0) return void stream.push(ping);
    unread += 1;
    if (unread > patience) stream.destroy();
  }, everyMs);
  return stream;
}
