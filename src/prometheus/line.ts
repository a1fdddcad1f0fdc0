import { Client, Pool, type Dispatcher } from 'undici';
import { baseAddress } from './base-address.ts';
import { NoAnswer } from './exchange.ts';

export interface LineOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
  readonly timeoutS: number;
}

/** The connections to one address. */
export class Line {
  /** The path of the address, without a trailing slash. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #pool: Pool;
  readonly #freshClient: () => Client;

  constructor({ url, headers, concurrency, timeoutS }: LineOptions) {
    const { origin, prefix, headers: credentials } = baseAddress(url);
    // undici's own timeouts restart with every piece of body; ours is one bound over the whole exchange.
    const ours = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connect: { timeout: timeoutS * 1000 } };
    this.prefix = prefix;
    this.headers = { ...credentials, ...headers };
    this.#pool = new Pool(origin, { ...ours, connections: concurrency });
    this.#freshClient = () => new Client(origin, ours);
  }

  /**
   * Once more on a fresh connection where the first one was lost before a byte came: the usual case is a kept connection
   * that the other side has closed meanwhile.
   */
  async use<T>(act: (via: Dispatcher) => Promise<T>, onRetry: (fault: NoAnswer) => void): Promise<T> {
    try {
      return await act(this.#pool);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      onRetry(error);
      return await this.useFresh(act);
    }
  }

  /** On a connection of its own. */
  async useFresh<T>(act: (via: Dispatcher) => Promise<T>): Promise<T> {
    const client = this.#freshClient();
    try {
      return await act(client);
    } finally {
      void client.destroy();
    }
  }

  /** Does not wait: a store that hangs would keep the process for as long as a request may take. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
