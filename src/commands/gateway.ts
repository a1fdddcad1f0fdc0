import { schema } from '../schema/index.ts';
import { Gateway as Shared, Operation } from '../schema/operation.ts';
import { callerOf } from '../server/caller-of.ts';
import { foundClusters } from './found-clusters.ts';
import type { Foundation, Gateway } from './serve.ts';

/** The graph that the commands serve. */
export function gatewayOver(foundation: Foundation): Gateway<Operation> {
  const { config, ask, now, log } = foundation;
  const shared = new Shared({ site: config.site, islands: config.islands, askOf: ask, now });
  const callerFor = callerOf(config, log);
  const clusters = config.discover ? discovering(foundation) : undefined;
  return {
    schema,
    operation: async (request, peer) => new Operation(shared, await callerFor(request, peer), request.signal, clusters),
    warnings: ({ upstream }) => [...upstream.partial],
  };
}

/** The clusters that the one store shows now. */
function discovering({ config, ask, now, log }: Foundation) {
  const island = config.islands[0]!.name;
  return foundClusters({ ask: ask(island), island, site: config.site, now, log });
}
