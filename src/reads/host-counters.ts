import { isCount } from '../readings/blanks.ts';
import type { Row } from '../domain/series.ts';
import type { HostReadingName } from '../readings/host.ts';
import { cover, type Pace } from '../samples/cover.ts';
import { baselineReachS, rises, total } from '../samples/increase.ts';
import { firstAfter } from '../samples/stream.ts';
import { readHostRows } from './host-rows.ts';
import { mapValues } from './hosts.ts';
import type { ClusterView } from './view.ts';

/** The increase of a network counter over the window, both directions of all devices that count, by node. */
export async function readHostCounter(
  view: ClusterView,
  name: HostReadingName,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const { start, end } = view.window;
  const rows = await readHostRows(view, name, nodes, baselineReachS);
  const inside = [...rows].filter(([, own]) => own.some(({ times }) => firstAfter(times, start) < times.length));
  return mapValues(new Map(inside), (own) => increase(own, start, end, view.pace('nodeExporter')));
}

function increase(rows: readonly Row[], start: number, end: number, pace: Pace): number {
  // A device that appears on a host that was being scraped begins to count at 0.
  const seen = rows.flatMap(({ times }) => [...times]);
  const scrapedBefore = (at: number) => seen.find((time) => time < at && time >= at - pace.silentS) ?? null;
  const counters = [...Map.groupBy(rows, ({ labels }) => `${labels['__name__']} ${labels['device']}`).values()];
  const sums = counters.map((copies) => {
    const streams = copies.map(({ times, values }) => {
      const kept = (_: number, i: number) => isCount(values[i]!);
      return { times: times.filter(kept), values: values.filter((value) => isCount(value)) };
    });
    return total(rises(cover(streams, pace), start, end, { since: scrapedBefore }));
  });
  return Math.round(sums.reduce((all, sum) => all + sum, 0));
}
