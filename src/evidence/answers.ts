import type { Check, Family } from '../domain/fleet.ts';
import { familyOf, type FamilySource, familySources, readingSources } from '../readings/catalogue.ts';
import { inUse } from '../reads/discovery.ts';
import type { ClusterView } from '../reads/view.ts';
import { reportsXid } from '../reads/xid-source.ts';
import { type Heard, readHeard } from './heard.ts';
import { joined } from '../rules/span.ts';
import { type Need, needsOf } from './needs.ts';
import { gaugeFamily } from './streams.ts';
import type { Subject } from './subject.ts';

/** What was heard for one need of a check, by key: a `gpuKey`, or a node for hosts. */
export interface Answered {
  readonly check: Check;
  readonly need: Need;
  readonly of: Subject['of'];
  readonly heard: ReadonlyMap<string, Heard & { readonly family: Family }>;
  /** Of each of the check's own readings, of which GPUs or hosts the window has any sample. */
  readonly inputs: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Whether the families of a check answered for every GPU or host, without silence. */
export async function readAnswers(view: ClusterView, subject: Subject, check: Check): Promise<Answered[]> {
  const isQuiet = ({ families }: Need) => families.includes('XID');
  const { true: quiet = [], false: telling = [] } = Object.groupBy(
    needsOf[check][view.cluster.vendor],
    (need) => `${isQuiet(need)}` as const,
  );
  const told = await Promise.all(
    telling.map(async (need): Promise<Answered> => {
      const inputs = new Map(need.readings.map((name) => [name, new Set<string>()]));
      return { check, need, of: subject.of, heard: await heardOf(view, subject, need, inputs), inputs };
    }),
  );
  const heard = quiet.length > 0 ? await heardOfQuiet(view, subject, told) : new Map<string, never>();
  return [...told, ...quiet.map((need): Answered => ({ check, need, of: subject.of, heard, inputs: new Map() }))];
}

/**
 * Of faults, which show nothing while all is well: that the cluster's exporter reports them, and that the GPU itself was there
 * all the time. Something else that it said all the time tells of that.
 */
async function heardOfQuiet(
  view: ClusterView,
  subject: Subject,
  told: readonly Answered[],
): Promise<Answered['heard']> {
  if (!(await reportsXid(view))) return new Map();
  const said = (key: string) => told.flatMap(({ heard }) => heard.get(key) ?? []).find(({ whole }) => whole);
  const others = subject.only(subject.keys.filter((key) => !said(key)));
  const alive = await readAlive(view, others);
  return new Map(subject.keys.map((key) => [key, { ...(said(key) ?? alive.get(key) ?? absent), family: 'XID' }]));
}

/**
 * Those of which it is not proved that their series went on unchanged: what steps from one series to the next shows in none
 * alone. All of them where nobody listened.
 */
export const unsteady = (subject: Subject, answered: readonly Answered[]): Subject =>
  answered.length === 0
    ? subject
    : subject.only(
        subject.keys.filter((key) => answered.some(({ heard }) => heard.get(key)?.present && !heard.get(key)!.steady)),
      );

type Inputs = ReadonlyMap<string, Set<string>>;

async function heardOf(view: ClusterView, subject: Subject, need: Need, inputs: Inputs): Promise<Answered['heard']> {
  const found = new Map<string, Heard & { family: Family }>();
  let open = subject;
  for (const family of need.families) {
    if (open.keys.length === 0) break;
    for (const [key, heard] of await heardOfFamily(view, open, need, family, inputs)) {
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
 * Each of the check's own readings of a family is looked at for itself: one that fell silent blinds the check, whatever
 * others of the family go on saying. One that a GPU never had is a missing input, and no silence.
 */
async function heardOfFamily(
  view: ClusterView,
  subject: Subject,
  need: Need,
  family: Family,
  inputs: Inputs,
): Promise<ReadonlyMap<string, Heard>> {
  const names = await view.names();
  const { site, cluster } = view;
  const used = inUse(
    familySources(site, cluster.vendor).filter((source) => source.family === family),
    names,
  );
  const own = need.readings.filter((name) => familyOf(name) === family);
  const each = await Promise.all(
    own.map(async (name) => {
      const metrics = new Set(readingSources(site, cluster.vendor, name).map(({ metric }) => metric));
      const heard = await readSaid(
        view,
        subject,
        used.filter(({ metric }) => metrics.has(metric)),
      );
      for (const [key, { present }] of heard) if (present) inputs.get(name)!.add(key);
      return heard;
    }),
  );
  const speaks = each.some((heard) => [...heard.values()].some(({ present }) => present));
  // None of the check's own is there: whether any other of the family is.
  const told = speaks ? each : [await readSaid(view, subject, used)];
  return new Map(
    subject.keys.map((key) => {
      const heard = told.flatMap((one) => one.get(key) ?? []);
      const present = heard.filter((one) => one.present);
      return [key, present.length > 0 ? together(present) : (heard[0] ?? absent)];
    }),
  );
}

/**
 * What counts or shows events has a series only while there are any: that it said something in the window is enough,
 * where the GPU itself was there all the time.
 */
async function readSaid(
  view: ClusterView,
  subject: Subject,
  sources: readonly FamilySource[],
): Promise<ReadonlyMap<string, Heard>> {
  if (sources.length === 0) return new Map();
  const lasting = sources.filter(({ family, events }) => family !== 'CLOCK_EVENTS' || events === 'bitmask');
  const heard = await readHeard(view, subject, lasting.length > 0 ? lasting : sources);
  if (lasting.length > 0) return heard;
  const alive = await readAlive(view, subject);
  return new Map([...heard].map(([key, own]) => [key, own.present ? (alive.get(key) ?? own) : own]));
}

/** Whether the GPUs themselves were there, whatever they read. */
async function readAlive(view: ClusterView, subject: Subject): Promise<ReadonlyMap<string, Heard>> {
  const { heartbeat } = subject.inventory;
  if (!heartbeat || subject.keys.length === 0) return new Map();
  const sources = await gaugeFamily(view, heartbeat.name);
  return readHeard(
    view,
    subject,
    sources.map((source) => ({ ...source, plausible: [0, Number.MAX_SAFE_INTEGER] as const })),
  );
}

const absent: Heard = { whole: false, steady: false, present: false, silent: null };

const together = (heard: readonly Heard[]): Heard => ({
  whole: heard.every(({ whole }) => whole),
  steady: heard.every(({ steady }) => steady),
  present: true,
  silent: heard.some(({ silent }) => silent === null) ? null : joined(heard.flatMap(({ silent }) => silent ?? [])),
});
