import type { Source } from '../domain/site.ts';
import { clockEventBits, gpuEvents, type GpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import { cover } from '../samples/cover.ts';
import { beginnings, codeChanges, type Happening, risingBits } from '../samples/events.ts';
import { baselineReachS, rises } from '../samples/increase.ts';
import { between } from '../samples/stream.ts';
import { promql, type ScopedQuery, since } from '../scope/scope.ts';
import { blanksIn, byDevice, countersOf } from './by-device.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { inUse } from './discovery.ts';
import { foldGauge, type ScaledRow } from './fold.ts';
import type { Step } from './gauge-plan.ts';
import { readHeartbeats, scrapedBefore } from './heartbeat.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** How often something happened between two samples (epoch seconds), in the exporter's word for it. */
export interface GpuEvent {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly count: number;
}

/** What happened to one GPU in the window. `stale` is a code that a gauge still shows of an event before the window. */
export interface GpuEventLog {
  readonly events: readonly GpuEvent[];
  readonly stale: string | null;
}

/** Events of one GPU from one source, and since when that source has had a word for it. */
interface Told extends GpuEventLog {
  readonly rank: number;
  readonly since: number;
}

/**
 * XID faults or clock events of many GPUs.
 *
 * Upstream, for each source in use: the series that there are, those of them that moved or show a code, then the raw
 * samples of just their GPUs and these GPUs' heartbeats.
 *
 * @returns by `gpuKey`, of the GPUs that have a series of it in the window; an error where just their samples did not come
 */
export async function readEvents(
  view: ClusterView,
  name: GpuEvents,
  targets: Targets,
): Promise<ReadonlyMap<string, GpuEventLog | Error>> {
  const { sources } = sourcesOf<Source>(view.site, name, gpuEvents[name], view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const { start, end } = view.window;
  const quiet: GpuEventLog = { events: [], stale: null };
  const named = await Promise.all(
    used.map((source) => askByGpu(view, [source], targets, (selector) => namingSteps(selector, source, start, end))),
  );
  const logs = new Map<string, GpuEventLog | Error>(
    named.flatMap((answers) => [...answers.keys()].map((key) => [key, quiet])),
  );
  const suspects = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    const moved = [...indexes].filter((index) =>
      named.some((answers) => answers.get(gpuKey(node, index))?.some(({ answers: kind }) => kind === 'moved')),
    );
    if (moved.length > 0) suspects.set(node, new Set(moved));
  }
  if (suspects.size === 0) return logs;

  const told = await readTold(view, name, used, suspects).catch((error: Error) => error);
  for (const [node, indexes] of suspects) {
    for (const key of [...indexes].map((index) => gpuKey(node, index))) {
      logs.set(key, told instanceof Error ? told : together(told.get(key) ?? []));
    }
  }
  return logs;
}

/** What each source says of the suspects, from their raw samples. */
async function readTold(view: ClusterView, name: GpuEvents, used: readonly Source[], suspects: Targets) {
  const { start, end } = view.window;
  const [heartbeats, ...bySource] = await Promise.all([
    readHeartbeats(view, suspects, baselineReachS),
    ...used.map(async (source) => {
      const raw = await askByGpu(view, [source], suspects, (selector) => [rawStep(selector, start, end)]);
      return { source, raw };
    }),
  ]);
  const told = new Map<string, Told[]>();
  for (const { source, raw } of bySource) {
    for (const [key, answers] of raw) {
      const rows = answers.flatMap((answer) => answer.rows);
      told.set(key, [...(told.get(key) ?? []), tell(view, name, key, source, rows, heartbeats.get(key) ?? [])]);
    }
  }
  return told;
}

/** The preferred source tells; others only of the time before it said anything, as before an exporter's upgrade. */
function together(told: readonly Told[]): GpuEventLog {
  const ranked = [...told].sort((a, b) => a.rank - b.rank);
  const events = ranked.flatMap((one) => {
    const better = Math.min(...ranked.filter(({ rank }) => rank < one.rank).map(({ since }) => since));
    return one.events.filter(({ to }) => to < better);
  });
  return { events, stale: events.length === 0 ? (ranked.find(({ stale }) => stale)?.stale ?? null) : null };
}

function namingSteps(selector: ScopedQuery, source: Source, start: number, end: number): Step[] {
  const ask = (answers: 'last' | 'moved', query: ScopedQuery): Step => ({
    answers,
    question: { kind: 'instant', query, time: end },
  });
  const shown = promql`last_over_time(${selector}[${since(end - start)}])`;
  const changed = promql`changes(${selector}[${since(end - start + baselineReachS)}]) > 0`;
  // A mask that stands still is no event, whatever it shows; a code or a count may have come up before its first sample.
  const moved = source.events === 'bitmask' ? changed : promql`(${changed}) or (${shown} > 0)`;
  return [ask('last', shown), ask('moved', moved)];
}

const rawStep = (selector: ScopedQuery, start: number, end: number): Step => ({
  answers: 'raw',
  question: { kind: 'instant', query: promql`${selector}[${since(end - start + baselineReachS)}]`, time: end },
});

function tell(
  view: ClusterView,
  name: GpuEvents,
  key: string,
  source: Source,
  rows: readonly ScaledRow[],
  heartbeats: readonly ScaledRow[],
): Told {
  const { start, end } = view.window;
  const { vendor } = view.cluster;
  const pace = view.pace();
  const { silentS } = pace;
  const watched = (device: string | null) => scrapedBefore(heartbeats, device, vendor, silentS);
  const kindOf = ({ row }: ScaledRow) => (row.labels[gpuEvents[name].codeLabel] ?? '').toUpperCase();
  const byKind = [...Map.groupBy(rows, kindOf)].filter(([kind]) => kind !== '');
  const told = (events: readonly GpuEvent[], stale: string | null = null): Told => {
    const firsts = rows.flatMap(({ row }) => row.times[0] ?? []);
    return { events, stale, rank: source.rank, since: Math.min(...firsts) };
  };
  if (source.events === undefined) {
    view.discardOf(key, name, blanksIn(rows, start));
    return told(
      byKind.flatMap(([kind, own]) =>
        countersOf(own, vendor, pace).flatMap(({ device, stream }) =>
          rises(stream, start, end, { counts: watched(device), againAfterS: silentS }).map(({ from, to, by }) => ({
            from,
            to,
            kind,
            count: by,
          })),
        ),
      ),
    );
  }
  const once =
    (kind: string) =>
    ({ from, to }: Happening): GpuEvent => ({ from, to, kind, count: 1 });
  if (source.events === 'sliding-count') {
    return told(
      byKind.flatMap(([kind, own]) => {
        const stream = cover(
          own.map(({ row }) => row),
          pace,
        );
        return beginnings(stream, start, end, 0, silentS, watched(null)).map(once(kind));
      }),
    );
  }
  const devices = [...byDevice(rows, vendor)].map(([device, own]) => {
    // Two exporters may remember different codes; each series is cleaned, and the streams cover each other.
    const clean = own.map((row) => foldGauge([row], { plausible: gpuEvents[name].plausible, across: 'same' }, vendor));
    view.discardOf(
      key,
      name,
      clean.reduce((sum, { discarded }) => sum + discarded, 0),
    );
    return {
      device,
      stream: cover(
        clean.map(({ stream }) => stream),
        pace,
      ),
    };
  });
  if (source.events === 'bitmask') {
    return told(
      devices.flatMap(({ stream }) =>
        risingBits(stream, start, end, clockEventBits.length).map((event) => once(clockEventBits[event.code]!)(event)),
      ),
    );
  }
  const events = devices.flatMap(({ device, stream }) =>
    codeChanges(stream, start, end, silentS, watched(device)).map((event) => once(String(event.code))(event)),
  );
  const shown = devices
    .flatMap(({ stream }) => between(stream, start, end).values.at(-1) ?? [])
    .find((code) => code > 0);
  return told(events, shown === undefined ? null : String(shown));
}
