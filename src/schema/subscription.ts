import { flagKinds } from '../domain/fleet.ts';
import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import { isBehind } from '../live/changes.ts';
import { knownAfter, questionMark } from '../live/cursor.ts';
import { type Known, nothing } from '../live/known.ts';
import type { Moment } from '../live/moment.ts';
import { ranges } from '../window/window.ts';
import { builder } from './builder.ts';
import { FlagKindEnum, SeverityEnum } from './enums.ts';
import { stepAfter } from './flag-steps.ts';
import { burnsFor, type FlagLook, liveRange, lookAtFlags } from './live-flags.ts';
import { checkMinutes, lookAtReadings } from './live-readings.ts';
import { checkName } from './names.ts';
import type { Operation } from './operation.ts';
import { type FlagChange, FlagChangeRef, type LiveReadings, ReadingsRef } from './refs.ts';
import { subscribed } from './subscriber.ts';

/** The value of an event; what could not be told is an error of the event's field. */
function told<Value>({ value }: Moment<Operation, Value>): Value {
  if (value instanceof Error) throw value;
  return value;
}

async function siteOf(
  { cluster, island }: { readonly cluster: string; readonly island?: string | null | undefined },
  operation: Operation,
): Promise<ClusterSite> {
  checkName('cluster', cluster);
  return operation.find(cluster, island);
}

/** What tells a question from others of its organization. Operators may see more. */
const questionOf = (what: string, { isOperator }: Operation, { island, name }: ClusterSite, more: unknown): string =>
  JSON.stringify([what, isOperator, island, name, more]);

/** Windows that end now lie on a grid of half a minute. */
const leastS = 30;

const named = {
  cluster: { required: true, description: 'Its name. NOT_FOUND where the organization has none of that name.' },
  island: { description: 'Needed where two islands have a cluster of that name.' },
} as const;

builder.subscriptionType({
  description:
    'What goes on, as a stream of events (text/event-stream). An event that could not be told is null with an error, and the stream goes on; a stream that ends says why in its last event.',
  fields: (t) => ({
    flagChanges: t.field({
      type: FlagChangeRef,
      description:
        'Flags of a cluster as they are raised, change and are cleared. First of all those that burn already, then CURRENT, then what happens. While the store does not answer, or not wholly, there is an error instead, and nothing is called cleared.',
      args: {
        cluster: t.arg.string(named.cluster),
        island: t.arg.string(named.island),
        kinds: t.arg({
          type: [FlagKindEnum],
          description: 'Only these are checked, and asked of the store; all where left out.',
        }),
        minSeverity: t.arg({
          type: SeverityEnum,
          defaultValue: 'WARN',
          description: 'Flags that are less serious are not told. One that was told is followed until it is over.',
        }),
        after: t.arg.string({
          description:
            'The cursor of an event: only what happened since is told, what was raised and cleared meanwhile as both. BAD_REQUEST where it is of another question, or older than five and a half hours.',
        }),
      },
      subscribe: async (_root, args, operation) => {
        const site = await siteOf(args, operation);
        const least = args.minSeverity ?? 'WARN';
        const kinds = args.kinds ? flagKinds.filter((kind) => args.kinds!.includes(kind)) : null;
        const mark = questionMark([operation.organization.name, site.island, site.name, kinds, least]);
        const everyS = everyOf(operation, site);
        let known = args.after == null ? nothing : reachable(knownAfter(args.after, mark), operation, everyS);
        return subscribed<FlagLook, FlagChange>(
          operation,
          {
            organization: operation.organization.name,
            key: questionOf('flags', operation, site, kinds),
            everyS,
            evaluate: (signal, before) => lookAtFlags(operation.anew(signal), site, kinds, before),
          },
          (look, wasInDoubt) => {
            if (isBehind(look, known)) return undefined;
            const step = stepAfter(known, look, least, mark);
            known = step.known;
            if (!look.isWhole) return { moments: step.moments, doubt: partial() };
            return { moments: wasInDoubt ? [...step.moments, step.current] : step.moments };
          },
        );
      },
      resolve: (moment) => told(moment as Moment<Operation, FlagChange>),
    }),
    readings: t.field({
      type: ReadingsRef,
      description: 'Readings of a cluster, each time that its exporters are scraped.',
      args: {
        cluster: t.arg.string(named.cluster),
        island: t.arg.string(named.island),
        nodes: t.arg.stringList({ description: 'Names of the nodes that Readings.nodes shows; all where left out.' }),
        minutes: t.arg.int({
          defaultValue: 5,
          description:
            'Length of the window that ends now, 1 to 60 minutes. A series has a bucket for each, at most 48.',
        }),
      },
      subscribe: async (_root, args, operation) => {
        const site = await siteOf(args, operation);
        const minutes = args.minutes ?? 5;
        checkMinutes(minutes);
        for (const name of args.nodes ?? []) checkName('node', name);
        return subscribed(
          operation,
          {
            organization: operation.organization.name,
            key: questionOf('readings', operation, site, minutes),
            everyS: everyOf(operation, site, 1),
            evaluate: (signal) => lookAtReadings(operation.anew(signal), site, minutes),
          },
          (look) => ({
            moments: [{ operation: look.operation, value: { ...look, names: args.nodes ?? null } as LiveReadings }],
          }),
        );
      },
      resolve: (moment) => told(moment as Moment<Operation, LiveReadings>),
    }),
  }),
});

function everyOf({ gateway: { site } }: Operation, { vendor }: ClusterSite, least = leastS): number {
  const { amd, dcgm, nodeExporter } = site.exporters;
  return Math.max(least, Math.min((vendor === 'AMD' ? amd : dcgm).scrapeIntervalS, nodeExporter.scrapeIntervalS));
}

/** What burned at the time of the cursor must lie in the window, with what came after it. */
function reachable(known: Known, { now }: Operation, everyS: number): Known {
  if (known.seen !== null && known.seen > now + clocksApartS) {
    throw new Refusal(
      'BAD_REQUEST',
      'after is from a time that has not come here yet: the clocks of two gateways differ. Subscribe without it.',
    );
  }
  const backS = ranges[liveRange] - burnsFor(everyS) - cursorSlackS;
  if (known.at === null || now - known.at <= backS) return known;
  throw new Refusal(
    'BAD_REQUEST',
    `after is from ${Math.round((now - known.at) / 60)} minutes ago, and what happened since cannot be told after ${Math.floor(backS / 60)}. Subscribe without it; flags of the time between are in Cluster.flags.`,
  );
}
const cursorSlackS = 900;
const clocksApartS = 60;

const partial = (): Refusal =>
  new Refusal(
    'METRICS_UNAVAILABLE',
    'The store left something out of its answers: flags may be missing, and none is called cleared until it is whole again.',
  );
