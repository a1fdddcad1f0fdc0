import { setTimeout as wait } from 'node:timers/promises';
import { reportDocument } from '../runs/report-document.ts';
import { type Answer, readAnswer } from './answer.ts';
import { pauseMs } from './backoff.ts';
import { type Delivered, joined, nothingDelivered } from './delivered.ts';
import { type Destination, endpointOf } from './destination.ts';
import { shownOf } from './others-words.ts';
import { post, postBy, whyLost } from './post.ts';
import { NotTaken, Undelivered } from './undelivered.ts';

/** The last state of a run. */
export interface Status {
  /** When it was read, milliseconds since 1970. */
  readonly at: number;
  readonly state: Readonly<Record<string, unknown>>;
}

export interface Delivery {
  /**
   * Sends events in one report, one call after the other, and tries again for as long as it takes.
   *
   * @param events  each one event as JSON; a Batch has no more than a gateway takes
   * @throws        NotTaken: what to change, or Undelivered: the signal stopped it
   */
  send(events: readonly string[], status?: Status): Promise<Delivered>;
}

export interface DeliverySettings {
  /** When the gateway is lost, and when it is there again; a sentence without any secret. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Instead of HTTP by itself. */
  readonly fetch?: typeof globalThis.fetch;
}

/** @throws WrongDestination */
export function createDelivery(destination: Destination, { say, signal, fetch }: DeliverySettings): Delivery {
  const { address, headers: credential, secrets } = endpointOf(destination);
  const send = fetch ? postBy(fetch) : post;
  const headers = { ...credential, 'content-type': 'application/json', accept: 'application/json' };
  const { cluster, island, run, workload } = destination;
  const rest = JSON.stringify({ cluster, island, run, workload }).slice(1, -1);
  const head = `{"query":${JSON.stringify(reportDocument)},"variables":{${rest}`;
  const shown = (text: string): string => shownOf(text, secrets);
  let before: Promise<unknown> = Promise.resolve();

  async function answerTo(body: string): Promise<Answer> {
    const reply = await send(address, { headers, body, ...(signal && { signal }) }).catch((error: unknown) => {
      if (signal?.aborted) throw new Undelivered('It was stopped before the gateway had taken it.');
      return whyLost(error);
    });
    return typeof reply === 'string' ? { again: reply } : readAnswer(reply);
  }

  /** Until it is taken or never will be. */
  async function settled(body: string): Promise<Exclude<Answer, { again: string }>> {
    for (let failures = 1; ; failures += 1) {
      const answer = await answerTo(body);
      if (!('again' in answer)) {
        if (failures > 1) say('The gateway answers again.');
        return answer;
      }
      if (failures === 1) say(`The gateway does not take it now; trying again until it does. ${shown(answer.again)}`);
      await wait(pauseMs(failures, answer.afterMs), undefined, signal && { signal }).catch(() => {
        throw new Undelivered('It was stopped while the gateway did not take it.');
      });
    }
  }

  async function report(events: readonly string[], status?: Status): Promise<Delivered> {
    const state = status === undefined ? '' : `,"status":${JSON.stringify(status)}`;
    const answer = await settled(`${head},"events":[${events.join(',')}]${state}}}`);
    if ('taken' in answer) return inWords(answer.taken, shown);
    if ('not' in answer) throw new NotTaken(shown(answer.not));
    const reason = shown(answer.tooLarge);
    if (events.length === 0) throw new NotTaken(reason);
    if (events.length === 1 && status === undefined) return { ...nothingDelivered, rejected: [{ index: 0, reason }] };
    // The state of a run is sent by itself where both are too much.
    const half = status === undefined ? Math.ceil(events.length / 2) : events.length;
    const first = await report(events.slice(0, half));
    try {
      return joined(first, half, await report(events.slice(half), status));
    } catch (error) {
      throw error instanceof Undelivered ? error.after(first, half) : error;
    }
  }

  return {
    send(events, status) {
      const sent = before.then(() => report(events, status));
      before = sent.catch(() => {});
      return sent;
    },
  };
}

/** The same, with what the gateway says as it may be shown. */
const inWords = (delivered: Delivered, shown: (text: string) => string): Delivered => ({
  ...delivered,
  skipped: delivered.skipped.map(({ kind, count }) => ({ kind: shown(kind), count })),
  rejected: delivered.rejected.map(({ index, reason }) => ({ index, reason: shown(reason) })),
  note: delivered.note === null ? null : shown(delivered.note),
});
