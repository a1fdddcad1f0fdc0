import { Batch, batchLimits } from './batch.ts';
import { createDelivery, type Delivery, type Status } from './deliver.ts';
import { type Delivered, nothingDelivered } from './delivered.ts';
import type { Destination } from './destination.ts';
import { Queue } from './queue.ts';
import type { Sink } from './sink.ts';
import { Tally } from './tally.ts';
import { NotTaken, Undelivered } from './undelivered.ts';

/** Some 200 bytes each. The oldest are kept: a run that is read later has a beginning, and one gap. */
const mostQueued = 1_000_000;
/** Events of so long go together: a request for each step would ask too much of a gateway. */
const gatherMs = 1_000;
const closeWithinMs = 30_000;
/** A state that only counts steps is not worth a request more often. */
const stateEveryMs = 10_000;

interface Queued {
  readonly text: string;
  readonly values: number;
}

export interface GatewaySettings {
  readonly say: (line: string) => void;
  readonly fetch?: typeof fetch;
  readonly mostQueued?: number;
}

/** Events of a run to a gateway: from one queue, in order, one request after the other. A step never waits for it. */
export class ToGateway implements Sink {
  readonly place: string;
  readonly tally = new Tally();
  readonly #queue: Queue<Queued>;
  readonly #say: (line: string) => void;
  readonly #delivery: Delivery;
  readonly #stop = new AbortController();
  readonly #said = new Set<string>();
  /** The newest state that was not sent. */
  #state: { readonly status: Status; readonly isNews: boolean } | null = null;
  #stateSentAt = -Infinity;
  #sending: Promise<void> | null = null;
  /** Ends the wait for more. */
  #sendNow: () => void = () => {};
  #isClosing = false;

  constructor(place: string, destination: Destination, { say, fetch, mostQueued: most = mostQueued }: GatewaySettings) {
    this.place = place;
    this.#say = say;
    this.#queue = new Queue(most);
    this.#delivery = createDelivery(destination, { say, signal: this.#stop.signal, ...(fetch && { fetch }) });
  }

  put(text: string, values: number): void {
    this.tally.events += 1;
    if (!this.#queue.add({ text, values })) {
      this.#sayOnce(
        `The gateway takes events more slowly than they come, and ${this.#queue.length} wait: newer ones are lost until there is room.`,
      );
      this.tally.lose('queue_full', 1);
    }
    if (this.#queue.length >= batchLimits.events) this.#sendNow();
    this.#wake();
  }

  show(status: Status, isNews: boolean): void {
    this.#state = { status, isNews: isNews || this.#state?.isNews === true };
    if (isNews) this.#wake();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#sendNow();
    const timer = setTimeout(() => this.#stop.abort(), closeWithinMs);
    this.#wake();
    await this.#sending;
    clearTimeout(timer);
    this.tally.lose('time_up', this.#queue.length);
  }

  #wake(): void {
    if (this.#sending === null && this.#hasWork) this.#sending = this.#send();
  }

  get #hasWork(): boolean {
    return !this.#stop.signal.aborted && (this.#queue.length > 0 || this.#isStateDue());
  }

  async #send(): Promise<void> {
    while (this.#hasWork) {
      if (this.#queue.length < batchLimits.events) await this.#gather();
      await this.#sendEvents();
      await this.#sendState();
    }
    // In the same turn as the last look: what comes next wakes it again.
    this.#sending = null;
  }

  async #gather(): Promise<void> {
    if (this.#isClosing) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, gatherMs);
    this.#sendNow = resolve;
    await promise;
    clearTimeout(timer);
  }

  async #sendEvents(): Promise<void> {
    const batch = new Batch();
    for (let next = this.#queue.first; next && batch.add(next.text, next.values); next = this.#queue.first)
      this.#queue.dropFirst();
    if (batch.isEmpty) return;
    const { length } = batch.events;
    try {
      this.#count(await this.#delivery.send(batch.events), length, 'unconfirmed');
    } catch (error) {
      const isRefused = error instanceof NotTaken;
      if (isRefused) this.#sayOnce(`The gateway does not take what the run reports: ${error.message}`);
      const before = error instanceof Undelivered ? error.delivered : nothingDelivered;
      this.#count(before, length, isRefused ? 'not_taken' : 'unconfirmed');
    }
  }

  /** @param rest  what became of those of the `sent` that the answer does not count */
  #count(answer: Delivered, sent: number, rest: 'unconfirmed' | 'not_taken'): void {
    const { written, repeated, conflicting, refused, skipped, rejected } = answer;
    const unread = rejected.length + skipped.reduce((sum, { count }) => sum + count, 0);
    this.tally.delivered += written + repeated;
    this.tally.lose('conflicting', conflicting);
    this.tally.lose('refused', refused);
    this.tally.lose('rejected', unread);
    this.tally.lose(rest, sent - (written + repeated + conflicting + refused + unread));
    if (answer.note !== null && conflicting + refused + unread > 0) this.#sayOnce(`The gateway: ${answer.note}`);
  }

  #isStateDue(): boolean {
    if (this.#state === null) return false;
    return this.#state.isNews || this.#isClosing || performance.now() - this.#stateSentAt >= stateEveryMs;
  }

  /** By itself: no event shall be lost for a state that a gateway does not take. */
  async #sendState(): Promise<void> {
    if (this.#state === null || !this.#isStateDue() || this.#stop.signal.aborted) return;
    const { status } = this.#state;
    this.#state = null;
    this.#stateSentAt = performance.now();
    try {
      await this.#delivery.send([], status);
    } catch (error) {
      if (error instanceof NotTaken) this.#sayOnce(`The gateway does not take the state of the run: ${error.message}`);
    }
  }

  /** What is said of every batch would hide everything else. */
  #sayOnce(line: string): void {
    if (!this.#said.has(line)) this.#say(line);
    this.#said.add(line);
  }
}
