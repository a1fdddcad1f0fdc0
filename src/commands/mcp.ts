import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { demoConfig } from '../demo/demo-config.ts';
import type { Ask } from '../mcp/ask.ts';
import { mcpOverStdio } from '../mcp/stdio.ts';
import { createApp } from '../server/app.ts';
import type { Log } from '../server/deps.ts';
import { withDemoStore } from './demo-store.ts';
import { CannotStart } from './failure.ts';
import { gatewayOver } from './gateway.ts';
import { openStores } from './open-stores.ts';
import { version } from './version.ts';

export interface McpSettings {
  readonly log: Log;
  /** Lines for the person who started it; never on standard output, which is the protocol's. */
  readonly say: (line: string) => void;
  /** The credential that everything is asked with. */
  readonly token: string | undefined;
  /** Epoch seconds. */
  readonly now?: () => number;
}

/** Answers one MCP client over standard input and output until it closes them. @returns the exit code */
export async function mcp(config: Config | undefined, settings: McpSettings): Promise<number> {
  if (config) return answerOver(config, settings);
  return withDemoStore(settings.say, (storeUrl) => answerOver(readConfig(demoConfig(storeUrl), {}), settings));
}

/** The graph without a listener: the same edge, limits and meanings, for whoever the token says. */
async function answerOver(config: Config, settings: McpSettings): Promise<number> {
  const { log, say, token, now = () => Date.now() / 1000 } = settings;
  const { introspection } = config.http;
  const stores = openStores(config, log);
  try {
    const gateway = gatewayOver({ config, askFor: stores.askFor, now, log });
    const headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
    const known = Promise.try(() => gateway.operation(new Request(address, { headers })));
    await known.catch((cause: Error) => {
      throw new CannotStart(`${cause.message} gpuql mcp takes the token from GPUQL_TOKEN in the environment.`, {
        cause,
      });
    });
    const app = createApp({ ...gateway, ready: stores.ready, log, introspection });
    const ask: Ask = async (body, signal) =>
      app.fetch(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
    say('gpuql answers MCP on standard input and output.');
    await mcpOverStdio({ schema: gateway.schema, introspection, version: await version(), log }, ask);
    return 0;
  } finally {
    await stores.close();
  }
}

/** Of nothing that listens. */
const address = 'http://gpuql/graphql';
