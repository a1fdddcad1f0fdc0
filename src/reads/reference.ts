import type { Vendor } from '../domain/fleet.ts';
import type { ClusterSite, Island, Site, Source } from '../domain/site.ts';
import { scaled } from '../readings/catalogue.ts';
import { gpuGauges } from '../readings/gpu-gauges.ts';
import { sourcesOf } from '../readings/reading.ts';
import { countedByValue, groupedBy } from '../scope/aggregate.ts';
import { promql, select, since } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import { round6 } from '../samples/round.ts';
import { type Discovery, inUse } from './discovery.ts';
import { Shared } from './shared.ts';
import type { Upstream } from './upstream.ts';

const fewestInstants = 60;
const mostInstants = 10_000;
const readingsEnough = 300_000;
const keepMs = 300_000;
const modelLabels = ['modelName', 'card_model', 'card_series'] as const;
// What makes series one device: copies of it for pods or instances would weigh it several times.
const deviceLabels = ['gpu', 'gpu_id', 'UUID', 'uuid', 'serial_number'];
const stepC = 0.25;

/** A model label as the site calls it, the label itself where no pattern knows it. */
export function modelName(site: Site, label: string): string {
  return site.models.find(({ pattern }) => pattern.test(label))?.name ?? label;
}

/** Who is compared with whom: an organization's GPUs of one model on one island, and the pool that the island lends. */
export interface ReferenceQuestion {
  /** The cluster that is compared. */
  readonly asking: string;
  readonly island: Island;
  readonly vendor: Vendor;
  readonly model: string;
  readonly window: Window;
  readonly clusters: readonly ClusterSite[];
}

/**
 * The 95th percentile of GPU temperature over a window, pooled over many clusters to one number.
 *
 * Upstream: one request for each cluster and source in use, answered with how often each temperature was read on a grid
 * of instants. Kept for five minutes, for one organization, by everything that it depends on.
 */
export class References {
  readonly #site: Site;
  readonly #discovery: Discovery;
  readonly #known: Shared<number | null>;

  constructor(site: Site, discovery: Discovery) {
    this.#site = site;
    this.#discovery = discovery;
    this.#known = new Shared('reference', 500, keepMs);
  }

  /** °C, or null when there is nothing to pool. */
  tempP95C(user: Upstream, now: number, question: ReferenceQuestion): Promise<number | null> {
    const { island, model, vendor, window } = question;
    const key = JSON.stringify([island.name, vendor, model, window.start, window.end]);
    const asking = { name: question.asking, island: island.name };
    return this.#known.get(key, user, asking, (upstream) => this.#pool(upstream, now, question));
  }

  async #pool(upstream: Upstream, now: number, question: ReferenceQuestion): Promise<number | null> {
    const { island, model, vendor, window } = question;
    const own = question.clusters.filter((cluster) => cluster.island === island.name && cluster.vendor === vendor);
    const lent = island.sharedPool
      .filter((member) => member.model === null || member.model === model)
      .map((member): ClusterSite => ({
        ...member,
        name: 'the shared pool',
        island: island.name,
        vendor,
        exported: [],
      }));
    // A cluster that is lent as well is pooled once.
    const pooled = new Map([...lent, ...own].map((cluster) => [JSON.stringify(cluster.matchers), cluster]));
    const counts = await Promise.all(
      [...pooled.values()].map((cluster) => {
        const asked = own.includes(cluster) ? upstream : upstream.beyond();
        return this.#temperatures(asked, now, cluster, model, window);
      }),
    );
    return percentile(counts.flat(), 0.95);
  }

  async #temperatures(upstream: Upstream, now: number, cluster: ClusterSite, model: string, window: Window) {
    const { sources, plausible } = sourcesOf<Source>(this.#site, 'tempC', gpuGauges.tempC, cluster.vendor);
    const { names, size } = await this.#discovery.of(upstream, cluster, window, now);
    const used = inUse(sources, names);
    const { nodeLabels, scrapeIntervalS } = this.#site.exporters[cluster.vendor === 'AMD' ? 'amd' : 'dcgm'];
    const span = window.end - window.start;
    // Every scrape where the readings are few, else a grid that falls on scrapes and has enough of them.
    const instants = Math.min(mostInstants, Math.max(fewestInstants, readingsEnough / Math.max(1, size)));
    const step = Math.ceil(span / instants / scrapeIntervalS) * scrapeIntervalS;
    const answers = await Promise.all(
      used.map((source) => {
        const [low, high] = scaled(plausible, source);
        const fresh = promql`last_over_time(${select(cluster, source.metric, source.match ?? [])}[${since(Math.min(span, step))}]) >= ${low} <= ${high}`;
        const devices = groupedBy('max', [...nodeLabels, ...deviceLabels, ...modelLabels], fresh);
        const query = countedByValue('reading', modelLabels, promql`round(${devices} * ${source.scale}, ${stepC})`);
        const first = window.end - Math.floor((span - 1) / step) * step;
        return upstream.rows(cluster, 'reference', { kind: 'range', query, start: first, end: window.end, step });
      }),
    );
    return answers.flat().flatMap(({ labels, values }) => {
      const label = modelLabels.map((name) => labels[name]).find(Boolean);
      const is = label ? modelName(this.#site, label) : cluster.model;
      // A cluster that is configured as one model, but whose labels no pattern maps, is that model.
      const same = is === model || (cluster.model === model && (!label || is === label));
      return same ? [{ value: Number(labels['reading']), count: values.reduce((all, n) => all + n, 0) }] : [];
    });
  }
}

function percentile(counted: readonly { value: number; count: number }[], p: number): number | null {
  const sorted = [...counted].sort((a, b) => a.value - b.value);
  const all = sorted.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { value, count } of sorted) {
    seen += count;
    if (seen >= p * all) return round6(value);
  }
  return null;
}
