import type { Row } from '../domain/series.ts';
import { promql, select, since } from '../scope/scope.ts';
import { nodeMatchers } from './targets.ts';
import type { ClusterView } from './view.ts';

const slaves = 'node_bonding_slaves';
// What they are usually called: not every exporter tells of bonds, and none of teams.
const usualName = /^(bond|team)\d*$/;

/** Bond devices of each host whose exporter tells of them, with the number of devices in each. */
export type Bonds = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Upstream: one request where any exporter tells. */
export async function readBonds(view: ClusterView, nodes: ReadonlySet<string>): Promise<Bonds> {
  const found = new Map<string, Map<string, number>>();
  if (!(await view.names()).has(slaves)) return found;
  const inventory = await view.inventory();
  const { start, end } = view.window;
  const answers = await Promise.all(
    nodeMatchers(inventory, 'nodeExporter', nodes, slaves).map((own) => {
      const query = promql`last_over_time(${select(view.cluster, slaves, own)}[${since(end - start)}])`;
      return view.rows('network bonds', { kind: 'instant', query, time: end });
    }),
  );
  for (const { labels, values } of answers.flat()) {
    const node = inventory.names.nodeOf(labels, 'nodeExporter') ?? '';
    found.set(node, (found.get(node) ?? new Map<string, number>()).set(labels['master'] ?? '', values[0]!));
  }
  return found;
}

/**
 * The network devices of one host whose traffic adds up to the host's: bonds where there are any, else the physical ones.
 * Both together would count every byte twice. A bond without devices, as an unused driver makes one, carries nothing and
 * must not stand for the host.
 */
export function chosenDevices(rows: readonly Row[], bonds: ReadonlyMap<string, number> | undefined): Row[] {
  const deviceOf = ({ labels }: Row) => labels['device'] ?? '';
  const slavesOf = (row: Row) => bonds?.get(deviceOf(row));
  const isBond = (row: Row) => slavesOf(row) !== undefined || usualName.test(deviceOf(row));
  // Where the exporter does not tell of it, one whose counter moved: a counter that stands still may stand at anything.
  const moves = ({ values }: Row) => values.some((value) => value !== values[0]);
  const carries = (row: Row) => (slavesOf(row) === undefined ? moves(row) : slavesOf(row)! > 0);
  const carrying = new Set(rows.filter((row) => isBond(row) && carries(row)).map(deviceOf));
  if (carrying.size > 0) return rows.filter((row) => carrying.has(deviceOf(row)));
  // A VLAN or a partition of a device (`eth0.12`) carries what its parent counts already.
  return rows.filter((row) => !isBond(row) && !deviceOf(row).includes('.'));
}
