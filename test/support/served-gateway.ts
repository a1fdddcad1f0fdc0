import { gatewayOver } from '../../src/commands/gateway.ts';
import { listen } from '../../src/commands/listen.ts';
import { openStores } from '../../src/commands/open-stores.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { createApp } from '../../src/server/app.ts';
import { NOW } from './fleet/clock.ts';
import type { Reply } from './gateway.ts';

export interface Served extends Reply {
  /** The answer as it came. */
  readonly text: string;
  readonly headers: Headers;
}

/** A gateway on a socket of this machine, with its stores as the commands open them. */
export interface ServedGateway {
  readonly url: string;
  query(document: string, signal?: AbortSignal, headers?: Record<string, string>): Promise<Served>;
  /** The status of a page beside the graph. */
  page(path: string): Promise<number>;
  readonly log: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function serveGateway(config: string | Config): Promise<ServedGateway> {
  const settings = typeof config === 'string' ? readConfig(config, {}, readingNames) : config;
  const log: Record<string, unknown>[] = [];
  const write = (line: Record<string, unknown>): void => void log.push(line);
  const stores = openStores(settings, write);
  const gateway = gatewayOver({
    config: settings,
    askFor: stores.askFor,
    writeFor: stores.writeFor,
    now: () => NOW,
    log: write,
  });
  const app = createApp({ ...gateway, ready: stores.ready, log: write });
  const { url, drain } = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url,
    log,
    async query(query, signal, headers = {}) {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
        ...(signal && { signal }),
      });
      const text = await answer.text();
      return { ...JSON.parse(text), status: answer.status, headers: answer.headers, text };
    },
    page: async (path) => (await fetch(`${url}${path}`)).status,
    async close() {
      await drain(0);
      await stores.close();
    },
  };
}
