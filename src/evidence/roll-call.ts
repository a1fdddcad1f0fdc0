import type { Row } from '../domain/series.ts';
import type { FamilySource } from '../readings/catalogue.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { type ScopedQuery, select } from '../scope/scope.ts';
import type { Watch } from '../reads/silence.ts';
import type { ClusterView } from '../reads/view.ts';
import { nodeIn, type Subject } from './subject.ts';

/** Which of a subject the store's filter lets through: counted node by node, and named only where a node falls short. */
export async function named(
  view: ClusterView,
  subject: Subject,
  source: FamilySource,
  watch: Watch,
  filter: (selector: ScopedQuery) => ScopedQuery,
): Promise<string[]> {
  const each = (selector: ScopedQuery) => groupedBy('group', subject.labels(source.metric), filter(selector));
  if (subject.of === 'host' || isCut(subject)) {
    const rows = await ask(view, subject, source, watch, each);
    return rows.flatMap((row) => subject.keyOf(row.labels) ?? []);
  }
  const counted = await ask(view, subject, source, watch, (selector) =>
    groupedBy('count', subject.nodeLabels(source.metric), each(selector)),
  );
  const wholeNodes = new Set(
    counted.flatMap((row) => {
      const node = subject.inventory.names.nodeOf(row.labels, subject.exporter);
      return node !== null && row.values[0] === subject.inventory.byName.get(node)?.gpus.size ? [node] : [];
    }),
  );
  const settled = subject.keys.filter((key) => wholeNodes.has(nodeIn(key)));
  const doubtful = subject.keys.filter((key) => !wholeNodes.has(nodeIn(key)));
  // Where no node has any, a second look finds none either.
  if (doubtful.length === 0 || counted.length === 0) return settled;
  const narrowed = subject.only(doubtful);
  const rows = await ask(view, narrowed, source, watch, each);
  return [...settled, ...rows.flatMap((row) => narrowed.keyOf(row.labels) ?? [])];
}

/** Whether ids and devices may differ in number, as AMD's partitions do: then a count of ids proves nothing. */
const isCut = ({ exporter, inventory, keys }: Subject): boolean =>
  exporter === 'amd' &&
  [...new Set(keys.map(nodeIn))].some((node) =>
    [...(inventory.byName.get(node)?.gpus.values() ?? [])].some(({ partitioned }) => partitioned),
  );

/** One question about a source of a subject. */
export async function ask(
  view: ClusterView,
  subject: Subject,
  { metric, match }: FamilySource,
  { end }: Watch,
  queryOf: (selector: ScopedQuery) => ScopedQuery,
): Promise<Row[]> {
  const answers = subject.matchers(metric).map((own) => {
    const query = queryOf(select(view.cluster, metric, [...(match ?? []), ...own]));
    return view.rows({ kind: 'instant', query, time: end });
  });
  return (await Promise.all(answers)).flat();
}
