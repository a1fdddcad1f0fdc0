import { listenOn, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { demoConfig } from '../demo/demo-config.ts';
import type { Log } from '../server/deps.ts';
import type { ListenFlags } from './arguments.ts';
import { demoQueries } from './demo-queries.ts';
import { withDemoStore } from './demo-store.ts';
import { gatewayOver } from './gateway.ts';
import { tryToListen } from './listen.ts';
import { serve } from './serve.ts';

/** The gateway over a fleet that is made up: a real store, a day of history, and exporters that go on. */
export async function demo(
  listen: ListenFlags,
  { log, say }: { log: Log; say: (line: string) => void },
): Promise<number> {
  const configOver = (storeUrl: string): Config => listenOn(readConfig(demoConfig(storeUrl), {}), listen);
  // Nobody waits for a store and a day of history to be told that the port is taken.
  await tryToListen(configOver('http://127.0.0.1').listen);
  return withDemoStore(say, (storeUrl) =>
    serve(configOver(storeUrl), {
      gatewayOver,
      log,
      say: (line) => say(`${line}\n${invitation}`),
      queries: demoQueries,
    }),
  );
}

const invitation = `Open that address in a browser, or ask:

${demoQueries[0].replace(/^(?=.)/gm, '  ')}`;
