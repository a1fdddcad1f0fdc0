import { type Answer, type Ask, QueryNotAccepted, type Question } from '../reads/ask.ts';
import { Refusal } from '../errors.ts';
import { Connection } from './connection.ts';
import { InFlight } from './in-flight.ts';
import { requestFor, type StoreRequest } from './request.ts';
import { Slots } from './slots.ts';
import { reasonOf, StoreFault, unavailable } from './store-fault.ts';

export interface StoreOptions {
  /** The base address; the API is below it at `/api/v1`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bounds one request, headers and body together; and before it, as long again, the wait for a slot. */
  readonly timeoutS: number;
  /** Requests in flight to this store. */
  readonly concurrency: number;
  readonly log?: (line: StoreLogLine) => void;
}

/** What the operator should see of a request. */
export interface StoreLogLine {
  readonly event: 'partial' | 'retry' | 'failed';
  /** Of one that failed, why: it names no address. */
  readonly reason?: string;
  readonly request: StoreRequest;
  /** The store's own words, or the connection's. They can name other tenants and addresses. */
  readonly words: string;
}

/** What was sent and received so far. Exact, and only ever rising. */
export interface StoreCounts {
  readonly requests: number;
  readonly responseBytes: number;
  readonly samples: number;
}

export interface Store {
  /**
   * The way to ask for one organization. Answers are shared between those of its callers who ask the same at once, and rows
   * on one grid share their `times`: do not write into them. Organizations share nothing but the store's slots, in turns.
   */
  askFor(organization: string): Ask;
  /** Whether the store answers a trivial query, soon. */
  ready(): Promise<boolean>;
  readonly counts: StoreCounts;
  /** Ends what is in flight or waits, at once: METRICS_UNAVAILABLE for whoever asked. */
  close(): Promise<void>;
}

/** Of a store that needs longer for `1`, nothing useful will come either. */
const readyWithinS = 2;

export function createStore({ url, headers = {}, timeoutS, concurrency, log }: StoreOptions): Store {
  const counts = { requests: 0, responseBytes: 0, samples: 0 };
  const connection = new Connection({
    url,
    headers,
    concurrency,
    timeoutS,
    onSent: () => (counts.requests += 1),
    onBytes: (length) => (counts.responseBytes += length),
    onRetry: (request, fault) => log?.({ event: 'retry', request, words: fault.message }),
  });
  const slots = new Slots(concurrency, timeoutS);
  const inFlight = new InFlight<Answer>();
  const readiness = new InFlight<boolean>();

  const answer = async (
    organization: string,
    question: Question,
    request: StoreRequest,
    abandoned: AbortSignal,
  ): Promise<Answer> => {
    const { rows, omissions, samples, ...rest } = await slots
      .run(organization, abandoned, () => connection.read(request, question, abandoned))
      .catch((error: unknown) => {
        // A query of the client's that is wrong is no failure of the store.
        if (error instanceof QueryNotAccepted) throw error;
        const refusal = error instanceof Refusal ? error : unavailable(error);
        // Nobody waits for what was abandoned, and a bound of our own is no failure of the store.
        if (!abandoned.aborted && refusal.cause !== undefined) {
          const words = refusal.cause instanceof Error ? refusal.cause.message : refusal.message;
          log?.({ event: 'failed', reason: reasonOf(refusal), request, words });
        }
        throw refusal;
      });
    counts.samples += samples;
    if (omissions.length > 0) log?.({ event: 'partial', request, words: omissions.join('; ') });
    return { rows, partial: omissions.length > 0, ...rest };
  };

  const isReady = async (): Promise<boolean> => {
    const form = new URLSearchParams({ query: '1', time: String(Math.floor(Date.now() / 1000)) });
    const request: StoreRequest = { method: 'POST', path: '/api/v1/query', form: form.toString() };
    try {
      await connection.readApart(request, { kind: 'instant' }, Math.min(timeoutS, readyWithinS));
      return true;
    } catch {
      return false;
    }
  };

  return {
    askFor: (organization) => async (question, signal) => {
      const request = requestFor(question, timeoutS);
      // Whose query it is decides what a refusal of it means.
      const key = JSON.stringify([organization, request.path, request.form, 'ofClient' in question]);
      return inFlight.join(key, signal, (abandoned) => answer(organization, question, request, abandoned));
    },
    // Anybody may ask this, and all at once: the store is asked by one at a time.
    ready: () => readiness.join('', undefined, isReady),
    counts,
    close: () => {
      inFlight.abandon(new StoreFault('the gateway ends'));
      return connection.close();
    },
  };
}
