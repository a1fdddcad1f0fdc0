import { parse, stringify } from 'yaml';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { listen } from '../../src/commands/listen.ts';
import { openStores } from '../../src/commands/open-stores.ts';
import { readConfig } from '../../src/config.ts';
import { demoConfig } from '../../src/demo/demo-config.ts';
import { Refusal } from '../../src/errors.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { createApp } from '../../src/server/app.ts';

/** A gateway over the demo's history as a client meets it: on a socket, behind a token. */
export interface ClientGateway {
  /** Of the graph. */
  readonly url: string;
  readonly token: string;
  /** Turns as many requests away as too many. */
  refuseNext(times: number): void;
  /** Says of every answer that the store of that cluster left something out. */
  leaveOut(cluster: string | undefined): void;
  /** Requests that were let in, or turned away. */
  asked(): number;
  close(): Promise<void>;
}

export async function clientGateway(
  storeUrl: string,
  { now, settings = {} }: { readonly now: () => number; readonly settings?: object },
): Promise<ClientGateway> {
  const token = 'a-client-of-the-demo';
  const demo = parse(demoConfig(storeUrl));
  const [organization] = demo.organizations;
  const yaml = stringify({ ...demo, ...settings, organizations: [{ ...organization, tokens: [token] }] });
  const config = readConfig(yaml, {}, readingNames);
  const log = (): void => undefined;
  const stores = openStores(config, log);
  const gateway = gatewayOver({ config, askFor: stores.askFor, writeFor: stores.writeFor, now, log });
  let [refusals, asked, partial] = [0, 0, undefined as string | undefined];
  const app = createApp({
    ...gateway,
    admit: async (operation) => {
      asked += 1;
      if (refusals-- > 0) throw new Refusal('THROTTLED', 'Too many requests.', { details: { retryAfterS: 1 } });
      return gateway.admit!(operation);
    },
    warnings: (operation) => [...gateway.warnings(operation), ...(partial === undefined ? [] : [partial])],
    ready: stores.ready,
    log,
  });
  const { url, drain } = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: `${url}/graphql`,
    token,
    refuseNext: (times) => void (refusals = times),
    leaveOut: (cluster) => void (partial = cluster),
    asked: () => asked,
    async close() {
      await drain(0);
      await stores.close();
    },
  };
}
