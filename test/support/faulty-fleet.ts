import { onTestFinished } from 'vitest';

import { type Engine, startStore } from '../../src/embedded/store.ts';
import { type FaultyStore, type Fault, type RecordedRequest, startFaultyStore } from './faulty-store.ts';
import { labelled, type Series } from './fleet/series.ts';
import { serveGateway, type ServedGateway } from './served-gateway.ts';

export interface ClusterSeries {
  readonly name: string;
  /** `north` where left out. */
  readonly island?: 'north' | 'south';
  /** `nvidia` where left out. */
  readonly vendor?: 'nvidia' | 'amd';
  readonly series: readonly Series[];
}

/** Two islands whose stores go wrong when they are told to; behind both is one real store. */
export interface FaultyFleet {
  readonly north: FaultyStore;
  readonly south: FaultyStore;
  /** A gateway that has answered nothing yet; it is closed with the test. */
  gateway(settings?: { readonly timeoutS?: number; readonly northUrl?: string }): Promise<ServedGateway>;
  close(): Promise<void>;
}

export async function startFaultyFleet(clusters: readonly ClusterSeries[]): Promise<FaultyFleet> {
  const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
  const store = await startStore(engine === undefined ? {} : { engine });
  await store.load(clusters.flatMap(({ name, series }) => labelled({ cluster: name }, series)));
  const [north, south] = [await startFaultyStore(store.url), await startFaultyStore(store.url)];
  const ours = clusters.filter(({ name }) => name !== 'pool');
  return {
    north,
    south,
    async gateway({ timeoutS = 20, northUrl = north.url } = {}) {
      const gateway = await serveGateway(
        JSON.stringify({
          islands: [
            { name: 'north', prometheus: { url: northUrl, timeoutS }, sharedPool: ['pool'] },
            { name: 'south', prometheus: { url: south.url, timeoutS } },
          ],
          organizations: [
            {
              name: 'acme',
              clusters: ours.map(({ name, island = 'north', vendor = 'nvidia' }) => ({
                name,
                island,
                vendor,
                model: vendor === 'amd' ? 'MI355X' : 'H100',
              })),
            },
          ],
          models: { 'NVIDIA H100.*': 'H100' },
        }),
      );
      onTestFinished(() => gateway.close());
      return gateway;
    },
    async close() {
      await Promise.all([north.close(), south.close()]);
      await store.close();
    },
  };
}

/** What a request asks, as text: its path, and its query or its selectors. */
export const askedIn = ({ path, parameters }: RecordedRequest): string =>
  `${path} ${parameters.get('query') ?? parameters.getAll('match[]').join(' ')}`;

/** From now on, and until the test ends, whatever matches goes wrong. */
export function failing(store: FaultyStore, pattern: RegExp, fault: Fault): void {
  store.always((request) => (pattern.test(askedIn(request)) ? fault : undefined));
  onTestFinished(() => well(store));
}

export const well = (store: FaultyStore): void => store.always(() => undefined);

export const countOf = ({ requests }: FaultyStore, pattern: RegExp): number =>
  requests.filter((request) => pattern.test(askedIn(request))).length;
