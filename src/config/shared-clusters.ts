import { isText, keysOf, listOf, type Keys } from './document.ts';
import type { Fault } from './fault.ts';
import { wholePattern } from './pattern.ts';

/** A cluster of the document, and what tells its series apart: by label, an operator and a value. */
interface Held {
  /** Which organization's; null for the pool that an island lends. */
  readonly owner: number | null;
  readonly island: string;
  readonly matchers: ReadonlyMap<string, { readonly op: string; readonly value: string }>;
}

/**
 * Two organizations that name the same series of the same store would read each other's telemetry, and one that names the
 * lent pool's would read more of it than its temperature. What can be told from the matchers alone is told: that those of one
 * take all that those of another mean.
 */
export function sharedClusterFaults(root: Keys, organizations: readonly Keys[]): Fault[] {
  const given = keysOf(root['labels'])['cluster'];
  const label = isText(given) ? given : 'cluster';
  const held: Held[] = listOf(root['islands'])
    .map(keysOf)
    .flatMap((island) => lentBy(island, label));
  return organizations.flatMap((organization, owner) =>
    listOf(organization['clusters']).flatMap((value, j) => {
      const cluster = keysOf(value);
      if (!isText(cluster['island']) || !isText(cluster['name'])) return [];
      const own = { owner, island: cluster['island'], matchers: matchersOf(cluster, label) };
      const other = held.find((each) => {
        if (each.owner === owner || !(takes(each, own) || takes(own, each))) return false;
        // What is just the same is a cluster that its owner lends.
        return each.owner !== null || !(takes(each, own) && takes(own, each));
      });
      held.push(own);
      if (other === undefined) return [];
      const key = cluster['match'] === undefined ? 'name' : 'match';
      const message =
        other.owner === null
          ? "means series of its island's sharedPool beside others; what is lent is readable in no other way"
          : `means the same series as a cluster of organizations[${other.owner}]; each belongs to one organization`;
      return [{ path: ['organizations', owner, 'clusters', j, key], message }];
    }),
  );
}

function lentBy({ name: island, sharedPool }: Keys, label: string): Held[] {
  if (!isText(island)) return [];
  return listOf(sharedPool).map((member) => {
    const { cluster: name, match } =
      typeof member === 'string' ? { cluster: member, match: undefined } : keysOf(member);
    return { owner: null, island, matchers: matchersOf({ name, match }, label) };
  });
}

/** However they are written. */
function matchersOf({ name, match }: Keys, label: string): Held['matchers'] {
  return new Map(
    Object.entries(match === undefined ? { [label]: name } : keysOf(match)).map(([of, value]) => {
      const { op, value: text } = typeof value === 'object' ? keysOf(value) : { op: '=', value };
      return [of, { op: String(op), value: String(text) }] as const;
    }),
  );
}

/** Whether the matchers of one take every series that the other's do. */
function takes(one: Held, other: Held): boolean {
  // One without matchers is the whole store, which is a fault of its own.
  if (one.island !== other.island || one.matchers.size === 0) return false;
  return [...one.matchers].every(([label, { op, value }]) => {
    const given = other.matchers.get(label);
    if (given === undefined) return false;
    if (given.op === op && given.value === value) return true;
    if (given.op !== '=') return false;
    const isSame = op.endsWith('~') ? wholePattern(value)?.test(given.value) === true : value === given.value;
    return op.startsWith('!') ? !isSame : isSame;
  });
}
