import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import type { Ask } from '../../src/reads/ask.ts';
import { dcgm } from './fleet/dcgm.ts';
import { HOUR, MINUTE, NOW, scrapes } from './fleet/clock.ts';
import { labelled, type Series, type Value } from './fleet/series.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Turns, turns } from './turns.ts';

/** Minutes from `NOW`. */
export const at = (minutes: number): number => NOW + minutes * MINUTE;

/** What one GPU shows, by time; null for what is not scraped. */
export interface LiveGpu {
  readonly tenant?: string;
  readonly node: string;
  readonly index?: number;
  readonly tempC: Value;
  /** Nothing is scraped from then on, epoch seconds, until then. */
  readonly silent?: readonly [from: number, to: number];
}

export interface LiveFleet {
  readonly url: string;
  /** Now, epoch seconds, for all gateways. */
  now(): number;
  /** Writes what is scraped until that minute, and makes it now. */
  reach(minutes: number): Promise<void>;
  /** A gateway that has answered nothing yet, and how its time passes. */
  gateway(options?: LiveOptions): Promise<Gateway & { readonly turns: Turns }>;
  close(): Promise<void>;
}

interface LiveOptions {
  readonly limits?: Readonly<Record<string, number>>;
  readonly before?: (ask: Ask) => Ask;
  readonly pingMs?: number;
  readonly organizations?: readonly string[];
}

export const tokenOf = (organization: string): string => `token-of-${organization}-0123456789abcdef`;

/** A real store that goes on to be written, and gateways with the time of the last sample. */
export async function startLiveFleet(gpus: readonly LiveGpu[]): Promise<LiveFleet> {
  const store: EmbeddedStore = await startStore();
  const gateways: Gateway[] = [];
  let now = NOW;
  const write = async (from: number, to: number) => {
    const series = gpus.flatMap(({ tenant = 'acme', node, index = 0, tempC, silent }) =>
      labelled(
        { cluster: 'c', tenant },
        dcgm(
          { node, index, uuid: `GPU-${tenant}-${node}-${index}` },
          scrapes({ from, to, ...(silent && { holes: [silent] }) }),
          {
            DCGM_FI_DEV_GPU_TEMP: tempC,
          },
        ),
      ),
    );
    await store.load(series.filter(({ times }: Series) => times.length > 0));
  };
  await write(NOW - 7 * HOUR, NOW);
  return {
    url: store.url,
    now: () => now,
    async reach(minutes) {
      await write(now, at(minutes));
      now = at(minutes);
    },
    async gateway({ limits, before, pingMs, organizations = ['acme'] } = {}) {
      const time = turns();
      const gateway = await startGateway({
        config: JSON.stringify({
          islands: [{ name: 'north', prometheus: { url: store.url } }],
          organizations: organizations.map((name) => ({
            name,
            ...(organizations.length > 1 && { tokens: [tokenOf(name)] }),
            clusters: [
              { name: 'c', island: 'north', vendor: 'nvidia', model: 'H100', match: { cluster: 'c', tenant: name } },
            ],
          })),
          ...(limits && { limits }),
        }),
        now: () => now,
        sleep: time.sleep,
        ...(before && { before }),
        ...(pingMs !== undefined && { pingMs }),
      });
      gateways.push(gateway);
      return { ...gateway, turns: time };
    },
    async close() {
      for (const gateway of gateways) {
        gateway.end();
        await gateway.close();
      }
      await store.close();
    },
  };
}
