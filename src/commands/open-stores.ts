import type { Config } from '../config.ts';
import { createStore } from '../prometheus/store.ts';
import type { Store, StoreLogLine } from '../prometheus/store.ts';
import { createWriter } from '../prometheus/writer.ts';
import type { Writer, WriteLogLine } from '../prometheus/writer.ts';
import type { Ask } from '../reads/ask.ts';
import type { Write } from '../reads/write.ts';
import type { Log } from '../server/deps.ts';

export interface Stores {
  /** An organization's way to the store of an island. */
  readonly askFor: (organization: string) => (island: string) => Ask;
  /** Its way to write runs there; undefined where the island takes none. */
  readonly writeFor: (organization: string) => (island: string) => Write | undefined;
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
  const writers = new Map<string, Writer>(
    [...settings].flatMap(([island, { writeUrl: url, headers, timeoutS, concurrency }]) =>
      url === undefined
        ? []
        : [
            [
              island,
              createWriter({ url, headers, timeoutS, concurrency, log: (line) => loggedWrite(log, island, line) }),
            ],
          ],
    ),
  );
  const each = <T>(act: (store: Store) => Promise<T>): Promise<T[]> => Promise.all([...stores.values()].map(act));
  return {
    askFor: (organization) => (island) => stores.get(island)!.askFor(organization),
    ready: async () => (await each((store) => store.ready())).every(Boolean),
    writeFor: (organization) => (island) => writers.get(island)?.writeFor(organization),
    close: async () => void (await Promise.all([...stores.values(), ...writers.values()].map((one) => one.close()))),
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

/** What it takes no more is told to whoever reported it. */
function loggedWrite(log: Log, island: string, { event, reason, words }: WriteLogLine): void {
  const said = writeEvents[event];
  if (event !== 'refused') log({ level: 'warn', event: said, island, ...(reason !== undefined && { reason }) });
  log({ level: 'debug', event: said, island, ...(reason !== undefined && { reason }), words });
}

const writeEvents = {
  retry: 'wrote to a store again',
  failed: 'store did not take a write',
  refused: 'store refused samples',
} as const satisfies Record<WriteLogLine['event'], string>;
