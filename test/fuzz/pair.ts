import { type EmbeddedStore, type Engine, startStore } from '../../src/embedded/store.ts';
import { NOW } from '../support/fleet/clock.ts';
import type { Series } from '../support/fleet/series.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { foreignSeries, neighbour, own, ownSeries, pool } from './tenants.ts';

/** One of the two: a store, and a gateway over it that answers our organization. */
export interface Side {
  readonly gateway: Gateway;
  readonly store: EmbeddedStore;
}

/** Two stores of one engine that differ in one thing: one holds the data of others beside ours. */
export interface Pair {
  readonly engine: Engine;
  readonly shared: Side;
  readonly alone: Side;
  /** Whether both processes still answer. */
  alive(): Promise<boolean>;
  close(): Promise<void>;
}

/** Who asks: a token of each organization. */
export const tokens = { acme: 'acme-token-0123456789abcdef', borealis: 'borealis-token-0123456789abcdef' } as const;

/** The same for both but for the address, so that nothing in an answer can come from the configuration. */
const configOf = (url: string): string => {
  const clustersOf = (names: readonly string[]) =>
    names.map((name) => ({ name, island: 'north', vendor: 'nvidia', model: 'H100' }));
  return JSON.stringify({
    islands: [{ name: 'north', prometheus: { url, concurrency: 16, timeoutS: 60 }, sharedPool: [pool] }],
    organizations: [
      { name: 'acme', tokens: [tokens.acme], clusters: clustersOf(own) },
      { name: 'borealis', tokens: [tokens.borealis], clusters: clustersOf(neighbour) },
    ],
    scrapeIntervalS: 60,
    // They are proved elsewhere; here they would hide what a query answers.
    limits: { requestsPerMinute: 1_000_000, concurrency: 1000 },
  });
};

/**
 * Few series at a time: written one after the other, ours come in the same order into both stores. An engine that walks
 * series in the order of their arrival then adds and picks in the same order too.
 */
const loadInOrder = async (store: EmbeddedStore, all: readonly Series[]): Promise<void> => {
  for (let at = 0; at < all.length; at += 200) await store.load(all.slice(at, at + 200));
};

async function sideOf(engine: Engine, series: readonly Series[]): Promise<Side> {
  const store = await startStore({ engine });
  await loadInOrder(store, series);
  return { store, gateway: await startGateway({ config: configOf(store.url), now: () => NOW }) };
}

const answers = ({ store }: Side): Promise<boolean> =>
  fetch(`${store.url}/api/v1/query?query=1`, { signal: AbortSignal.timeout(30_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export async function startPair(engine: Engine): Promise<Pair> {
  const shared = await sideOf(engine, [...ownSeries, ...foreignSeries]);
  const alone = await sideOf(engine, ownSeries);
  return {
    engine,
    shared,
    alone,
    alive: async () => (await Promise.all([shared, alone].map(answers))).every(Boolean),
    async close() {
      for (const { gateway, store } of [shared, alone]) {
        await gateway.close();
        await store.close();
      }
    },
  };
}
