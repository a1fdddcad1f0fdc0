import { schema } from '../schema/index.ts';
import { Gateway as Shared, Operation } from '../schema/operation.ts';
import { upstreamWork } from '../schema/upstream-work.ts';
import { Admission } from '../server/admission.ts';
import { organizationOf } from '../server/organization-of.ts';
import { foundClusters } from './found-clusters.ts';
import type { Foundation, Gateway } from './serve.ts';

/** The graph that the commands serve. */
export function gatewayOver(foundation: Foundation): Gateway<Operation> {
  const { config, ask, now } = foundation;
  const { limits, site, islands } = config;
  const admission = new Admission(limits);
  const standingOf = (organization: string) => admission.standing(organization);
  const shared = new Shared({ site, islands, askOf: ask, now, limits, standingOf });
  const organizationFor = organizationOf(config.organizations);
  const clusters = config.discover ? discovering(foundation) : undefined;
  return {
    schema,
    operation: (request) => new Operation(shared, organizationFor(request), request.signal, clusters),
    warnings: ({ upstream }) => [...upstream.partial],
    limits,
    work: upstreamWork,
    admit: ({ organization }) => admission.enter(organization.name),
  };
}

/** The clusters that the one store shows now. */
function discovering({ config, ask, now, log }: Foundation) {
  const island = config.islands[0]!.name;
  return foundClusters({ ask: ask(island), island, site: config.site, now, log });
}
