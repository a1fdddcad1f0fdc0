import { organizationOf } from './credentials.ts';
import { schema } from '../schema/index.ts';
import { Gateway as Shared, Operation } from '../schema/operation.ts';
import type { Foundation, Gateway } from './serve.ts';

/** The graph that the commands serve. */
export function gatewayOver({ config, ask, now }: Foundation): Gateway<Operation> {
  const shared = new Shared({ site: config.site, islands: config.islands, askOf: ask, now });
  return {
    schema,
    operation: (request) => new Operation(shared, organizationOf(config.organizations, request), request.signal),
    warnings: ({ upstream }) => [...upstream.partial].map((cluster) => `The monitoring of ${cluster} left something out.`),
  };
}
