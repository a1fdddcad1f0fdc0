import { hostSources } from '../readings/catalogue.ts';
import { type Gap, gaps, silentAfterS } from '../samples/silence.ts';
import type { Row } from '../domain/series.ts';
import { promql, select, since } from '../scope/scope.ts';
import { askByGpu, gpuKey } from './by-gpu.ts';
import { inUse } from './discovery.ts';
import { readHeartbeats } from './heartbeat.ts';
import { nodeMatchers, type Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** Whether a GPU or host said anything in the window, and the stretches in which it said nothing for too long. */
export interface Presence {
  readonly present: boolean;
  readonly silent: readonly Gap[];
}

/**
 * Presence of GPUs, by `gpuKey`.
 *
 * Upstream: a count of heartbeats each; the heartbeats themselves only of GPUs whose count does not prove that there is
 * no gap: too few, too many, or several series that may hide each other's gaps.
 */
export async function readGpuPresence(view: ClusterView, targets: Targets): Promise<ReadonlyMap<string, Presence>> {
  const { heartbeat } = await view.inventory();
  const { start, end } = view.window;
  const counted = await askByGpu(view, heartbeat?.sources ?? [], targets, (selector) => [
    {
      answers: 'last',
      question: { kind: 'instant', query: promql`count_over_time(${selector}[${since(end - start)}])`, time: end },
    },
  ]);
  const doubtful = new Map<string, Set<number>>();
  const found = new Map<string, Presence>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      const rows = (counted.get(gpuKey(node, index)) ?? []).flatMap((answer) => answer.rows.map(({ row }) => row));
      const settled = byCount(view, rows, view.scrapeS());
      if (settled) found.set(gpuKey(node, index), settled);
      else doubtful.set(node, (doubtful.get(node) ?? new Set()).add(index));
    }
  }
  for (const [key, rows] of await readHeartbeats(view, doubtful)) {
    found.set(
      key,
      byTimes(
        view,
        rows.map(({ row }) => row),
        view.scrapeS(),
      ),
    );
  }
  return found;
}

/** Presence of hosts, by node; a node without any host exporter is left out. */
export async function readHostPresence(
  view: ClusterView,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Presence>> {
  const inventory = await view.inventory();
  const sources = inUse(hostSources(view.site, 'loadPerCore'), await view.names());
  const { start, end } = view.window;
  const scrapeS = view.scrapeS('nodeExporter');
  const ask = async (wanted: ReadonlySet<string>, counts: boolean) => {
    const selectors = sources.flatMap(({ metric }) =>
      nodeMatchers(inventory, 'nodeExporter', wanted, metric).map((own) => select(view.cluster, metric, own)),
    );
    const queries = selectors.map((selector) =>
      counts ? promql`count_over_time(${selector}[${since(end - start)}])` : promql`${selector}[${since(end - start)}]`,
    );
    const rows = await Promise.all(queries.map((query) => view.rows({ kind: 'instant', query, time: end })));
    return Map.groupBy(rows.flat(), ({ labels }) => inventory.names.nodeOf(labels, 'nodeExporter') ?? '');
  };
  const hosts = new Set([...nodes].filter((name) => inventory.byName.get(name)?.hasHost));
  if (hosts.size === 0) return new Map();
  const counted = await ask(hosts, true);
  const settled = [...hosts].map((name) => [name, byCount(view, counted.get(name) ?? [], scrapeS)] as const);
  const found = new Map(settled.flatMap(([name, presence]) => (presence ? [[name, presence] as const] : [])));
  const doubtful = new Set([...hosts].filter((name) => !found.has(name)));
  if (doubtful.size === 0) return found;
  const raw = await ask(doubtful, false);
  for (const name of doubtful) found.set(name, byTimes(view, raw.get(name) ?? [], scrapeS));
  return found;
}

/** Null where the number of samples does not prove that there was no gap. */
function byCount(view: ClusterView, rows: readonly Row[], scrapeS: number): Presence | null {
  const { start, end } = view.window;
  if (rows.length === 0)
    return { present: false, silent: gaps({ times: new Float64Array(0), values: new Float64Array(0) }, start, end, 0) };
  const expected = (end - start) / scrapeS;
  // A gap that counts is missing more samples than this.
  const slack = silentAfterS(scrapeS) / scrapeS / 2;
  const count = rows[0]!.values[0]!;
  return rows.length === 1 && count >= expected - slack && count <= expected + 2 ? { present: true, silent: [] } : null;
}

function byTimes(view: ClusterView, rows: readonly Row[], scrapeS: number): Presence {
  const { start, end } = view.window;
  const times = Float64Array.from(new Set(rows.flatMap((row) => [...row.times])))
    .filter((time) => time > start && time <= end)
    .sort();
  return { present: times.length > 0, silent: gaps({ times, values: times }, start, end, silentAfterS(scrapeS)) };
}
