import { type Family, families } from '../domain/fleet.ts';
import { blanks } from '../readings/blanks.ts';
import type { Matcher } from '../domain/matcher.ts';
import type { Labels } from '../domain/series.ts';
import { familySources, type FamilySource } from '../readings/catalogue.ts';
import { type Duration, promql, type ScopedQuery, select, since, span } from '../scope/scope.ts';
import { groupedBy, labelled, unionOf } from '../scope/aggregate.ts';
import { type Discovered, inUse } from './discovery.ts';
import { nodeMatchers } from './targets.ts';
import type { ClusterView } from './view.ts';

/** Which families answered, in the schema's order. A family that the maker lacks is in neither list. */
export interface Coverage {
  readonly present: readonly Family[];
  readonly missing: readonly Family[];
}

const recentS = 300;

/**
 * Coverage of nodes, by name, whatever is selected elsewhere.
 *
 * Upstream: which families have a plausible sample near the window's end, and for what that leaves open, one look at
 * every sample of the window.
 */
export async function readCoverage(
  view: ClusterView,
  nodes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Coverage>> {
  const discovered = await view.discovered();
  const { names } = discovered;
  const sources = familySources(view.site, view.cluster.vendor);
  const used = inUse(sources, names).filter(({ family }) => family !== 'XID');
  const span = Math.max(0, view.until - view.window.start);
  const found = new Map([...nodes].map((name) => [name, new Set<Family>(silentFamilies(view, discovered))]));

  await look(view, used, nodes, found, since(Math.min(span, recentS)), null);
  const open = used.filter(({ family }) => [...found.values()].some((seen) => !seen.has(family)));
  const behind = new Set(
    [...found].filter(([, seen]) => open.some(({ family }) => !seen.has(family))).map(([name]) => name),
  );
  if (open.length > 0 && span > 0) await look(view, open, behind, found, since(span), span);

  const listed = familiesOf(view);
  return new Map(
    [...found].map(([name, seen]) => [
      name,
      { present: listed.filter((family) => seen.has(family)), missing: listed.filter((family) => !seen.has(family)) },
    ]),
  );
}

/** Every family that the GPU maker's readings have, in the schema's order. */
export function familiesOf({ site, cluster }: ClusterView): Family[] {
  const possible = new Set<Family>(familySources(site, cluster.vendor).map(({ family }) => family));
  return families.filter((family) => possible.has(family) || family === 'NORTH_SOUTH' || family === 'HEALTH_EPISODES');
}

/** Several nodes as one target: a family that answered for any of them is present; of no node at all none is. */
export function together(view: ClusterView, coverages: readonly Coverage[]): Coverage {
  const present = new Set(coverages.flatMap((coverage) => coverage.present));
  const listed = familiesOf(view);
  return {
    present: listed.filter((family) => present.has(family)),
    missing: listed.filter((family) => !present.has(family)),
  };
}

/** Families that show nothing while all is well: that the cluster ever showed them says that they are there. */
function silentFamilies(view: ClusterView, { names, alerting }: Discovered): Family[] {
  const xid = familySources(view.site, view.cluster.vendor).some(
    ({ family, metric }) => family === 'XID' && names.has(metric),
  );
  return [
    ...view.cluster.exported,
    ...(xid ? (['XID'] as const) : []),
    ...(alerting ? (['HEALTH_EPISODES'] as const) : []),
  ];
}

async function look(
  view: ClusterView,
  sources: readonly FamilySource[],
  nodes: ReadonlySet<string>,
  found: ReadonlyMap<string, Set<Family>>,
  within: Duration,
  everySample: number | null,
): Promise<void> {
  if (sources.length === 0) return;
  const inventory = await view.inventory();
  const { site } = view;
  const queries = (['gpu', 'host'] as const).flatMap((of) => {
    const exporter = of === 'gpu' ? view.gpuExporter : 'nodeExporter';
    const labels = ['__name__', ...site.exporters[exporter].nodeLabels, ...matchLabels(sources)];
    const alike = Map.groupBy(
      sources.filter((source) => source.of === of),
      ({ plausible, counts, scale }) => `${plausible.join(' ')} ${counts && scale === 1}`,
    );
    return [...alike.values()].flatMap((group) =>
      nodeMatchers(inventory, exporter, nodes, '').map((own) => {
        const selector = select(view.cluster, null, [nameMatcher(group), ...own]);
        const sampled =
          everySample === null
            ? plausibly(promql`last_over_time(${selector}[${within}])`, group[0]!)
            : eachSample(selector, within, view.scrapeS(exporter), group[0]!);
        return labelled('metric', groupedBy('count', labels, sampled));
      }),
    );
  });
  if (queries.length === 0) return;
  const what = everySample === null ? 'coverage: lately' : 'coverage: whole window';
  const rows = await view.rows(what, { kind: 'instant', query: unionOf(queries), time: view.until });
  for (const { labels } of rows) {
    for (const source of sources) {
      if (source.metric !== labels['metric'] || !fits(labels, source.match ?? [])) continue;
      const node = inventory.names.nodeOf(labels, source.of === 'gpu' ? view.gpuExporter : 'nodeExporter');
      found.get(node ?? '')?.add(source.family);
    }
  }
}

/** The plausible samples of the whole window: a grid as fine as the scrapes, each slot looking back to the one before. */
function eachSample(selector: ScopedQuery, within: Duration, scrapeS: number, source: FamilySource): ScopedQuery {
  const each = plausibly(promql`last_over_time(${selector}[${since(scrapeS)}])`, source);
  return promql`last_over_time((${each})[${within}:${span(scrapeS)}])`;
}

/** What of it is a reading. */
function plausibly(query: ScopedQuery, { plausible: [low, high], counts, scale }: FamilySource): ScopedQuery {
  const inside = promql`${query} >= ${low} <= ${high}`;
  return counts && scale === 1 ? [...blanks].reduce((rest, blank) => promql`${rest} != ${blank}`, inside) : inside;
}

const nameMatcher = (sources: readonly FamilySource[]): Matcher => ({
  label: '__name__',
  op: '=~',
  value: [...new Set(sources.map(({ metric }) => metric))].sort().join('|'),
});

const matchLabels = (sources: readonly FamilySource[]): string[] => [
  ...new Set(sources.flatMap(({ match }) => (match ?? []).map(({ label }) => label))),
];

function fits(labels: Labels, matchers: readonly Matcher[]): boolean {
  return matchers.every(({ label, op, value }) => {
    const is = labels[label] ?? '';
    const same = op === '=' || op === '!=' ? is === value : new RegExp(`^(?:${value})$`).test(is);
    return op === '=' || op === '=~' ? same : !same;
  });
}
