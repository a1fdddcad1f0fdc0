import type { Row } from '../domain/series.ts';
import type { Source } from '../domain/site.ts';
import { hostHeartbeats } from '../readings/catalogue.ts';
import { type ScopedQuery, select } from '../scope/scope.ts';
import { inUse } from './discovery.ts';
import type { Question } from './ask.ts';
import {
  byCount,
  byTimes,
  countingQuestions,
  expectedCount,
  heartbeatsQuestion,
  type Presence,
  type Watch,
  watchOf,
} from './silence.ts';
import { nodeMatchers } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * Presence of hosts, by node; a node of which no host exporter was seen is left out.
 *
 * Upstream: as for GPUs, on the load; on another reading for just the hosts that show none.
 */
export async function readHostPresence(
  view: ClusterView,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Presence>> {
  const { byName } = await view.inventory();
  const watch = watchOf(view, 'nodeExporter');
  const found = new Map<string, Presence>();
  let open = new Set([...nodes].filter((name) => byName.get(name)?.hasHost));
  for (const source of inUse(hostHeartbeats(view.site), await view.names())) {
    if (open.size === 0) break;
    for (const [name, presence] of await presenceBy(view, source, open, watch)) {
      if (presence.present || !found.has(name)) found.set(name, presence);
    }
    open = new Set([...open].filter((name) => !found.get(name)?.present));
  }
  return found;
}

async function presenceBy(view: ClusterView, source: Source, nodes: ReadonlySet<string>, watch: Watch) {
  const [all, lately] = await Promise.all([
    ask(view, 'counts', source, nodes, (selector) => countingQuestions(selector, watch).all),
    ask(view, 'lately', source, nodes, (selector) => countingQuestions(selector, watch).lately),
  ]);
  const expected = expectedCount([...lately.values()].flat(), watch);
  const settled = [...nodes].map((name) => [name, byCount(all.get(name) ?? [], expected, watch)] as const);
  const found = new Map(settled.flatMap(([name, presence]) => (presence ? [[name, presence] as const] : [])));
  const doubtful = new Set([...nodes].filter((name) => !found.has(name)));
  if (doubtful.size === 0) return found;
  const heard = await ask(view, 'raw', source, doubtful, (selector) => heartbeatsQuestion(selector, watch));
  for (const name of doubtful) found.set(name, byTimes(heard.get(name) ?? [], watch, view.window.start));
  return found;
}

async function ask(
  view: ClusterView,
  what: string,
  { metric, match }: Source,
  nodes: ReadonlySet<string>,
  questionOf: (selector: ScopedQuery) => Question,
): Promise<Map<string, Row[]>> {
  const inventory = await view.inventory();
  const rows = await Promise.all(
    nodeMatchers(inventory, 'nodeExporter', nodes, metric).map((own) =>
      view.rows(`host presence: ${what}`, questionOf(select(view.cluster, metric, [...(match ?? []), ...own]))),
    ),
  );
  return Map.groupBy(rows.flat(), ({ labels }) => inventory.names.nodeOf(labels, 'nodeExporter') ?? '');
}
