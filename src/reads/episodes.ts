import type { Check } from '../domain/fleet.ts';
import type { Labels, Row } from '../domain/series.ts';
import { checkOfAlert, gpuOfAlert } from '../readings/alert-words.ts';
import { runs } from '../samples/runs.ts';
import { silentAfterS } from '../samples/silence.ts';
import { oneOf, promql, type ScopedQuery, select, since } from '../scope/scope.ts';
import type { Inventory, NodeEntry } from './inventory.ts';
import type { ClusterView } from './view.ts';

const aroundS = 7 * 86400;

/** A condition that the site's own alerting recorded. Times are epoch seconds and may lie outside the window. */
export interface Episode {
  readonly node: string;
  readonly check: Check;
  readonly gpu: number | null;
  readonly started: number;
  /** Null while it is open now. */
  readonly ended: number | null;
  readonly detail: string;
}

/**
 * The episodes that overlap the window, by node, oldest first.
 *
 * Upstream: the alerts that fired in the window; where there are any, their history of seven days to each side, and the
 * times at which their conditions began.
 */
export async function readEpisodes(view: ClusterView): Promise<ReadonlyMap<string, readonly Episode[]>> {
  if (!(await view.names()).has('ALERTS')) return new Map();
  const { start, end } = view.window;
  const firing = (matchers: Parameters<typeof select>[2] = []) =>
    select(view.cluster, 'ALERTS', [{ label: 'alertstate', op: '=', value: 'firing' }, ...matchers]);
  const ask = (what: string, query: ScopedQuery, time: number) =>
    view.rows(`health episodes: ${what}`, { kind: 'instant', query, time });

  const now = await ask('fired', promql`last_over_time(${firing()}[${since(end - start)}])`, end);
  const relevant = now.filter(({ labels }) => checkOfAlert(view.site, labels) !== null);
  if (relevant.length === 0) return new Map();
  const alertnames = [oneOf('alertname', new Set(relevant.map(({ labels }) => labels['alertname'] ?? '')))];
  const until = Math.min(end + aroundS, Math.max(view.newest, end));
  const reach = since(until - start + aroundS);
  const [history, began] = await Promise.all([
    ask('history', promql`${firing(alertnames)}[${reach}]`, until),
    ask('began', promql`${select(view.cluster, 'ALERTS_FOR_STATE', alertnames)}[${reach}]`, until),
  ]);
  return episodesOf(view, history, began, await view.inventory());
}

function episodesOf(
  view: ClusterView,
  history: readonly Row[],
  began: readonly Row[],
  { names, byName }: Inventory,
): Map<string, Episode[]> {
  const { start, end } = view.window;
  const gapS = silentAfterS(view.scrapeS('alerts'));
  // An alert that is still firing is written at every evaluation.
  const openS = 3 * view.scrapeS('alerts');
  const found: Episode[] = [];
  const about = (labels: Labels) => {
    const node = names.nodeOf(labels, 'alerts');
    const check = checkOfAlert(view.site, labels);
    return node !== null && check !== null
      ? { node, check, gpu: indexOf(byName.get(node), gpuOfAlert(labels)), name: labels['alertname'] ?? '' }
      : null;
  };
  const keyOf = ({ labels }: Row) => JSON.stringify(about(labels));
  const beginnings = Map.groupBy(began, keyOf);
  for (const [key, rows] of Map.groupBy(history, keyOf)) {
    const of = about(rows[0]!.labels);
    if (!of) continue;
    const times = [...new Set(rows.flatMap((row) => [...row.times]))].sort((a, b) => a - b);
    for (const { from, to } of runs(times, gapS)) {
      const open = to >= view.newest - openS;
      if (to <= start || from > end) continue;
      const since = beganAt(beginnings.get(key) ?? [], from, to) ?? from;
      found.push({
        node: of.node,
        check: of.check,
        gpu: of.gpu,
        started: Math.floor(since),
        ended: open ? null : Math.floor(to),
        detail: detailOf(rows[0]!.labels),
      });
    }
  }
  found.sort((a, b) => a.started - b.started);
  return Map.groupBy(found, ({ node }) => node);
}

/** The index of the GPU that an alert calls by a number; a number that no GPU has stays what it is. */
const indexOf = (node: NodeEntry | undefined, id: number | null): number | null =>
  [...(node?.gpus.values() ?? [])].find(({ ids }) => id !== null && ids.has(id))?.index ?? id;

/** ALERTS_FOR_STATE's value is when the condition began, before the alert fired. */
function beganAt(rows: readonly Row[], from: number, to: number): number | null {
  const values = rows.flatMap(({ times, values: at }) =>
    [...at].filter((value, i) => times[i]! >= from && times[i]! <= to && value <= from && value > from - aroundS),
  );
  return values.length > 0 ? Math.min(...values) : null;
}

function detailOf(labels: Labels): string {
  const severity = labels['severity'] ? ` (${labels['severity']})` : '';
  return `${labels['alertname'] ?? 'alert'}${severity}`;
}
