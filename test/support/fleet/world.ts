import { type Engine, startStore } from '../../../src/embedded/store.ts';
import { type Gateway, startGateway } from '../gateway.ts';
import { NOW } from './clock.ts';
import { labelled, type Series } from './series.ts';

/** One cluster of the fleet, with its telemetry; the `cluster` label is added on the way into the store. */
export interface Site {
  readonly name: string;
  readonly vendor?: 'nvidia' | 'amd';
  /** null: the gateway has to find out from the model labels. */
  readonly model?: string | null;
  readonly exported?: readonly string[];
  /** Told apart by these labels instead: then the series get them and no `cluster`. */
  readonly match?: Readonly<Record<string, string>>;
  /** Whose it is: the gateway's organization, another one's, or the island's for comparison only. */
  readonly owner?: 'us' | 'others' | 'pool';
  readonly series: readonly Series[];
}

export interface GatewaySettings {
  readonly now?: number | (() => number);
  readonly ingestLagS?: number;
  readonly scrapeIntervalS?: number | Readonly<Record<string, number>>;
  readonly models?: Readonly<Record<string, string>>;
  readonly flags?: { readonly minThrottledPct: number };
  readonly limits?: Readonly<Record<string, number>>;
}

export interface World {
  /** A gateway that has answered nothing yet. All are closed with the world. */
  gateway(settings?: GatewaySettings): Promise<Gateway>;
  /** The configuration that they have. */
  config(settings?: GatewaySettings): string;
  close(): Promise<void>;
}

const clusterOf = ({ name, vendor = 'nvidia', model, exported, match }: Site) => ({
  name,
  island: 'north',
  vendor,
  ...(model === null ? {} : { model: model ?? (vendor === 'amd' ? 'MI355X' : 'H100') }),
  ...(exported === undefined ? {} : { exported }),
  ...(match === undefined ? {} : { match }),
});

/** The configuration, as JSON: which is YAML too. */
const configOf = (url: string, sites: readonly Site[], settings: GatewaySettings) => {
  const { scrapeIntervalS = 30, models = {}, ingestLagS = 0, flags, limits } = settings;
  const pool = sites.filter(({ owner }) => owner === 'pool').map(({ name }) => name);
  return JSON.stringify({
    islands: [{ name: 'north', prometheus: { url, ingestLagS }, ...(pool.length === 0 ? {} : { sharedPool: pool }) }],
    organizations: [{ name: 'acme', clusters: sites.filter(({ owner = 'us' }) => owner === 'us').map(clusterOf) }],
    labels: { cluster: 'cluster' },
    scrapeIntervalS,
    models: { 'NVIDIA H100.*': 'H100', 'NVIDIA A100.*': 'A100', 'AMD Instinct MI355X.*': 'MI355X', ...models },
    ...(flags === undefined ? {} : { flags }),
    ...(limits === undefined ? {} : { limits }),
  });
};

const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;

/**
 * VictoriaMetrics drops NaN, and keeps a block of values at one decimal exponent: beside 1e14 a fraction loses its
 * digits. What such a store cannot give back, no reader can answer.
 */
export const keepsEveryDouble = engine === undefined || engine.startsWith('prometheus');

/** A real store that holds these clusters, of the engine that `GPUQL_ENGINE` names. */
export const startWorld = async (sites: readonly Site[]): Promise<World> => {
  const store = await startStore(engine === undefined ? {} : { engine });
  const gateways: Gateway[] = [];
  try {
    await store.load(sites.flatMap(({ name, match, series }) => labelled(match ?? { cluster: name }, series)));
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    config: (settings = {}) => configOf(store.url, sites, settings),
    gateway: async (settings = {}) => {
      const now = settings.now ?? NOW;
      const gateway = await startGateway({
        config: configOf(store.url, sites, settings),
        now: typeof now === 'number' ? () => now : now,
      });
      gateways.push(gateway);
      return gateway;
    },
    close: async () => {
      for (const gateway of gateways) await gateway.close();
      await store.close();
    },
  };
};
