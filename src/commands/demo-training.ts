import { readConfig } from '../config.ts';
import { demoConfig } from '../demo/demo-config.ts';
import { startTraining } from '../demo/training.ts';
import { createApp } from '../server/app.ts';
import { gatewayOver } from './gateway.ts';
import { openStores } from './open-stores.ts';

/**
 * The demo's training job, reporting to a gateway of its own: the same edge, limits and store, without a port and without
 * a line in the log for each of its requests.
 */
export async function demoTraining(
  storeUrl: string,
  t0: number,
  now: () => number = () => Date.now() / 1000,
): Promise<{ stop(): Promise<void> }> {
  const config = readConfig(demoConfig(storeUrl), {});
  const log = (): void => {};
  const stores = openStores(config, log);
  const gateway = gatewayOver({ config, ...stores, now, log });
  const app = createApp({ ...gateway, ready: stores.ready, log });
  const fetch: typeof globalThis.fetch = async (input, init) => app.fetch(new Request(input, init));
  const training = await startTraining({ t0, now, fetch, say: log });
  return {
    async stop() {
      training.stop();
      await stores.close();
    },
  };
}
