import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one request held. */
export interface Reported {
  readonly query: string;
  readonly variables: {
    readonly run: string;
    readonly events?: readonly Readonly<Record<string, unknown>>[];
    readonly status?: { readonly at: number; readonly state: unknown };
  };
  readonly authorization: string | undefined;
  readonly path: string | undefined;
}

export type Fault = (response: ServerResponse, reported: Reported) => void;

/**
 * A stand-in for a gateway, for faults that a real one does not produce at will. It keeps what it takes: an event that it
 * has already is `repeated`.
 */
export async function fakeGateway(port = 0) {
  const requests: Reported[] = [];
  const taken = new Map<string, Record<string, unknown>>();
  const faults: Fault[] = [];
  let always: Fault | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Pick<Reported, 'query' | 'variables'>;
      const reported = { ...body, authorization: request.headers.authorization, path: request.url };
      requests.push(reported);
      const fault = faults.shift() ?? always;
      if (fault) return fault(response, reported);
      let written = 0;
      const events = reported.variables.events ?? [];
      for (const event of events) {
        const key = JSON.stringify(event);
        if (!taken.has(key)) written += 1;
        taken.set(key, event);
      }
      return answer(response, { written, repeated: events.length - written });
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}/graphql`,
    port: listening,
    requests,
    /** Steps of what was taken, in order. */
    steps: (): number[] => [...taken.values()].map(({ step }) => Number(step)),
    names: (): string[] => [...taken.values()].map(({ name }) => String(name)),
    /** The next requests, one fault each. */
    fail: (...next: Fault[]): void => void faults.push(...next),
    failAlways: (fault: Fault | null): void => {
      always = fault;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

export function answer(response: ServerResponse, report: object): void {
  const none = { written: 0, repeated: 0, conflicting: 0, refused: 0, skipped: [], rejected: [], note: null };
  response.end(JSON.stringify({ data: { reportRun: { ...none, ...report } } }));
}

/** As the gateway refuses. */
export const refuse =
  (status: number, code: string, message: string, extensions: object = {}): Fault =>
  (response) => {
    response.statusCode = status;
    response.end(
      JSON.stringify({ data: { reportRun: null }, errors: [{ message, extensions: { code, status, ...extensions } }] }),
    );
  };

/** As what stands before a gateway answers. */
export const plain =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(status, headers).end('<html>');
  };

/** The connection breaks. */
export const broken: Fault = (response) => void response.socket?.destroy();
