import type { Dispatcher } from 'undici';
import type { Spent } from '../reads/ask.ts';
import { ErrorBody, retryAfterS } from './error-answer.ts';
import { exchange, type NoAnswer } from './exchange.ts';
import { Line, type LineOptions } from './line.ts';

export interface WriteLineOptions extends LineOptions {
  readonly onSent: () => void;
  readonly onRetry: (fault: NoAnswer) => void;
}

/** What the library has made of a request. */
interface Written {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBufferLike;
}

interface WriteAnswer {
  readonly status: number;
  /** The beginning of its body. */
  readonly words: string;
  /** Of an answer that says so, else 1. */
  readonly retryAfterS: number;
}

/** Enough for every message of a store. */
const wordsKept = 2_000;

/** Requests to one receiver, on connections of their own. */
export class WriteLine {
  readonly #options: WriteLineOptions;
  readonly #line: Line;

  constructor(options: WriteLineOptions) {
    this.#options = options;
    this.#line = new Line(options);
  }

  /** Sends it, and once more where the connection was lost before a byte of an answer came. */
  async send(request: Written, signal: AbortSignal, spent?: Spent): Promise<WriteAnswer> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutS * 1000)]);
    return this.#line.use((via) => this.#attempt(via, request, bounded, spent), this.#options.onRetry);
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  async #attempt(via: Dispatcher, request: Written, signal: AbortSignal, spent?: Spent): Promise<WriteAnswer> {
    const { onSent } = this.#options;
    const body = new ErrorBody();
    let answer = { status: 0, retryAfterS: 1 };
    const lowerCased = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await exchange(via, {
      request: { method: 'POST', path: this.#line.prefix || '/', form: new Uint8Array(request.body) },
      prefix: '',
      headers: { ...Object.fromEntries(lowerCased), ...this.#line.headers },
      signal,
      onSent() {
        onSent();
        if (!spent) return;
        spent.requests += 1;
        spent.sentAt ??= performance.now();
      },
      onAnswer(status, headers) {
        answer = { status, retryAfterS: retryAfterS(headers['retry-after']) };
        return {
          push(chunk) {
            if (spent) spent.bytes += chunk.length;
            body.push(chunk);
          },
        };
      },
    });
    return { ...answer, words: body.text.trim().slice(0, wordsKept) };
  }
}
