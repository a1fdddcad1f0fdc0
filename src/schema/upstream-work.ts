import type { Vendor } from '../domain/fleet.ts';
import type { ClusterSite } from '../domain/site.ts';
import type { Arguments, Asked, Place } from '../domain/work.ts';
import type { FleetSize } from '../reads/fleet-sizes.ts';
import { Refusal } from '../errors.ts';
import { statusLimits } from '../runs/status.ts';
import { resolveWindow, type Window, type WindowRequest } from '../window/window.ts';
import { liveRange } from './live-flags.ts';
import { liveWindow } from './live-readings.ts';
import { longestPage } from './connection.ts';
import type { Operation } from './operation.ts';
import { queryPrice } from './query-price.ts';
import { type Price, prices, type Series, type Under } from './upstream-prices.ts';
import { weights } from './upstream-weights.ts';

/** Network devices of a host that are counted: physical ones, or bonds. */
const devicesPerHost = 8;

/**
 * Places that are no clusters and price themselves, by `Type.field`: a field that reads something else is given a weight
 * with `isPlace` and a price here.
 */
export const ownPrices: Record<string, (args: Arguments, operation: Operation) => number> = {
  'Query.metricsQuery': ofQuery,
  'Mutation.reportRun': ofReport,
};

/** Each event is looked for, and written; each leaf of a status too. */
function ofReport({ events, status }: Arguments): number {
  return 2 * ((Array.isArray(events) ? events.length : 0) + (status ? statusLimits.leaves : 0));
}

/** Longest text of all free queries of a document. Each is parsed twice to be measured, and that takes this process. */
const mostQueryText = 20_000;

/** @throws Refusal QUERY_TOO_LARGE */
function checkQueries(places: readonly Place[]): void {
  const text = places
    .filter(({ coordinate }) => coordinate === 'Query.metricsQuery')
    .reduce((sum, { args }) => sum + String(args['query'] ?? '').length, 0);
  if (text <= mostQueryText) return;
  throw new Refusal(
    'QUERY_TOO_LARGE',
    `The document has ${text.toLocaleString('en')} characters of PromQL, ${(text - mostQueryText).toLocaleString('en')} more than the ${mostQueryText.toLocaleString('en')} that are allowed. Send several documents.`,
  );
}

/** A metric of a free query is taken to have a series for each GPU of the island. */
function ofQuery(args: Arguments, operation: Operation): number {
  const clusters = clustersOf(operation, {}).filter(
    ({ island }) => args['island'] == null || args['island'] === island,
  );
  const lagS = operation.gateway.islands.get(clusters[0]?.island ?? '')?.ingestLagS ?? 0;
  const window = windowOf(args, operation.now, lagS);
  if (!window || clusters.length === 0) return 0;
  const gpus = clusters.reduce((sum, cluster) => sum + sizeOf(operation, cluster).gpus, 0);
  const { gpuS } = underOf(operation, clusters[0]!.vendor, window);
  return Math.max(1, gpus) * queryPrice(args, window, gpuS);
}

/** What the arguments of other fields say in those of `Query.cluster`. */
const liveArguments: Readonly<Record<string, (args: Arguments, now: number) => Arguments>> = {
  'Subscription.flagChanges': ({ cluster, island }) => ({ name: cluster, island, window: { range: liveRange } }),
  'Subscription.readings': ({ cluster, island, minutes }, now) => ({
    name: cluster,
    island,
    window: liveWindow(typeof minutes === 'number' ? minutes : 5, now, 0),
  }),
};

/** Some clusters under one window, and all that a document asks of them. */
interface Gathered {
  readonly clusters: readonly ClusterSite[];
  readonly window: Window;
  readonly asked: Map<string, Asked>;
}

/**
 * What a document costs the stores: requests times series times points. It goes by sizes that are known; nothing is asked.
 * What loaders share is counted once: aliases and fragments that read the same of the same nodes cost what one does.
 */
function costOf(operation: Operation, places: readonly Place[]): number {
  const gathered = new Map<string, Gathered>();
  let cost = 0;
  checkQueries(places);
  for (const { coordinate, args, asked } of places) {
    const own = Object.hasOwn(ownPrices, coordinate) ? ownPrices[coordinate] : undefined;
    if (own) cost += own(args, operation);
    else if (asked.size > 0)
      gather(gathered, operation, liveArguments[coordinate]?.(args, operation.now) ?? args, asked);
  }
  const known = new Map<ClusterSite, FleetSize>();
  for (const { clusters, window, asked } of gathered.values()) {
    for (const cluster of clusters) if (!known.has(cluster)) known.set(cluster, sizeOf(operation, cluster));
    // Clusters whose samples come alike have one price.
    const alike = Map.groupBy(clusters, ({ vendor }) => vendor);
    for (const [vendor, same] of alike) {
      const under = underOf(operation, vendor, window);
      const sizes = same.map((cluster) => known.get(cluster)!);
      for (const [as, { times, parts }] of asked) {
        const price: Price = prices[as.slice(0, as.indexOf(' ')) as keyof typeof prices];
        const series = sizes.reduce((sum, size) => sum + seriesOf(size, times, price.series), 0);
        cost += series * price.points(parts, under);
      }
    }
  }
  return cost;
}

/** The same clusters under the same window are one place, whatever the words. */
function gather(all: Map<string, Gathered>, operation: Operation, args: Arguments, asked: Place['asked']): void {
  const clusters = clustersOf(operation, args);
  const lagS = operation.gateway.islands.get(clusters[0]?.island ?? '')?.ingestLagS ?? 0;
  const window = windowOf(args, operation.now, lagS);
  // A window that cannot be is refused where it is asked for, and so is a cluster that is not there.
  if (!window || clusters.length === 0) return;
  const [only] = clusters.length === 1 ? clusters : [];
  const key = JSON.stringify([only?.island, only?.name, window]);
  const held = all.get(key)?.asked ?? new Map<string, Asked>();
  for (const [as, { times, parts }] of asked) {
    const known = held.get(as);
    held.set(as, known ? { times: known.times + times, parts: new Set([...known.parts, ...parts]) } : { times, parts });
  }
  all.set(key, { clusters, window, asked: held });
}

/** The clusters that arguments name, as far as is known without asking. */
function clustersOf({ organization, gateway }: Operation, { name, island }: Arguments): readonly ClusterSite[] {
  // Of a store that tells its own clusters any may be there.
  const listed = organization.clusters.length > 0 ? organization.clusters : [anyOf(gateway, name)];
  if (name === undefined) return listed;
  const named = listed.filter((cluster) => cluster.name === name && (island == null || cluster.island === island));
  return named.length === 1 ? named : [];
}

const anyOf = ({ islands }: Operation['gateway'], name: unknown): ClusterSite => ({
  name: typeof name === 'string' ? name : '',
  island: [...islands.keys()][0] ?? '',
  vendor: 'NVIDIA',
  model: null,
  matchers: [],
  exported: [],
});

function windowOf({ window }: Arguments, now: number, lagS: number): Window | null {
  try {
    return resolveWindow((window ?? {}) as WindowRequest, now, lagS);
  } catch {
    return null;
  }
}

function sizeOf({ gateway, organization, now }: Operation, cluster: ClusterSite): FleetSize {
  const { nodes, gpusPerNode } = gateway.limits.assumed;
  return gateway.sizes.of(organization.name, cluster, now) ?? { nodes, gpus: nodes * gpusPerNode };
}

function underOf({ gateway: { site } }: Operation, vendor: Vendor, window: Window): Under {
  const { dcgm, amd, nodeExporter } = site.exporters;
  return { window, gpuS: (vendor === 'AMD' ? amd : dcgm).scrapeIntervalS, hostS: nodeExporter.scrapeIntervalS };
}

/** Series of so many nodes, of all at most; of runs no more than a page. A cluster that shows none is looked at all the same. */
function seriesOf({ nodes, gpus }: FleetSize, times: number, series: Series): number {
  if (series === 'run') return Math.max(1, Math.min(times, longestPage));
  const asked = Math.max(1, Math.min(times, nodes));
  const perNode = series === 'gpu' ? gpus / Math.max(1, nodes) : series === 'device' ? devicesPerHost : 1;
  return asked * Math.max(1, perNode);
}

/** How the edge learns what a document costs. */
export const upstreamWork = { weights, costOf };
