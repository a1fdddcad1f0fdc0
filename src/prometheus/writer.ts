import { pushTimeseries } from 'prometheus-remote-write';
import { Refusal } from '../errors.ts';
import type { Spent } from '../reads/ask.ts';
import type { NotTaken, Write, WrittenSeries } from '../reads/write.ts';
import { notTakenIn } from './not-taken.ts';
import { Slots } from './slots.ts';
import { reasonOf, StoreFault } from './store-fault.ts';
import { notWritten, takesNoWrites, throttledWrites } from './write-faults.ts';
import { WriteLine } from './write-line.ts';

export interface WriterOptions {
  /** The address of the store's remote-write receiver, whole. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bounds one request; and before it, as long again, the wait for a slot. */
  readonly timeoutS: number;
  /** Requests in flight to this receiver. */
  readonly concurrency: number;
  readonly log?: (line: WriteLogLine) => void;
}

/** What the operator should see of a request. */
export interface WriteLogLine {
  readonly event: 'retry' | 'failed' | 'refused';
  /** Why, in words that name no address. */
  readonly reason?: string;
  /** The store's own words, or the connection's. They can name other tenants and addresses. */
  readonly words: string;
}

/** One store's receiver of remote writes. It shares nothing with the questions to that store: neither keeps the other waiting. */
export interface Writer {
  /** The way to write for one organization. Organizations share nothing but the slots, in turns. */
  writeFor(organization: string): Write;
  readonly counts: { readonly requests: number };
  /** Ends what is in flight or waits, at once. */
  close(): Promise<void>;
}

export function createWriter({ url, headers = {}, timeoutS, concurrency, log }: WriterOptions): Writer {
  const counts = { requests: 0 };
  const ended = new AbortController();
  const slots = new Slots(concurrency, timeoutS);
  const line = new WriteLine({
    url,
    headers,
    concurrency,
    timeoutS,
    onSent: () => (counts.requests += 1),
    onRetry: ({ message }) => log?.({ event: 'retry', words: message }),
  });

  async function send(series: readonly WrittenSeries[], signal: AbortSignal, spent?: Spent): Promise<NotTaken | null> {
    let answer: Awaited<ReturnType<WriteLine['send']>> | undefined;
    await pushTimeseries(series.map(spelled), {
      url,
      headers: { 'content-encoding': 'snappy', 'x-prometheus-remote-write-version': '0.1.0' },
      fetch: async (_url, init) => {
        answer = await line.send(init!, signal, spent);
        return { status: answer.status, statusText: '', text: async () => answer!.words };
      },
    });
    if (answer === undefined) throw new StoreFault('nothing was sent');
    const { status, words, retryAfterS } = answer;
    if (status >= 200 && status < 300) return null;
    const fault = new StoreFault(words, { status });
    const why = notTakenIn(words);
    if (why !== undefined && status !== 429) {
      log?.({ event: 'refused', reason: why, words: fault.message });
      return why;
    }
    if (status === 429) throw throttledWrites(fault, retryAfterS);
    throw status === 404 || status === 405 ? takesNoWrites(fault) : notWritten(fault);
  }

  return {
    writeFor: (organization) => async (series, signal, spent) => {
      const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
      if (spent) spent.begun = true;
      try {
        return await slots.run(organization, either, () => send(series, either, spent));
      } catch (error) {
        const refusal = error instanceof Refusal ? error : notWritten(error);
        if (!signal?.aborted) log?.({ event: 'failed', reason: reasonOf(refusal), words: causeOf(refusal) });
        throw refusal;
      }
    },
    counts,
    close() {
      ended.abort(new StoreFault('the gateway ends'));
      return line.close();
    },
  };
}

/** The protocol wants labels in order of their names; an empty one is none. */
const spelled = ({ labels, samples }: WrittenSeries) => ({
  labels: Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as { __name__: string },
  samples: samples.map(({ tsMs: timestamp, value }) => ({ timestamp, value })),
});

const causeOf = ({ cause, message }: Refusal): string => (cause instanceof Error ? cause.message : message);
