import type { Organization } from '../domain/site.ts';
import { schema } from '../schema/index.ts';
import { Gateway as Shared, Operation } from '../schema/operation.ts';
import { organizationOf } from '../server/organization-of.ts';
import { foundClusters } from './found-clusters.ts';
import type { Foundation, Gateway } from './serve.ts';

/** The graph that the commands serve. */
export function gatewayOver(foundation: Foundation): Gateway<Operation> {
  const { config, ask, now } = foundation;
  const shared = new Shared({ site: config.site, islands: config.islands, askOf: ask, now });
  const organizationFor = organizationOf(config.organizations);
  const withClusters = config.discover ? discovering(foundation) : (organization: Organization) => organization;
  return {
    schema,
    operation: async (request) => new Operation(shared, await withClusters(organizationFor(request)), request.signal),
    warnings: ({ upstream }) => [...upstream.partial],
  };
}

/** The organization with the clusters that the one store shows now. */
function discovering({ config, ask, now, log }: Foundation): (organization: Organization) => Promise<Organization> {
  const island = config.islands[0]!.name;
  const find = foundClusters({ ask: ask(island), island, site: config.site, now, log });
  return async (organization) => ({ ...organization, clusters: await find() });
}
