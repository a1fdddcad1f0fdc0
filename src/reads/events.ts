import type { Source } from '../domain/site.ts';
import { clockEventBits, gpuEvents, type GpuEvents } from '../readings/gpu-counters.ts';
import { sourcesOf } from '../readings/reading.ts';
import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { baselineS, cover, rises } from '../samples/increase.ts';
import { beginnings, codeChanges, risingBits } from '../samples/events.ts';
import { silentAfterS } from '../samples/silence.ts';
import { between } from '../samples/stream.ts';
import { promql, since, type ScopedQuery } from '../scope/scope.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { counters } from './counter-rises.ts';
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

/**
 * XID faults or clock events of many GPUs.
 *
 * Upstream, for each source in use: the series that moved, were born or show a code, then the raw samples of just their
 * GPUs; one more request where something was born.
 *
 * @returns by `gpuKey`, of the GPUs that a source says anything about; a GPU that has been well is left out, except
 *          where its bit mask shows it
 */
export async function readEvents(
  view: ClusterView,
  name: GpuEvents,
  targets: Targets,
): Promise<ReadonlyMap<string, GpuEventLog>> {
  const { sources } = sourcesOf<Source>(view.site, name, gpuEvents[name], view.cluster.vendor);
  const used = inUse(sources, await view.names());
  const { start, end } = view.window;
  const named = await askByGpu(view, used, targets, (selector, source) => namingSteps(selector, source, start, end));
  const suspects = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    const moved = [...indexes].filter((index) =>
      named.get(gpuKey(node, index))?.some(({ answers }) => answers === 'moved'),
    );
    if (moved.length > 0) suspects.set(node, new Set(moved));
  }
  const quiet: GpuEventLog = { events: [], stale: null };
  const logs = new Map<string, GpuEventLog>([...named.keys()].map((key) => [key, quiet]));
  if (suspects.size === 0) return logs;

  const [heartbeats, ...bySource] = await Promise.all([
    readHeartbeats(view, suspects, baselineS),
    ...used.map(async (source) => ({
      source,
      raw: await askByGpu(view, [source], suspects, (selector) => [rawStep(selector, start, end)]),
    })),
  ]);
  for (const [node, indexes] of suspects) {
    for (const index of indexes) {
      const key = gpuKey(node, index);
      const own = bySource.filter(({ raw }) => raw.has(key));
      const rank = Math.min(...own.map(({ source }) => source.rank));
      const read = own
        .filter(({ source }) => source.rank === rank)
        .map(({ source, raw }) =>
          eventsOf(
            view,
            name,
            source,
            raw.get(key)!.flatMap(({ rows }) => rows),
            heartbeats.get(key) ?? [],
          ),
        );
      logs.set(key, {
        events: read.flatMap(({ events }) => events),
        stale: read.find(({ stale }) => stale)?.stale ?? null,
      });
    }
  }
  return logs;
}

function namingSteps(selector: ScopedQuery, source: Source, start: number, end: number): Step[] {
  const window = since(end - start);
  const changed = promql`changes(${selector}[${since(end - start + baselineS)}]) > 0`;
  const shown = promql`last_over_time(${selector}[${window}]) > 0`;
  const moved: Step = {
    answers: 'moved',
    question: { kind: 'instant', query: promql`(${changed}) or (${shown})`, time: end },
  };
  // A bit mask is there while all is well, so its presence tells that the GPU reports clock events at all.
  if (source.events !== 'bitmask') return [moved];
  return [
    {
      answers: 'last',
      question: { kind: 'instant', query: promql`last_over_time(${selector}[${window}])`, time: end },
    },
    { answers: 'moved', question: { kind: 'instant', query: changed, time: end } },
  ];
}

const rawStep = (selector: ScopedQuery, start: number, end: number): Step => ({
  answers: 'raw',
  question: { kind: 'instant', query: promql`${selector}[${since(end - start + baselineS)}]`, time: end },
});

function eventsOf(
  view: ClusterView,
  name: GpuEvents,
  source: Source,
  rows: readonly ScaledRow[],
  heartbeats: readonly ScaledRow[],
): GpuEventLog {
  const { start, end } = view.window;
  const { vendor } = view.cluster;
  const silentS = silentAfterS(view.scrapeS());
  const before = scrapedBefore(heartbeats, null, vendor, silentS);
  const kindOf = ({ row }: ScaledRow) => (row.labels[gpuEvents[name].codeLabel] ?? '').toUpperCase();
  const counted = [...Map.groupBy(rows, kindOf)].filter(([kind]) => kind !== '');
  if (source.events === undefined) {
    const events = counted.flatMap(([kind, own]) =>
      counters(own, vendor, silentS).flatMap(({ device, stream }) =>
        rises(stream, start, end, scrapedBefore(heartbeats, device, vendor, silentS)).map(({ from, to, by }) => ({
          from,
          to,
          kind,
          count: by,
        })),
      ),
    );
    return { events, stale: null };
  }
  if (source.events === 'sliding-count') {
    const events = counted.flatMap(([kind, own]) => {
      const stream = cover(
        own.map(({ row }) => row),
        silentS,
      );
      return beginnings(stream, start, end, 0, silentS, before).map(({ from, to }) => ({ from, to, kind, count: 1 }));
    });
    return { events, stale: null };
  }
  const devices = [...Map.groupBy(rows, ({ row }) => gpuSeriesOf(row.labels, vendor)!.device).values()];
  const streams = devices.map((own) => foldGauge(own, gpuEvents[name].plausible, 'same', vendor).stream);
  if (source.events === 'bitmask') {
    const events = streams.flatMap((stream) =>
      risingBits(stream, start, end, clockEventBits.length).map(({ from, to, code }) => ({
        from,
        to,
        kind: clockEventBits[code]!,
        count: 1,
      })),
    );
    return { events, stale: null };
  }
  const events = streams.flatMap((stream) =>
    codeChanges(stream, start, end, before).map(({ from, to, code }) => ({ from, to, kind: String(code), count: 1 })),
  );
  const shown = streams.flatMap((stream) => between(stream, start, end).values.at(-1) ?? []).find((code) => code > 0);
  return { events, stale: events.length === 0 && shown !== undefined ? String(shown) : null };
}
