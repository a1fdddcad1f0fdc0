import { once } from 'node:events';
import { isOpen } from '../config.ts';
import type { Config } from '../config.ts';
import { isLoopback } from '../config/loopback.ts';
import type { Sleep } from '../live/polls.ts';
import type { Ask } from '../reads/ask.ts';
import type { Write } from '../reads/write.ts';
import { mcpEndpoint } from '../mcp/endpoint.ts';
import { createApp } from '../server/app.ts';
import type { Deps, Log } from '../server/deps.ts';
import { loopbackNames } from './host-names.ts';
import { listen } from './listen.ts';
import { openStores } from './open-stores.ts';
import { version } from './version.ts';

/** What a gateway is built over: who asks, what there is to see, and each organization's way to the islands' stores. */
export interface Foundation {
  readonly config: Config;
  readonly askFor: (organization: string) => (island: string) => Ask;
  /** And to write runs there, where an island takes them; left out, none does. */
  readonly writeFor?: (organization: string) => (island: string) => Write | undefined;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly log: Log;
  /** How the time between two evaluations passes; left out, as it does. */
  readonly sleep?: Sleep;
}

/** The graph over a foundation, as the edge needs it. */
export type Gateway<Operation extends object> = Pick<
  Deps<Operation>,
  'schema' | 'operation' | 'warnings' | 'limits' | 'work' | 'cost' | 'admit' | 'open' | 'trusted'
> & {
  /** Ends the subscriptions: they would outlast any request. */
  readonly end?: () => void;
};

export interface ServeOptions<Operation extends object> {
  readonly gatewayOver: (foundation: Foundation) => Gateway<Operation> | Promise<Gateway<Operation>>;
  readonly log: Log;
  /** Lines for the person who started it. */
  readonly say: (line: string) => void;
  /** The queries that a browser's page starts with. */
  readonly queries?: readonly string[];
  /** What requests under way may still take once the process was told to end. */
  readonly drainS?: number;
}

/** Serves until the process is told to end. @returns the exit code */
export async function serve<Operation extends object>(
  config: Config,
  { gatewayOver, log, say, queries = [firstQuery], drainS = 10 }: ServeOptions<Operation>,
): Promise<number> {
  const told = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  const stores = openStores(config, log);
  const { askFor, writeFor } = stores;
  const gateway = await gatewayOver({ config, askFor, writeFor, now: () => Date.now() / 1000, log });
  const { introspection } = config.http;
  const trustedOnly = gateway.trusted?.only ?? false;
  const mcp = mcpEndpoint({ schema: gateway.schema, introspection, trustedOnly, version: await version(), log });
  const app = createApp<Operation>({
    ...gateway,
    endpoints: { '/mcp': mcp },
    ready: stores.ready,
    log,
    introspection,
    corsOrigins: config.http.corsOrigins,
    // The page is for the person at this machine, unless the configuration says otherwise.
    graphiql: (config.http.graphiql ?? isLoopback(config.listen.host)) && { queries },
  });
  const { url, drain } = await listen(app, {
    ...config.listen,
    ...(isOpen(config) && { names: loopbackNames(config.listen.host) }),
    onFailure: (error) => log({ level: 'error', event: 'internal error', error: textOf(error) }),
  });
  say(`gpuql answers at ${url}/graphql\nMCP, for agents, is at ${url}/mcp`);
  log({ level: 'info', event: 'listening', url });

  await told;
  log({ level: 'info', event: 'draining' });
  gateway.end?.();
  await drain(drainS);
  await stores.close();
  log({ level: 'info', event: 'ended' });
  return 0;
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? String(error)) : String(error));

const firstQuery = `# Every cluster that you may see.
{
  clusters {
    name
    island
    gpuVendor
    gpuModel
  }
}
`;
