import { type Config, readConfig } from '../../src/config.ts';
import { type Engine, startStore } from '../../src/embedded/store.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { type FaultyStore, startFaultyStore } from './faulty-store.ts';
import { alerting } from './fleet/alerts.ts';
import { ago, HOUR, scrapes } from './fleet/clock.ts';
import { nodeInfo, nodeReady } from './fleet/kube-state-metrics.ts';
import { machineGauge } from './fleet/node-exporter.ts';
import { podSeries } from './fleet/pods.ts';
import { except, labelled, type Series, stepped } from './fleet/series.ts';
import { host, lasting, nvidia, scrapeAt } from './fleet/situations.ts';
import { type Served, type ServedGateway, serveGateway } from './served-gateway.ts';

const islandNames = ['north', 'south', 'west'] as const;
type Island = (typeof islandNames)[number];

/** A cluster of somebody: told apart by `tenant`, so that two organizations may call theirs by one name. */
export interface Held {
  readonly name: string;
  readonly island: Island;
  readonly tenant: string;
}

const times = scrapes({ from: ago(2 * HOUR), phase: 7 });
const nodes = ['n1', 'n2'];

/** Two nodes with two GPUs, named alike whoever has them; `tenant` and `tempC` tell whose they are. */
export const fleetOf = (tenant: string, tempC: number, wrong: boolean): Series[] =>
  labelled(
    { tenant },
    nodes.flatMap((node) => [
      ...[0, 1].flatMap((index) =>
        nvidia({
          gpu: { index, uuid: `GPU-${tenant}-${node}-${index}` },
          readings: {
            DCGM_FI_DEV_GPU_TEMP: wrong && index === 0 ? except(tempC, tempC + 25, lasting(20, 15)) : tempC,
            DCGM_FI_DEV_POWER_USAGE: tempC * 10,
            // What only one of them exports shows in coverage and in notes.
            ...(wrong ? {} : { DCGM_FI_DEV_FB_USED: null, DCGM_FI_DEV_FB_TOTAL: null }),
            DCGM_FI_DEV_THERMAL_VIOLATION: wrong ? stepped(7e9, [scrapeAt(20), 9e9]) : null,
            DCGM_FI_DEV_XID_ERRORS: wrong ? stepped(0, [scrapeAt(25), 79]) : 0,
          },
        })(node),
      ),
      ...host({ io: tempC / 1000 })(node),
      machineGauge({ address: node }, 'node_load1', times, tempC),
      nodeInfo(node, node, times),
      ...nodeReady(node, times, () => (wrong && node === 'n2' ? 'false' : 'true')),
      ...podSeries(
        {
          name: `train-${node}`,
          node,
          owner: ['Job', 'train'],
          gpus: 2,
          uid: `${tenant}-${node}`,
          created: ago(2 * HOUR),
          running: wrong ? ago(HOUR) : ago(2 * HOUR),
        },
        times,
      ),
      ...(wrong ? [alerting({ name: 'GPUHighTemperature', labels: { node, gpu: '0' } }, 'firing', times)] : []),
    ]),
  );

export interface Tenants {
  readonly stores: Readonly<Record<Island, FaultyStore>>;
  /** A gateway that has answered nothing yet and knows these organizations; all are closed with the tenants. */
  gateway(settings?: GatewaySettings): Promise<Asked>;
  close(): Promise<void>;
}

interface GatewaySettings {
  readonly only?: readonly string[];
  readonly concurrency?: number;
  /** What the file could not say. */
  readonly change?: (config: Config) => Config;
}

export interface Asked {
  as(organization: string, document: string, signal?: AbortSignal): Promise<Served>;
  readonly log: readonly Record<string, unknown>[];
}

/** One real store behind three islands, and the organizations that have clusters there. */
export async function startTenants(
  holdings: Readonly<Record<string, readonly Held[]>>,
  series: readonly Series[],
): Promise<Tenants> {
  const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
  const store = await startStore(engine === undefined ? {} : { engine });
  await store.load(series);
  const [north, south, west] = [
    await startFaultyStore(store.url),
    await startFaultyStore(store.url),
    await startFaultyStore(store.url),
  ];
  const stores = { north, south, west };
  const gateways: ServedGateway[] = [];
  const tokenOf = (organization: string): string => `token-of-${organization}-0123456789abcdef`;
  return {
    stores,
    async gateway({ only = Object.keys(holdings), concurrency = 8, change = (config: Config): Config => config } = {}) {
      const config = JSON.stringify({
        islands: islandNames.map((name) => ({
          name,
          prometheus: { url: stores[name].url, concurrency },
          sharedPool: [{ cluster: 'pool', match: { tenant: 'pool' } }],
        })),
        organizations: only.map((name) => ({
          name,
          tokens: [tokenOf(name)],
          clusters: holdings[name]!.map(({ tenant, ...cluster }) => ({
            ...cluster,
            vendor: 'nvidia',
            model: 'H100',
            match: { tenant },
          })),
        })),
        models: { 'NVIDIA H100.*': 'H100' },
      });
      const gateway = await serveGateway(change(readConfig(config, {}, readingNames)));
      gateways.push(gateway);
      return {
        log: gateway.log,
        as: (organization, document, signal) =>
          gateway.query(document, signal, { authorization: `Bearer ${tokenOf(organization)}` }),
      };
    },
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all(Object.values(stores).map((one) => one.close()));
      await store.close();
    },
  };
}
