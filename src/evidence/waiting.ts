import type { HostResource } from '../domain/fleet.ts';
import { hostSources } from '../readings/catalogue.ts';
import { inUse } from '../reads/discovery.ts';
import { readHostRows } from '../reads/host-rows.ts';
import { plausibleRate, rateOf } from '../reads/hosts.ts';
import type { ClusterView } from '../reads/view.ts';
import type { HostFacts } from '../rules/facts.ts';
import { waitedPct } from '../rules/pressure.ts';
import { baselineReachS } from '../samples/increase.ts';
import type { Subject } from './subject.ts';
import { suspectsOf, waited } from './suspects.ts';

export const pressures = {
  CPU: 'pressure.cpu',
  MEMORY: 'pressure.memory',
  IO: 'pressure.io',
} as const satisfies Record<HostResource, string>;

/**
 * Pressure of the hosts that may have waited too long, by node.
 *
 * Upstream: one request a resource that names them; the samples of just these.
 */
export async function readWaiting(wide: ClusterView, subject: Subject): Promise<ReadonlyMap<string, HostFacts>> {
  const found = new Map<string, HostFacts>();
  await Promise.all(
    Object.entries(pressures).map(async ([resource, name]) => {
      const used = inUse(hostSources(wide.site, name), await wide.names());
      const suspects = await suspectsOf(wide, subject, used, waited(wide, wide.scrapeS('nodeExporter'), waitedPct));
      if (suspects.size === 0) return;
      for (const [node, rows] of await readHostRows(wide, name, suspects, baselineReachS)) {
        const stream = plausibleRate(wide, node, name, rateOf(rows, wide.window));
        found.set(node, { ...found.get(node), [resource]: stream });
      }
    }),
  );
  return found;
}
