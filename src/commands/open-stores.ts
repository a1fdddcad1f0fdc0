import type { Config } from '../config.ts';
import { createStore } from '../prometheus/store.ts';
import type { Store, StoreLogLine } from '../prometheus/store.ts';
import type { Ask } from '../reads/ask.ts';
import type { Log } from '../server/deps.ts';

export interface Stores {
  /** An organization's way to the store of an island. */
  readonly askFor: (organization: string) => (island: string) => Ask;
  /** Whether every one of them answers. */
  readonly ready: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** A client for each island's store. Nothing is asked before the first question. */
export function openStores({ stores: settings }: Config, log: Log): Stores {
  const stores = new Map<string, Store>(
    [...settings].map(([island, { url, headers, timeoutS, concurrency }]) => [
      island,
      createStore({ url, headers, timeoutS, concurrency, log: (line) => logged(log, island, line) }),
    ]),
  );
  const each = <T>(act: (store: Store) => Promise<T>): Promise<T[]> => Promise.all([...stores.values()].map(act));
  return {
    askFor: (organization) => (island) => stores.get(island)!.askFor(organization),
    ready: async () => (await each((store) => store.ready())).every(Boolean),
    close: async () => void (await each((store) => store.close())),
  };
}

/** That it happened is for everyone who reads the log; the words can name other tenants and addresses. */
function logged(log: Log, island: string, { event, reason, request, words }: StoreLogLine): void {
  const said = events[event];
  log({ level: 'warn', event: said, island, ...(reason !== undefined && { reason }) });
  log({ level: 'debug', event: said, island, path: request.path, form: request.form, words });
}

const events = {
  partial: 'store left something out',
  retry: 'asked a store again',
  failed: 'store did not answer',
} as const satisfies Record<StoreLogLine['event'], string>;
