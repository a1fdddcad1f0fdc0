import type { Check, Family } from '../domain/fleet.ts';
import { familyOf, type FamilySource, familySources, heartbeatSources, readingSources } from '../readings/catalogue.ts';
import { inUse } from '../reads/discovery.ts';
import type { ClusterView } from '../reads/view.ts';
import { reportsXid } from '../reads/xid-source.ts';
import { type Heard, readHeard } from './heard.ts';
import { type Need, needsOf } from './needs.ts';
import type { Subject } from './subject.ts';

/** What was heard for one need of a check, by key: a `gpuKey`, or a node for hosts. */
export interface Answered {
  readonly check: Check;
  readonly need: Need;
  readonly of: Subject['of'];
  readonly heard: ReadonlyMap<string, Heard & { readonly family: Family }>;
  /** The check's own readings that no metric serves, though their family has some. */
  readonly missingInputs: readonly string[];
}

/** Whether the families of a check answered for every GPU or host, without silence. */
export async function readAnswers(view: ClusterView, subject: Subject, check: Check): Promise<Answered[]> {
  return Promise.all(
    needsOf[check][view.cluster.vendor].map(async (need) => ({
      check,
      need,
      of: subject.of,
      heard: await heardOf(view, subject, need),
      missingInputs: await missingInputs(view, need),
    })),
  );
}

async function heardOf(view: ClusterView, subject: Subject, need: Need): Promise<Answered['heard']> {
  const found = new Map<string, Heard & { family: Family }>();
  let open = subject;
  for (const family of need.families) {
    if (open.keys.length === 0) break;
    const sources = await sourcesFor(view, need, family);
    for (const [key, heard] of await readHeard(view, open, sources)) {
      const before = found.get(key);
      if (!before || heard.whole || (!before.present && heard.present)) found.set(key, { ...heard, family });
    }
    open = subject.only(subject.keys.filter((key) => !isServed(found.get(key), need)));
  }
  return found;
}

const isServed = (heard: Heard | undefined, { standIn }: Need): boolean =>
  heard !== undefined && (standIn ? heard.present : heard.whole);

/**
 * The sources that tell whether a family answered, those of the check's own readings first. Where a family says something
 * only when something happens, that it is reported at all is known of the cluster, and its GPUs must have been there.
 */
async function sourcesFor(view: ClusterView, { readings }: Need, family: Family): Promise<FamilySource[]> {
  const { site, cluster } = view;
  const all = familySources(site, cluster.vendor).filter((source) => source.family === family);
  const used = inUse(all, await view.names());
  const isQuiet = ({ family: of, events }: FamilySource) =>
    of === 'XID' || (of === 'CLOCK_EVENTS' && events !== 'bitmask');
  const told = used.filter((source) => !isQuiet(source));
  const quiet = family === 'XID' ? await reportsXid(view) : used.some(isQuiet);
  const alive = heartbeatSources(site, cluster.vendor).map((source) => ({
    ...source,
    family,
    plausible: [0, Number.MAX_SAFE_INTEGER] as const,
    of: 'gpu' as const,
  }));
  const own = new Set(
    readings.flatMap((name) => readingSources(site, cluster.vendor, name).map(({ metric }) => metric)),
  );
  const first = told.filter(({ metric }) => own.has(metric));
  return [
    ...first,
    ...told.filter((source) => !first.includes(source)),
    ...(quiet ? inUse(alive, await view.names()) : []),
  ];
}

/** Of a family that answers in part: the check's own readings that no metric serves. */
async function missingInputs(view: ClusterView, { readings }: Need): Promise<string[]> {
  const { site, cluster } = view;
  const names = await view.names();
  const present = new Set(inUse(familySources(site, cluster.vendor), names).map(({ family }) => family));
  const isServed = (name: string) => inUse(readingSources(site, cluster.vendor, name), names).length > 0;
  return readings.filter((name) => present.has(familyOf(name)) && !isServed(name));
}
