import type { Source } from '../domain/site.ts';
import { clockEventBits, gpuEvents, type GpuEvents } from '../readings/gpu-counters.ts';
import { cover } from '../samples/cover.ts';
import { beginnings, codeChanges, type Happening, risingBits } from '../samples/events.ts';
import { rises } from '../samples/increase.ts';
import { between } from '../samples/stream.ts';
import { blanksIn, byDevice, countersOf } from './by-device.ts';
import { foldGauge, type ScaledRow } from './fold.ts';
import { lastScraped } from './heartbeat.ts';
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
export interface Told extends GpuEventLog {
  readonly rank: number;
  readonly since: number;
}

/** The preferred source tells; others only of the time before it said anything, as before an exporter's upgrade. */
export function together(told: readonly Told[]): GpuEventLog {
  const ranked = [...told].sort((a, b) => a.rank - b.rank);
  const events = ranked.flatMap((one) => {
    const better = Math.min(...ranked.filter(({ rank }) => rank < one.rank).map(({ since }) => since));
    return one.events.filter(({ to }) => to < better);
  });
  return { events, stale: events.length === 0 ? (ranked.find(({ stale }) => stale)?.stale ?? null) : null };
}

/** What one source says of one GPU, from its raw samples and the GPU's heartbeats. */
export function tell(
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
  const watched = (device: string | null) => lastScraped(heartbeats, device, vendor, silentS);
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
          rises(stream, start, end, { since: watched(device), againAfterS: silentS }).map(({ from, to, by }) => ({
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
    const clean = own.map((row) =>
      foldGauge([row], { plausible: gpuEvents[name].plausible, across: 'same', whole: true }, vendor),
    );
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
