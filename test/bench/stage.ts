import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { Client } from './client.ts';
import { fleet, type FleetPart } from './fleet.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { storePid } from './process-figures.ts';

/** A store that holds a cluster, a gateway over it, and a client of each. */
export interface Stage {
  readonly store: EmbeddedStore;
  readonly gateway: GatewayProcess;
  /** As many connections as the gateway has to its store. */
  readonly toStore: Client;
  readonly toGateway: Client;
  readonly processes: Readonly<Record<string, number>>;
}

const gatewaysConnections = 8;

export async function onStage<T>(part: FleetPart, act: (stage: Stage) => Promise<T>): Promise<T> {
  const store = await startStore();
  try {
    await store.load(fleet(part));
    const gateway = await startGatewayProcess(store.url, [part.cluster]);
    const [toStore, toGateway] = [new Client(store.url, gatewaysConnections), new Client(gateway.url, 1)];
    try {
      return await act({
        store,
        gateway,
        toStore,
        toGateway,
        processes: { store: storePid(store.url), gateway: gateway.pid },
      });
    } finally {
      await Promise.all([toStore.close(), toGateway.close()]);
      await gateway.stop();
    }
  } finally {
    await store.close();
  }
}
