import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What the store was asked, form and query string together. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Tells the requests of one connection from those of another. */
  readonly connection: number;
  /** Settles when the exchange is over: true where the client left before it had the whole answer. */
  readonly abandoned: Promise<boolean>;
}

/** What happens to one request. `answer` fetches the real answer of the store behind. */
export type Fault = (response: ServerResponse, answer: () => Promise<RealAnswer>) => void | Promise<void>;

interface RealAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export const pass: Fault = async (response, answer) => {
  const { status, headers, body } = await answer();
  response.writeHead(status, { 'content-type': headers['content-type'] ?? 'application/json' }).end(body);
};

export const delay =
  (ms: number, then: Fault = pass): Fault =>
  async (response, answer) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await then(response, answer);
  };

/** Takes the request and never answers. */
export const hang: Fault = () => {};

export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };

/** The page of a proxy, or of somebody else's server, under a 200. */
export const html: Fault = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please sign in</body></html>');
};

/** The beginning of the real answer, announced whole, and then a closed connection. */
export const cutAfter =
  (bytes: number): Fault =>
  async (response, answer) => {
    const { body } = await answer();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    response.write(body.subarray(0, bytes), () => response.destroy());
  };

/** The same beginning, sent as if it were all: what a proxy makes of a store that broke off. */
export const endAfter =
  (bytes: number): Fault =>
  async (response, answer) => {
    const { body } = await answer();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body.subarray(0, bytes));
  };

/** Closes the connection before a byte of an answer. */
export const refuse: Fault = (response) => {
  response.socket?.destroy();
};

const withFields =
  (fields: Record<string, unknown>): Fault =>
  async (response, answer) => {
    const { status, body } = await answer();
    const { status: said, ...rest } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: said, ...fields, ...rest }));
  };

/** The real answer with Prometheus' and Thanos' sign that something was left out. */
export const warnings = (words: readonly string[]): Fault => withFields({ warnings: words });

/** The real answer with VictoriaMetrics' sign that a storage node did not answer. */
export const isPartial: Fault = withFields({ isPartial: true });

export interface FaultyStore {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** What happens to the requests from now on, one fault each; then all pass again. */
  next(...faults: readonly Fault[]): void;
  /** What happens to every request from now on for which `next` says nothing; undefined lets it pass. */
  always(choose: (request: RecordedRequest) => Fault | undefined): void;
  close(): Promise<void>;
}

/** A proxy before the store at `upstream` that goes wrong in the ways it is told to. */
export async function startFaultyStore(upstream: string): Promise<FaultyStore> {
  const requests: RecordedRequest[] = [];
  let queued: Fault[] = [];
  let choose: (request: RecordedRequest) => Fault | undefined = () => pass;
  let connections = 0;
  const numbers = new WeakMap<object, number>();

  const server = createServer(async (incoming, response) => {
    const abandoned = once(response, 'close').then(() => !response.writableFinished);
    const body = await buffer(incoming);
    const recorded = record(incoming, body, numbers.get(incoming.socket) ?? 0, abandoned);
    requests.push(recorded);
    const fault = queued.shift() ?? choose(recorded) ?? pass;
    try {
      await fault(response, () => realAnswer(upstream, incoming, body));
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  server.on('connection', (socket) => numbers.set(socket, (connections += 1)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...faults) => (queued = [...faults]),
    always: (chosen) => (choose = chosen),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const record = (
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  connection: number,
  abandoned: Promise<boolean>,
): RecordedRequest => {
  const { pathname, searchParams } = new URL(url, 'http://store');
  const form = new URLSearchParams(body.toString('utf8'));
  const parameters = new URLSearchParams([...searchParams, ...form]);
  return { method, path: pathname, parameters, headers, connection, abandoned };
};

async function realAnswer(
  upstream: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<RealAnswer> {
  // Plain, since faults cut and mend its text.
  const { host: _, 'accept-encoding': _zip, ...passed } = headers;
  const forwarded = ask(`${upstream.replace(/\/$/, '')}${url}`, { method, headers: passed });
  forwarded.end(body);
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}
