import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';
import type { Sent } from './client.ts';

export interface Exchange {
  readonly sent: Sent;
  /** Of the answer's body as it went over the wire, compressed or not. */
  readonly bytes: number;
}

/** Stands before a store, passes everything on as it is, and keeps what was asked. */
export interface RecordingStore {
  readonly url: string;
  /** What was asked since this was called last, in order, and how many of those were under way at once at most. */
  take(): { readonly exchanges: readonly Exchange[]; readonly atOnce: number };
  close(): Promise<void>;
}

const atMostMs = 120_000;

export async function startRecordingStore(storeUrl: string): Promise<RecordingStore> {
  const pool = new Pool(new URL(storeUrl).origin, { headersTimeout: atMostMs, bodyTimeout: atMostMs });
  let exchanges: { sent: Sent; bytes: number }[] = [];
  let [underWay, atOnce] = [0, 0];

  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = sentAs(incoming, (await buffer(incoming)).toString());
    const exchange = { sent, bytes: 0 };
    exchanges.push(exchange);
    const { method = 'POST', path, type, accepts } = sent;
    const { statusCode, headers, body } = await pool.request({
      method,
      path,
      headers: { 'content-type': type, ...(accepts !== undefined && { 'accept-encoding': accepts }) },
      ...(method === 'POST' && { body: sent.body }),
    });
    body.on('data', (chunk: Buffer) => (exchange.bytes += chunk.length));
    response.statusCode = statusCode;
    for (const name of ['content-type', 'content-encoding']) {
      const value = headers[name];
      if (value !== undefined) response.setHeader(name, value);
    }
    await pipeline(body, response);
  };

  const server = createServer((incoming, response) => {
    underWay += 1;
    atOnce = Math.max(atOnce, underWay);
    pass(incoming, response)
      .catch(() => response.destroy())
      .finally(() => (underWay -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = { exchanges, atOnce };
      [exchanges, atOnce] = [[], underWay];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await Promise.all([pool.close(), new Promise((resolve) => server.close(resolve))]);
    },
  };
}

function sentAs({ method, url, headers }: IncomingMessage, body: string): Sent {
  const accepts = headers['accept-encoding'];
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    path: url!,
    type: 'application/x-www-form-urlencoded',
    body,
    ...(typeof accepts === 'string' && { accepts }),
  };
}
