import { Client, Pool, type Dispatcher } from 'undici';
import type { Spent } from '../reads/ask.ts';
import { baseAddress } from './base-address.ts';
import { ErrorBody, retryAfterS } from './error-answer.ts';
import { exchange, NoAnswer } from './exchange.ts';

export interface WriteLineOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
  readonly timeoutS: number;
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

/** The connections to one receiver: as those to a store (see Connection), but of their own. */
export class WriteLine {
  readonly #options: WriteLineOptions;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #pool: Pool;
  readonly #freshClient: () => Client;

  constructor(options: WriteLineOptions) {
    const { origin, prefix, headers } = baseAddress(options.url);
    const ours = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connect: { timeout: options.timeoutS * 1000 } };
    this.#options = options;
    this.#path = prefix;
    this.#headers = { ...headers, ...options.headers };
    this.#pool = new Pool(origin, { ...ours, connections: options.concurrency });
    this.#freshClient = () => new Client(origin, ours);
  }

  /** Sends it, and once more on a fresh connection where the first was lost before a byte of an answer came. */
  async send(request: Written, signal: AbortSignal, spent?: Spent): Promise<WriteAnswer> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutS * 1000)]);
    try {
      return await this.#attempt(this.#pool, request, bounded, spent);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#options.onRetry(error);
      const client = this.#freshClient();
      try {
        return await this.#attempt(client, request, bounded, spent);
      } finally {
        void client.destroy();
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #attempt(via: Dispatcher, request: Written, signal: AbortSignal, spent?: Spent): Promise<WriteAnswer> {
    const { onSent } = this.#options;
    const body = new ErrorBody();
    let answer = { status: 0, retryAfterS: 1 };
    const lowerCased = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await exchange(via, {
      request: { method: 'POST', path: this.#path || '/', form: new Uint8Array(request.body) },
      prefix: '',
      headers: { ...Object.fromEntries(lowerCased), ...this.#headers },
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
