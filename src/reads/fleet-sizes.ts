import { LRUCache } from 'lru-cache';
import type { ClusterSite } from '../domain/site.ts';

/** How much of a cluster there is. */
export interface FleetSize {
  readonly nodes: number;
  readonly gpus: number;
}

const knownS = 300;

/**
 * How large the clusters are, as inventories told in the last five minutes. Nothing is asked for it.
 *
 * The largest of what was told holds: a window of last month, when a cluster had one node, tells nothing of one that ends
 * now, and would make it cheap to ask anything.
 */
export class FleetSizes {
  readonly #known = new LRUCache<string, FleetSize & { readonly at: number }>({ max: 10_000 });

  /**
   * @param at     the operation's clock, epoch seconds
   * @param isNow  it is of a window that ends now; another one can only make a cluster larger
   */
  learn(
    organization: string,
    cluster: ClusterSite,
    size: FleetSize,
    { at, isNow }: { at: number; isNow: boolean },
  ): void {
    const held = this.of(organization, cluster, at);
    const keep = (known: FleetSize & { readonly at: number }) => this.#known.set(keyOf(organization, cluster), known);
    const { nodes, gpus } = size;
    if (isNow && (!held || (nodes >= held.nodes && gpus >= held.gpus))) keep({ nodes, gpus, at });
    else if (held && (nodes > held.nodes || gpus > held.gpus)) {
      keep({ nodes: Math.max(nodes, held.nodes), gpus: Math.max(gpus, held.gpus), at: held.at });
    }
  }

  /** Undefined where no inventory was read of late. */
  of(
    organization: string,
    cluster: Pick<ClusterSite, 'island' | 'name'>,
    now: number,
  ): (FleetSize & { readonly at: number }) | undefined {
    const held = this.#known.get(keyOf(organization, cluster));
    return held && now - held.at <= knownS ? held : undefined;
  }
}

const keyOf = (organization: string, { island, name }: Pick<ClusterSite, 'island' | 'name'>): string =>
  JSON.stringify([organization, island, name]);
