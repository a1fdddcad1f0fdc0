import { credentialFaults } from './credentials.ts';
import { isText, keysOf, listOf, type Keys } from './document.ts';
import { exclusiveStoreFaults } from './exclusive-stores.ts';
import type { Fault } from './fault.ts';
import { suggestion } from './nearest.ts';
import { sharedClusterFaults } from './shared-clusters.ts';

/**
 * What must agree between one place of the document and another.
 *
 * It looks at the document before its shape is known to be right, so that these faults are named together with those.
 */
export function disagreements(
  document: unknown,
  knownReadings: readonly string[] | undefined,
  tokensInFiles: ReadonlyMap<number, readonly string[]>,
): Fault[] {
  const root = keysOf(document);
  const islands = listOf(root['islands']).map(keysOf);
  const organizations = listOf(root['organizations']).map(keysOf);
  return [
    ...repeats(islands, 'name').map(({ i, name }) => ({
      path: ['islands', i, 'name'],
      message: `a second island is named "${name}"; names tell islands apart`,
    })),
    ...repeats(organizations, 'name').map(({ i, name }) => ({
      path: ['organizations', i, 'name'],
      message: `a second organization is named "${name}"; names tell organizations apart`,
    })),
    ...organizations.flatMap((organization, i) => clusterFaults(organization, i, islands)),
    ...sharedClusterFaults(root, organizations),
    ...wholeStoreFaults(organizations, islands),
    ...exclusiveStoreFaults(organizations, islands),
    ...credentialFaults(root, organizations, tokensInFiles),
    ...readingFaults(root, knownReadings),
  ];
}

function clusterFaults(organization: Keys, i: number, islands: readonly Keys[]): Fault[] {
  const names = [...new Set(islands.map(({ name }) => name).filter(isText))];
  const clusters = listOf(organization['clusters']).map(keysOf);
  const at = (j: number, key: string) => ['organizations', i, 'clusters', j, key];
  const strangers = clusters.flatMap(({ island }, j) =>
    isText(island) && names.length > 0 && !names.includes(island)
      ? [{ path: at(j, 'island'), message: `no island is named "${island}"${suggestion(island, names)}` }]
      : [],
  );
  const identified = clusters.map(({ name, island }) => ({
    name: isText(name) ? `${name} on ${String(island)}` : null,
  }));
  const twins = repeats(identified, 'name').map(({ i: j, name }) => ({
    path: at(j, 'name'),
    message: `the cluster ${name} is named twice in this organization`,
  }));
  return [...strangers, ...twins];
}

/** A cluster with `match: {}` is its whole store: whatever else lives there would be shown under its name. */
function wholeStoreFaults(organizations: readonly Keys[], islands: readonly Keys[]): Fault[] {
  const clusters = organizations.flatMap((organization, i) =>
    listOf(organization['clusters'])
      .map(keysOf)
      .map(({ island, match }, j) => ({ island, match, path: ['organizations', i, 'clusters', j, 'match'] })),
  );
  const neighbours = (island: unknown): number =>
    clusters.filter((cluster) => cluster.island === island).length +
    listOf(islands.find(({ name }) => name === island)?.['sharedPool']).length;
  return clusters
    .filter(({ match, island }) => isEmpty(match) && neighbours(island) > 1)
    .map(({ path }) => ({
      path,
      message: 'is empty, which means the whole store, but other clusters live there; give what tells this one apart',
    }));
}

function readingFaults(root: Keys, known: readonly string[] | undefined): Fault[] {
  if (known === undefined) return [];
  return Object.keys(keysOf(root['readings']))
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: ['readings', name], message: `there is no reading "${name}"${suggestion(name, known)}` }));
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function repeats(items: readonly Keys[], key: string): { i: number; name: string }[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, i) => {
    const name = item[key];
    if (isText(name) && seen.has(name)) return [{ i, name }];
    seen.add(name);
    return [];
  });
}
