import { Client, Pool, type Dispatcher } from 'undici';
import { Refusal } from '../errors.ts';
import type { Spent } from '../reads/ask.ts';
import { AnswerBody, type ReadAnswer } from './answer-body.ts';
import { baseAddress } from './base-address.ts';
import { apiErrorIn, ErrorBody, refusalFor } from './error-answer.ts';
import { exchange, NoAnswer } from './exchange.ts';
import type { StoreRequest } from './request.ts';
import { StoreFault } from './store-fault.ts';
import type { Expected } from './wire.ts';
import { ZippedBody } from './zipped-body.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
  readonly timeoutS: number;
  readonly onSent: () => void;
  readonly onBytes: (length: number) => void;
  readonly onRetry: (request: StoreRequest, fault: NoAnswer) => void;
}

/** Requests to one store: each is read to the end, or throws a Refusal, or what went wrong on the way. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pool: Pool;
  readonly #freshClient: () => Client;

  constructor(options: ConnectionOptions) {
    const { origin, prefix, headers } = baseAddress(options.url);
    // undici's own timeouts restart with every piece of body; ours is one bound over the whole exchange.
    const ours = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connect: { timeout: options.timeoutS * 1000 } };
    this.#options = options;
    this.#prefix = prefix;
    this.#headers = { ...headers, ...options.headers };
    this.#pool = new Pool(origin, { ...ours, connections: options.concurrency });
    this.#freshClient = () => new Client(origin, ours);
  }

  /**
   * Sends `request` and reads the answer, within `timeoutS`. Once more on a fresh connection where the first one was
   * lost before a byte came: the usual case is a kept connection that the store has closed meanwhile.
   *
   * @param spent  counts what is sent and what comes
   */
  async read(request: StoreRequest, expected: Expected, signal: AbortSignal, spent?: Spent): Promise<ReadAnswer> {
    const bounded = this.#bounded(signal, this.#options.timeoutS);
    try {
      return await this.#attempt(this.#pool, request, expected, bounded, spent);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#options.onRetry(request, error);
      return await this.#attemptFresh(request, expected, bounded, spent);
    }
  }

  /** The same, on a connection of its own: not behind the requests that occupy the pool, and without a second try. */
  async readApart(request: StoreRequest, expected: Expected, timeoutS: number): Promise<ReadAnswer> {
    return this.#attemptFresh(request, expected, this.#bounded(undefined, timeoutS));
  }

  /** Does not wait: a store that hangs would keep the process for as long as a request may take. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #bounded(signal: AbortSignal | undefined, timeoutS: number): AbortSignal {
    const timeout = AbortSignal.timeout(timeoutS * 1000);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }

  async #attemptFresh(
    request: StoreRequest,
    expected: Expected,
    signal: AbortSignal,
    spent?: Spent,
  ): Promise<ReadAnswer> {
    const client = this.#freshClient();
    try {
      return await this.#attempt(client, request, expected, signal, spent);
    } finally {
      void client.destroy();
    }
  }

  async #attempt(
    via: Dispatcher,
    request: StoreRequest,
    expected: Expected,
    signal: AbortSignal,
    spent?: Spent,
  ): Promise<ReadAnswer> {
    const { onSent, onBytes } = this.#options;
    const headers = request.zips ? { ...this.#headers, 'accept-encoding': 'gzip' } : this.#headers;
    let read: (() => ReadAnswer) | undefined;
    await exchange(via, {
      request,
      prefix: this.#prefix,
      headers,
      signal,
      onSent() {
        onSent();
        if (!spent) return;
        spent.requests += 1;
        spent.sentAt ??= performance.now();
      },
      onAnswer: (status, headers) => {
        const body = status === 200 ? new AnswerBody(expected) : new ErrorBody();
        const zipped = request.zips && headers['content-encoding'] === 'gzip' ? new ZippedBody(body) : undefined;
        read = () => {
          zipped?.end();
          const refusal = (text: string) => refusalFor(status, headers, text, isOfClient(expected));
          if (body instanceof ErrorBody) throw refusal(body.text);
          return endOf(body, refusal);
        };
        return {
          push(chunk) {
            onBytes(chunk.length);
            if (spent) spent.bytes += chunk.length;
            (zipped ?? body).push(chunk);
          },
        };
      },
    });
    if (read === undefined) throw new StoreFault('the exchange ended without an answer');
    return read();
  }
}

const isOfClient = (expected: Expected): boolean => 'ofClient' in expected && expected.ofClient !== undefined;

function endOf(body: AnswerBody, refusal: (text: string) => Error): ReadAnswer {
  try {
    return body.end();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    // Some proxies put the API's errors under a 200.
    if (apiErrorIn(body.beginning) !== undefined) throw refusal(body.beginning);
    throw new StoreFault(`not an answer of the API: ${body.beginning.slice(0, 200)}`, { cause });
  }
}
