import type { Family } from '../domain/fleet.ts';
import { gpuGauges } from '../readings/gpu-gauges.ts';
import type { Coverage } from '../reads/coverage.ts';
import { reportsXid } from '../reads/xid-source.ts';
import type { Gap } from '../samples/silence.ts';
import { formatInstant } from '../window/instant.ts';
import type { ClusterInWindow, Operation } from './operation.ts';
import type { NodeInWindow } from './refs.ts';
import { xidOf } from './xid.ts';

/** Families that dcgm-exporter's stock list leaves out. */
const optIn = new Set<Family>(['THROTTLE_VIOLATIONS', 'ECC', 'SM_ACTIVE', 'CLOCK_EVENTS', 'LINK_ERRORS']);
const namedAtMost = 20;

/** What there is to say about one node; null where there is nothing. */
export async function noteOfNode(node: NodeInWindow, operation: Operation): Promise<string | null> {
  const { of, entry } = node;
  const [silent, stale, coverage] = await Promise.all([
    silentOf(node),
    staleXids(node),
    of.load.coverage({ node: entry.name }),
  ]);
  await operation.readings.still();
  const unknown = [...(of.unknown.get(entry.name) ?? [])].map((what) => `There is no ${what} on this node.`);
  return joined([...silent, ...unknown, ...discardsOf(of, entry.name), ...stale, ...missingOf(of, coverage)]);
}

/** The same over all nodes of a cluster, shorter. */
export async function noteOfCluster(cluster: ClusterInWindow, operation: Operation): Promise<string | null> {
  const { nodes } = await cluster.view.inventory();
  if (nodes.length === 0) return nothingHere;
  const each = nodes.map((entry) => ({ of: cluster, entry }));
  return joined(
    await aboutNodes(cluster, each, operation, () =>
      [...(cluster.unknown.get('') ?? [])].map((name) => `There is no node ${JSON.stringify(name)} in this cluster.`),
    ),
  );
}

/**
 * What there is to say about several nodes as one target.
 *
 * @param besides  what else there is to say, once everything is read
 */
export async function aboutNodes(
  cluster: ClusterInWindow,
  nodes: readonly NodeInWindow[],
  operation: Operation,
  besides: () => readonly string[] = () => [],
): Promise<string[]> {
  const [silent, coverages] = await Promise.all([
    Promise.all(nodes.map(async (node) => (await silentOf(node)).map((text) => `${node.entry.name}: ${text}`))),
    Promise.all(nodes.map(({ entry }) => cluster.load.coverage({ node: entry.name }))),
  ]);
  await operation.readings.still();
  const missing = new Set(coverages.flatMap((coverage) => coverage?.missing ?? []));
  const present = new Set(coverages.flatMap((coverage) => coverage?.present ?? []));
  const nowhere = { present: [...present], missing: [...missing].filter((family) => !present.has(family)) };
  const discards = nodes.flatMap(({ entry: { name } }) => discardsOf(cluster, name).map((text) => `${name}: ${text}`));
  return [...shortened(silent.flat()), ...besides(), ...shortened(discards), ...missingOf(cluster, nowhere)];
}

const nothingHere =
  'The store holds nothing of this cluster in the window or in the day before it. Does it keep that long, and is the name, the maker, or what the configuration says the cluster matches right?';

export const joined = (sentences: readonly string[]): string | null =>
  sentences.length > 0 ? sentences.join(' ') : null;

export const shortened = (sentences: readonly string[]): string[] =>
  sentences.length <= namedAtMost
    ? [...sentences]
    : [
        ...sentences.slice(0, namedAtMost),
        `${sentences.length - namedAtMost} more like these; see the note of each node.`,
      ];

async function silentOf({ of, entry }: NodeInWindow): Promise<string[]> {
  const { heartbeat } = await of.view.inventory();
  const indexes = [...entry.gpus.keys()];
  const [gpus, host] = await Promise.all([
    Promise.all(indexes.map((index) => of.load.gpuPresence({ node: entry.name, index }))),
    of.load.hostPresence({ node: entry.name }),
  ]);
  const family = heartbeat ? gpuGauges[heartbeat.name].family : 'readings';
  const dead = indexes.filter((_, i) => !gpus[i]?.present);
  const sentences: string[] = [];
  if (indexes.length > 1 && dead.length === indexes.length)
    sentences.push(
      heartbeat
        ? 'None of its GPUs reported anything in the window.'
        : `The store holds no ${of.view.cluster.vendor} readings of its GPUs: either no exporter is scraped, or the configuration names the wrong maker.`,
    );
  else sentences.push(...dead.map((index) => `GPU ${index} reported nothing in the window.`));
  for (const [i, index] of indexes.entries()) {
    const presence = gpus[i];
    if (presence?.present && presence.silent.length > 0)
      sentences.push(`GPU ${index} reported no ${family} ${stretches(presence.silent, of)}.`);
  }
  if (host && !host.present) sentences.push('Its host reported nothing in the window.');
  else if (host && host.silent.length > 0) sentences.push(`Its host reported nothing ${stretches(host.silent, of)}.`);
  else if (!host && entry.gpus.size === 0) sentences.push('Kubernetes knows it, but no exporter of it was seen.');
  return sentences;
}

export const stretches = (gaps: readonly Gap[], { view }: ClusterInWindow): string =>
  shortened(
    gaps.map(({ from, to }) => {
      const [since, until] = [from, to].map((time) => formatInstant(Math.floor(time)));
      return to >= view.until
        ? `since ${since}, and was still silent at the end`
        : from <= view.window.start
          ? `until ${until}`
          : `from ${since} to ${until}, when it came back`;
    }),
  ).join(', ');

async function staleXids(node: NodeInWindow): Promise<string[]> {
  if (!(await reportsXid(node.of.view))) return [];
  const entries = [...node.entry.gpus.values()];
  const xids = await Promise.all(entries.map((entry) => xidOf({ node, entry })));
  return entries.flatMap(({ index }, i) => {
    const stale = xids[i]?.stale;
    return stale
      ? [`GPU ${index} still shows XID ${stale}, of an event older than the window; it is not counted.`]
      : [];
  });
}

function discardsOf({ view }: ClusterInWindow, name: string): string[] {
  return [...view.discarded.values()]
    .filter(({ node }) => node === name)
    .map(
      ({ what, count }) =>
        `${count} ${count === 1 ? 'sample' : 'samples'} of ${what} discarded: not values that it can have.`,
    );
}

export function missingOf({ view }: ClusterInWindow, coverage: Coverage | null): string[] {
  const missing = coverage?.missing ?? [];
  // Those that a stock list of dcgm-exporter's leaves out; AMD's exporter prints all that it can.
  const isOptIn = (family: Family) => view.cluster.vendor === 'NVIDIA' && optIn.has(family);
  const listed = missing.filter(isOptIn);
  const others = missing.filter(
    (family) => !isOptIn(family) && family !== 'XID' && family !== 'HEALTH_EPISODES' && family !== 'NORTH_SOUTH',
  );
  return [
    ...(listed.length > 0
      ? [`Missing: ${listed.join(', ')}; the exporter does not print them unless its list of counters turns them on.`]
      : []),
    ...(others.length > 0 ? [`Missing: ${others.join(', ')}; the store holds no reading in the window.`] : []),
    ...(missing.includes('XID')
      ? [
          'Missing: XID; newer exporters print it only after a first fault. If this exporter reports XIDs, say so in the configuration: exported: [xid].',
        ]
      : []),
    ...(missing.includes('HEALTH_EPISODES') ? ['Missing: HEALTH_EPISODES; the store holds no alerting history.'] : []),
  ];
}
