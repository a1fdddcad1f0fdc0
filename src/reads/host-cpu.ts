import { hostSources } from '../readings/catalogue.ts';
import { baselineS } from '../samples/increase.ts';
import { type Stream, streamOf } from '../samples/stream.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, select, since } from '../scope/scope.ts';
import { inUse } from './discovery.ts';
import { nodeMatchers } from './targets.ts';
import type { ClusterView } from './view.ts';

// A store refuses a range answer with more points to a series.
const pointsPerRequest = 10_000;

/**
 * Seconds that the mean core of each node has been idle: idle itself, and waiting for disks.
 *
 * The store sums the cores on a grid twice as fine as the scrapes, so that no sample falls between two slots; a second
 * request tells when each slot's sample was taken, so that a sample seen twice counts once.
 */
export async function readIdle(view: ClusterView, nodes: ReadonlySet<string>): Promise<Map<string, Stream>> {
  const inventory = await view.inventory();
  const metric = (await cpuMetric(view)) ?? null;
  if (metric === null) return new Map();
  const { nodeLabels } = view.site.exporters.nodeExporter;
  const found = new Map<string, Stream>();
  for (const own of nodeMatchers(inventory, 'nodeExporter', nodes, metric)) {
    const mode = (op: '=' | '=~', value: string) =>
      select(view.cluster, metric, [{ label: 'mode', op, value }, ...own]);
    // Bounded, so that a copy which ended weighs no more; the highest of several copies, core by core.
    const fresh = (query: ScopedQuery) =>
      promql`last_over_time(${query}[${since(1.5 * view.scrapeS('nodeExporter'))}])`;
    const idle = groupedBy(
      'sum',
      nodeLabels,
      groupedBy('max', [...nodeLabels, 'cpu', 'mode'], fresh(mode('=~', 'idle|iowait'))),
    );
    const cores = groupedBy('count', nodeLabels, groupedBy('group', [...nodeLabels, 'cpu'], fresh(mode('=', 'idle'))));
    const taken = groupedBy('max', nodeLabels, promql`timestamp(${mode('=', 'idle')})`);
    const [seconds, times] = await Promise.all([
      onGrid(view, 'cpuBusyPct: idle', promql`${idle} / ${cores}`),
      onGrid(view, 'cpuBusyPct: times', taken),
    ]);
    for (const [node, slots] of times) {
      const values = seconds.get(node);
      const pairs = [...slots].flatMap(([slot, time]): [number, number][] => {
        const value = values?.get(slot);
        return value === undefined ? [] : [[time, value]];
      });
      if (nodes.has(node)) found.set(node, streamOf(pairs));
    }
  }
  return found;
}

/** Node → slot → value, over the window and the five minutes before it. */
async function onGrid(view: ClusterView, what: string, query: ScopedQuery): Promise<Map<string, Map<number, number>>> {
  const inventory = await view.inventory();
  const step = view.scrapeS('nodeExporter') / 2;
  const { end } = view.window;
  const start = view.window.start - baselineS;
  const reach = step * (pointsPerRequest - 1);
  const cuts = Array.from({ length: Math.ceil((end - start) / (reach + step)) }, (_, i) => end - i * (reach + step));
  const answers = await Promise.all(
    cuts.map((to) => view.rows(what, { kind: 'range', query, start: Math.max(start, to - reach), end: to, step })),
  );
  const byNode = new Map<string, Map<number, number>>();
  for (const { labels, times, values } of answers.flat()) {
    const node = inventory.names.nodeOf(labels, 'nodeExporter') ?? '';
    const slots = byNode.get(node) ?? new Map<number, number>();
    byNode.set(node, slots);
    times.forEach((time, i) => slots.set(time, values[i]!));
  }
  return byNode;
}

/** The number of cores of each node, as last counted in the window. */
export async function coresOf(view: ClusterView, nodes: ReadonlySet<string>): Promise<Map<string, number>> {
  const inventory = await view.inventory();
  const metric = await cpuMetric(view);
  const cores = new Map<string, number>();
  if (!metric) return cores;
  const { start, end } = view.window;
  for (const own of nodeMatchers(inventory, 'nodeExporter', nodes, metric)) {
    const idle = select(view.cluster, metric, [{ label: 'mode', op: '=', value: 'idle' }, ...own]);
    const { nodeLabels } = view.site.exporters.nodeExporter;
    const each = groupedBy('group', [...nodeLabels, 'cpu'], promql`last_over_time(${idle}[${since(end - start)}])`);
    const query = groupedBy('count', nodeLabels, each);
    for (const { labels, values } of await view.rows('cores', { kind: 'instant', query, time: end })) {
      cores.set(inventory.names.nodeOf(labels, 'nodeExporter') ?? '', values[0]!);
    }
  }
  return cores;
}

const cpuMetric = async (view: ClusterView): Promise<string | undefined> =>
  inUse(hostSources(view.site, 'cpuBusyPct'), await view.names())[0]?.metric;
