import { clusterName } from '../config/cluster-name.ts';
import { vendors } from '../domain/fleet.ts';
import type { Family, Vendor } from '../domain/fleet.ts';
import type { Matcher } from '../domain/matcher.ts';
import type { ClusterSite, Site } from '../domain/site.ts';
import type { Ask } from '../reads/ask.ts';
import type { Upstream } from '../reads/upstream.ts';
import { familySources } from '../readings/catalogue.ts';
import { select } from '../scope/scope.ts';
import type { Log } from '../server/deps.ts';

export interface FindOptions {
  readonly ask: Ask;
  readonly island: string;
  readonly site: Site;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Families that every GPU exporter has; their metrics tell where GPUs are, and whose. */
const telling = new Set<Family>(['GPU_TEMP', 'GPU_UTIL', 'POWER']);
const lookBackS = 14 * 86_400;
const freshS = 30;
const what = 'list of clusters';

/**
 * The clusters that a store shows, for a gateway that was given no list: one for each value that the cluster label has on
 * GPU metrics of the last 14 days, and one for the GPUs whose series have no such label.
 *
 * @returns what looks for them: at most every 30 seconds, and again after a failure. It throws as Ask does. What that costs
 *          is counted for the operation that is given
 */
export function foundClusters(options: FindOptions): (user?: Upstream) => Promise<readonly ClusterSite[]> {
  let found: Promise<readonly ClusterSite[]> | undefined;
  let since = Number.NEGATIVE_INFINITY;
  return (user) => {
    const now = options.now();
    if (found !== undefined && now - since < freshS) {
      user?.kept({ island: options.island, cluster: null, what });
      return found;
    }
    since = now;
    found = search(options, now, user);
    found.catch(() => (found = undefined));
    return found;
  };
}

async function search(
  { ask, island, site, log }: FindOptions,
  now: number,
  user?: Upstream,
): Promise<readonly ClusterSite[]> {
  const valuesOf = async (label: string, vendor: Vendor, matchers: readonly Matcher[]): Promise<string[]> => {
    const sources = familySources(site, vendor).filter(({ family }) => telling.has(family));
    const match = sources.map((source) => select({ matchers }, source.metric, source.match));
    const question = { kind: 'labelValues', label, match, start: now - lookBackS, end: now } as const;
    // Without the user's signal: others wait for the same search.
    const { rows } = await (user ? user.counted({ island, cluster: null, what }, question, ask) : ask(question));
    return rows.map(({ labels }) => labels[label]!).filter((value) => value !== '');
  };
  const unlabelled: Matcher = { label: site.clusterLabel, op: '=', value: '' };
  const each = await Promise.all(
    vendors.map(async (vendor) => ({
      vendor,
      named: await valuesOf(site.clusterLabel, vendor, []),
      others: await valuesOf('__name__', vendor, [unlabelled]),
    })),
  );

  const clusters = new Map<string, ClusterSite>();
  const add = (name: string, vendor: Vendor, matchers: readonly Matcher[]): void => {
    if (clusters.has(name))
      log({ level: 'warn', event: 'a cluster has GPUs of both makers; it needs a configuration', cluster: name });
    else clusters.set(name, { name, island, vendor, model: null, matchers, exported: [] });
  };
  const labelled = new Set(each.flatMap(({ named }) => named));
  for (const name of labelled) {
    if (!clusterName.test(name))
      log({ level: 'warn', event: 'a cluster is left out: it needs a configuration to have a name', cluster: name });
  }
  for (const { vendor, named } of each) {
    for (const name of named)
      if (clusterName.test(name)) add(name, vendor, [{ label: site.clusterLabel, op: '=', value: name }]);
  }
  // Alone in the store they may take all of it: other exporters' series belong to them, whatever they carry.
  const rest = labelled.size === 0 ? [] : [unlabelled];
  const name = freeName(labelled);
  for (const { vendor, others } of each) if (others.length > 0) add(name, vendor, rest);
  return [...clusters.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** For the GPUs without a cluster label, where a cluster may be labelled `default` as well. */
function freeName(taken: ReadonlySet<string>): string {
  let name = 'default';
  for (let i = 2; taken.has(name); i += 1) name = `default-${i}`;
  return name;
}
