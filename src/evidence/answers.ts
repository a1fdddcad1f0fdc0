import type { Check, Family } from '../domain/fleet.ts';
import { familyOf, type FamilySource, familySources, heartbeatSources, readingSources } from '../readings/catalogue.ts';
import { inUse } from '../reads/discovery.ts';
import type { ClusterView } from '../reads/view.ts';
import { reportsXid } from '../reads/xid-source.ts';
import { type Heard, readHeard } from './heard.ts';
import { joined } from '../rules/span.ts';
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
    for (const [key, heard] of await heardOfFamily(view, open, need, family)) {
      const before = found.get(key);
      if (!before || heard.whole || (!before.present && heard.present)) found.set(key, { ...heard, family });
    }
    open = subject.only(subject.keys.filter((key) => !isServed(found.get(key), need)));
  }
  return found;
}

/**
 * Each of the check's own readings of a family is looked at for itself: one that fell silent blinds the check, whatever
 * others of the family go on saying. One that a GPU never had is a missing input, and no silence.
 */
async function heardOfFamily(
  view: ClusterView,
  subject: Subject,
  need: Need,
  family: Family,
): Promise<ReadonlyMap<string, Heard>> {
  const inputs = await inputsOf(view, need, family);
  const each = await Promise.all(inputs.map((sources) => readHeard(view, subject, sources)));
  return new Map(
    subject.keys.map((key) => {
      const heard = each.flatMap((one) => one.get(key) ?? []);
      const present = heard.filter((one) => one.present);
      return [key, present.length > 0 ? together(present) : (heard[0] ?? absent)];
    }),
  );
}

const absent: Heard = { whole: false, present: false, silent: null };

const together = (heard: readonly Heard[]): Heard => ({
  whole: heard.every(({ whole }) => whole),
  present: true,
  silent: heard.some(({ silent }) => silent === null) ? null : joined(heard.flatMap(({ silent }) => silent ?? [])),
});

const isServed = (heard: Heard | undefined, { standIn }: Need): boolean =>
  heard !== undefined && (standIn ? heard.present : heard.whole);

/**
 * The sources of each of the check's own readings of a family; where none of these is there, of any other of the family.
 * Where a family says something only when something happens, that it is reported at all is known of the cluster, and its
 * GPUs must have been there.
 */
async function inputsOf(view: ClusterView, { readings }: Need, family: Family): Promise<FamilySource[][]> {
  const { site, cluster } = view;
  const names = await view.names();
  const all = familySources(site, cluster.vendor).filter((source) => source.family === family);
  const used = inUse(all, names);
  const isQuiet = ({ events }: FamilySource) => family === 'XID' || (family === 'CLOCK_EVENTS' && events !== 'bitmask');
  const told = used.filter((source) => !isQuiet(source));
  if (family === 'XID' ? await reportsXid(view) : used.some(isQuiet) && told.length === 0) {
    const alive = inUse(heartbeatSources(site, cluster.vendor), names);
    return [alive.map((source) => ({ ...source, family, plausible: [0, Number.MAX_SAFE_INTEGER], of: 'gpu' }))];
  }
  const own = readings.filter((name) => familyOf(name) === family);
  const inputs = own.map((name) => {
    const metrics = new Set(readingSources(site, cluster.vendor, name).map(({ metric }) => metric));
    return told.filter(({ metric }) => metrics.has(metric));
  });
  const served = inputs.filter((sources) => sources.length > 0);
  return served.length > 0 ? served : told.length > 0 ? [told] : [];
}

/** Of a family that answers in part: the check's own readings that no metric serves. */
async function missingInputs(view: ClusterView, { readings }: Need): Promise<string[]> {
  const { site, cluster } = view;
  const names = await view.names();
  const present = new Set(inUse(familySources(site, cluster.vendor), names).map(({ family }) => family));
  const isServed = (name: string) => inUse(readingSources(site, cluster.vendor, name), names).length > 0;
  return readings.filter((name) => present.has(familyOf(name)) && !isServed(name));
}
