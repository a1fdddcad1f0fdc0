import type { Row } from '../domain/series.ts';
import { hostSources } from '../readings/catalogue.ts';
import { hostReadings, type HostReadingName } from '../readings/host.ts';
import { type Stream, streamOf } from '../samples/stream.ts';
import { promql, select, since } from '../scope/scope.ts';
import { inUse } from './discovery.ts';
import { chosenDevices, readBonds } from './host-devices.ts';
import { nodeMatchers } from './targets.ts';
import type { ClusterView } from './view.ts';

/** Rows of a host reading by node, in its unit; of network devices just the ones that count. */
export async function readHostRows(
  view: ClusterView,
  name: HostReadingName,
  nodes: ReadonlySet<string>,
  before: number,
): Promise<Map<string, Row[]>> {
  const inventory = await view.inventory();
  const sources = inUse(hostSources(view.site, name), await view.names());
  const { start, end } = view.window;
  const devices =
    'perDevice' in hostReadings[name] ? [{ label: 'device', op: '!~', value: view.site.virtualDevices } as const] : [];
  const answers = Promise.all(
    sources.flatMap(({ metric, match, scale }) =>
      nodeMatchers(inventory, 'nodeExporter', nodes, metric).map(async (own) => {
        const selector = select(view.cluster, metric, [...(match ?? []), ...devices, ...own]);
        const query = promql`${selector}[${since(end - start + before)}]`;
        const rows = await view.rows(`${name}: raw`, { kind: 'instant', query, time: end });
        return rows.map((row) => scaledBy(row, scale));
      }),
    ),
  );
  const [bonds, rows] = await Promise.all([devices.length === 0 ? undefined : readBonds(view, nodes), answers]);
  const byNode = Map.groupBy(rows.flat(), ({ labels }) => inventory.names.nodeOf(labels, 'nodeExporter') ?? '');
  const wanted = [...byNode].filter(([node]) => nodes.has(node));
  return new Map(bonds ? wanted.map(([node, own]) => [node, chosenDevices(own, bonds.get(node))]) : wanted);
}

// A row belongs to whoever asked for it, so its values are never changed in place.
const scaledBy = (row: Row, scale: number): Row =>
  scale === 1 ? row : { ...row, values: row.values.map((value) => value * scale) };

/** Series of one thing, from replicas or a restarted exporter; not finite is no reading. */
export function mergeCopies(rows: readonly Row[]): Stream {
  const clean = rows.map(({ times, values }): Stream => {
    if (values.every(Number.isFinite)) return { times, values };
    const kept = (_: number, i: number) => Number.isFinite(values[i]!);
    return { times: times.filter(kept), values: values.filter(kept) };
  });
  if (clean.length === 1) return clean[0]!;
  return streamOf(clean.flatMap(({ times, values }) => Array.from(times, (t, i): [number, number] => [t, values[i]!])));
}
