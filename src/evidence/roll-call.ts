import type { Row } from '../domain/series.ts';
import type { FamilySource } from '../readings/catalogue.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { type ScopedQuery, select } from '../scope/scope.ts';
import type { Watch } from '../reads/silence.ts';
import type { ClusterView } from '../reads/view.ts';
import { nodeIn, type Subject } from './subject.ts';

/** What the store lets through, of a GPU or host. */
export interface Rolls {
  /** Some series of its own. */
  readonly alone: (selector: ScopedQuery) => ScopedQuery;
  /** All of its series together, told apart by these labels. It costs the store several times as much. */
  readonly together: (selector: ScopedQuery, labels: readonly string[]) => ScopedQuery;
}

/**
 * Which of a subject the store's filter lets through. By single series, and counted node by node; where a node falls short,
 * one more request looks at its GPUs each with all of their series, which follow each other where labels change.
 */
export async function called(
  view: ClusterView,
  subject: Subject,
  source: FamilySource,
  watch: Watch,
  rolls: Rolls,
): Promise<{ readonly alone: readonly string[]; readonly together: readonly string[] }> {
  const alone = await calledAlone(view, subject, source, watch, rolls);
  const settled = new Set(alone);
  const doubtful = subject.keys.filter((key) => !settled.has(key));
  if (doubtful.length === 0) return { alone, together: [] };
  const narrowed = subject.only(doubtful);
  const labels = narrowed.labels(source.metric);
  const rows = await ask(view, narrowed, source, watch, (selector) => rolls.together(selector, labels));
  return { alone, together: rows.flatMap((row) => narrowed.keyOf(row.labels) ?? []) };
}

async function calledAlone(
  view: ClusterView,
  subject: Subject,
  source: FamilySource,
  watch: Watch,
  { alone }: Rolls,
): Promise<string[]> {
  const each = (selector: ScopedQuery) => groupedBy('group', subject.labels(source.metric), alone(selector));
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
  return subject.keys.filter((key) => wholeNodes.has(nodeIn(key)));
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
    return view.rows(`${metric}: roll call`, { kind: 'instant', query, time: end });
  });
  return (await Promise.all(answers)).flat();
}
