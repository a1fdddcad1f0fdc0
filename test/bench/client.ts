import { Writable } from 'node:stream';
import { Pool } from 'undici';

const atMostMs = 120_000;

export interface Sent {
  /** POST where left out; a GET has no body. */
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly body: string;
  /** The encodings of an answer that are taken; none where left out. */
  readonly accepts?: string;
}

/** A client over kept connections. */
export class Client {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(new URL(url).origin, { connections, headersTimeout: atMostMs, bodyTimeout: atMostMs });
  }

  /** Reads the body to its end without looking at it. @returns its length */
  async read(sent: Sent): Promise<number> {
    let [length, status] = [0, 0];
    await this.#pool.stream(optionsOf(sent), ({ statusCode }) => {
      status = statusCode;
      return new Writable({
        write(chunk: Buffer, _encoding, done) {
          length += chunk.length;
          done();
        },
      });
    });
    if (status !== 200) throw new Error(`${sent.path} answered ${status}`);
    return length;
  }

  /** Reads and parses the body. */
  async json(sent: Sent): Promise<unknown> {
    const { body, statusCode } = await this.#pool.request(optionsOf(sent));
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${sent.path} answered ${statusCode}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function optionsOf({ method = 'POST', path, type, body, accepts }: Sent) {
  const accepted = accepts === undefined ? {} : { 'accept-encoding': accepts };
  return method === 'GET'
    ? { path, method, headers: accepted }
    : { path, method, headers: { 'content-type': type, ...accepted }, body };
}

export const graphql = (query: string, variables: object = {}): Sent => ({
  path: '/graphql',
  type: 'application/json',
  body: JSON.stringify({ query, variables }),
});

/** A range query as a program would write it by hand. */
export function rangeQuery(query: string, { start, end, stepS }: { start: number; end: number; stepS: number }): Sent {
  const form = new URLSearchParams({ query, start: `${start + stepS}`, end: `${end}`, step: `${stepS}` });
  return { path: '/api/v1/query_range', type: 'application/x-www-form-urlencoded', body: form.toString() };
}

/** @throws Error with what an answer says instead of data, so that no refusal is timed as an answer */
export async function dataOf<Data>(client: Client, sent: Sent): Promise<Data> {
  const { data, errors } = (await client.json(sent)) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(`refused: ${JSON.stringify(errors).slice(0, 500)}`);
  return data;
}
