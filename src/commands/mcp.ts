import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { demoConfig } from '../demo/demo-config.ts';
import type { Ask } from '../mcp/ask.ts';
import { mcpOverStdio } from '../mcp/stdio.ts';
import { schema } from '../schema/index.ts';
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
  if (config) {
    const { ask, close } = await openGraph(config, settings);
    settings.say('gpuql answers MCP on standard input and output.');
    await answerOver(ask, config, settings).finally(close);
    return 0;
  }
  // The client is greeted at once: it may not wait for a store and a day of history. What it asks waits.
  const opened = Promise.withResolvers<Ask>();
  const answered = answerOver(async (...asked) => (await opened.promise)(...asked), undefined, settings);
  await withDemoStore(settings.say, async (storeUrl) => {
    const { ask, close } = await openGraph(readConfig(demoConfig(storeUrl), {}), settings);
    opened.resolve(ask);
    settings.say('gpuql answers MCP on standard input and output, over the demo.');
    await answered.finally(close);
  });
  return 0;
}

const answerOver = async (ask: Ask, config: Config | undefined, { log }: McpSettings): Promise<void> => {
  const introspection = config?.http.introspection ?? true;
  const trustedOnly = config?.trustedDocuments?.only ?? false;
  return mcpOverStdio({ schema, introspection, trustedOnly, version: await version(), log }, ask);
};

/** The graph without a listener: the same edge, limits and meanings, for whoever the token says. */
async function openGraph(config: Config, settings: McpSettings): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const { log, token, now = () => Date.now() / 1000 } = settings;
  const { ready, askFor, writeFor, close } = openStores(config, log);
  const gateway = gatewayOver({ config, askFor, writeFor, now, log });
  const headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
  try {
    await gateway.operation(new Request(address, { headers }));
  } catch (cause) {
    await close();
    const words = `${(cause as Error).message} gpuql mcp takes the token from GPUQL_TOKEN in the environment.`;
    throw new CannotStart(words, { cause });
  }
  const app = createApp({ ...gateway, ready, log, introspection: config.http.introspection });
  const ask: Ask = async (body, signal) =>
    app.fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  return { ask, close };
}

/** Of nothing that listens. */
const address = 'http://gpuql/graphql';
