import type { Dispatcher } from 'undici';
import { Refusal } from '../errors.ts';
import type { Spent } from '../reads/ask.ts';
import { AnswerBody, type ReadAnswer } from './answer-body.ts';
import { apiErrorIn, ErrorBody, refusalFor } from './error-answer.ts';
import { exchange, type NoAnswer } from './exchange.ts';
import { Line, type LineOptions } from './line.ts';
import type { StoreRequest } from './request.ts';
import { StoreFault } from './store-fault.ts';
import type { Expected } from './wire.ts';
import { ZippedBody } from './zipped-body.ts';

export interface ConnectionOptions extends LineOptions {
  readonly onSent: () => void;
  readonly onBytes: (length: number) => void;
  readonly onRetry: (request: StoreRequest, fault: NoAnswer) => void;
}

/** Requests to one store: each is read to the end, or throws a Refusal, or what went wrong on the way. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #line: Line;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#line = new Line(options);
  }

  /**
   * Sends `request` and reads the answer, within `timeoutS`; once more where the connection was lost before a byte came.
   *
   * @param spent  counts what is sent and what comes
   */
  async read(request: StoreRequest, expected: Expected, signal: AbortSignal, spent?: Spent): Promise<ReadAnswer> {
    const bounded = this.#bounded(signal, this.#options.timeoutS);
    return this.#line.use(
      (via) => this.#attempt(via, request, expected, bounded, spent),
      (fault) => this.#options.onRetry(request, fault),
    );
  }

  /** The same, on a connection of its own: not behind the requests that occupy the pool, and without a second try. */
  async readApart(request: StoreRequest, expected: Expected, timeoutS: number): Promise<ReadAnswer> {
    const bounded = this.#bounded(undefined, timeoutS);
    return this.#line.useFresh((via) => this.#attempt(via, request, expected, bounded));
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  #bounded(signal: AbortSignal | undefined, timeoutS: number): AbortSignal {
    const timeout = AbortSignal.timeout(timeoutS * 1000);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }

  async #attempt(
    via: Dispatcher,
    request: StoreRequest,
    expected: Expected,
    signal: AbortSignal,
    spent?: Spent,
  ): Promise<ReadAnswer> {
    const { onSent, onBytes } = this.#options;
    const { prefix, headers: usual } = this.#line;
    const headers = request.zips ? { ...usual, 'accept-encoding': 'gzip' } : usual;
    let read: (() => ReadAnswer) | undefined;
    await exchange(via, {
      request,
      prefix,
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
