import { isText, keysOf, listOf, type Keys } from './document.ts';
import type { Fault } from './fault.ts';

/** Two organizations that name the same series of the same store would read each other's telemetry. */
export function sharedClusterFaults(root: Keys, organizations: readonly Keys[]): Fault[] {
  const label = keysOf(root['labels'])['cluster'];
  const owners = new Map<string, number>();
  return organizations.flatMap((organization, i) =>
    listOf(organization['clusters']).flatMap((value, j) => {
      const cluster = keysOf(value);
      if (!isText(cluster['island']) || !isText(cluster['name'])) return [];
      const series = seriesOf(cluster, isText(label) ? label : 'cluster');
      const owner = owners.get(series) ?? i;
      owners.set(series, owner);
      if (owner === i) return [];
      const key = cluster['match'] === undefined ? 'name' : 'match';
      const message = `means the same series as a cluster of organizations[${owner}]; each belongs to one organization`;
      return [{ path: ['organizations', i, 'clusters', j, key], message }];
    }),
  );
}

/** Its island and matchers, however they are written. */
function seriesOf({ island, name, match }: Keys, label: string): string {
  const matchers = Object.entries(match === undefined ? { [label]: name } : keysOf(match)).map(([of, value]) => {
    const { op, value: text } = typeof value === 'object' ? keysOf(value) : { op: '=', value };
    return [of, op, String(text)];
  });
  return JSON.stringify([island, ...matchers.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}
