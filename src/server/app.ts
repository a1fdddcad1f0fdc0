import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { YogaServerInstance } from 'graphql-yoga';
import { useAnswers } from './use-answers.ts';
import { useNoStore } from './use-no-store.ts';
import { useOperation } from './use-operation.ts';
import { usePaths } from './use-paths.ts';
import { useReadiness } from './use-readiness.ts';
import { useRefusals } from './use-refusals.ts';
import { useRequestLog } from './use-request-log.ts';

export type Log = (line: Record<string, unknown>) => void;

/** What the edge is given; it knows requests, and nothing of GPUs. */
export interface Deps<Operation extends object> {
  readonly schema: GraphQLSchema;
  /** One per operation: clock, organization, loaders. Becomes the resolvers' context. Throws Refusal. */
  readonly operation: (request: Request) => Operation | Promise<Operation>;
  /** Clusters whose store left something out in this operation; read after execution. */
  readonly warnings: (operation: Operation) => readonly string[];
  /** Whether the stores answer. */
  readonly ready: () => Promise<boolean>;
  readonly log: Log;
  /** The page for browsers at GET /graphql; left out, there is none. */
  readonly graphiql?: { readonly defaultQuery: string } | false;
}

export type App = YogaServerInstance<object, object>;

/** The largest body of a request. A query that asks for everything there is has a few kilobytes. */
export const bodyLimit = 1024 * 1024;

/** The HTTP edge: `fetch` for tests, a listener for `node:http`. */
export const createApp = <Operation extends object>(deps: Deps<Operation>): App =>
  createYoga({
    schema: deps.schema,
    // The story of a request.
    plugins: [
      useNoStore(),
      useReadiness(deps.ready),
      usePaths('/graphql'),
      useOperation(deps),
      useRefusals(deps.log),
      useRequestLog(deps.log),
      useAnswers(),
    ],
    graphqlEndpoint: '/graphql',
    graphiql: deps.graphiql ? { title: 'gpuql', defaultQuery: deps.graphiql.defaultQuery } : false,
    maxRequestBodySize: bodyLimit,
    // Telemetry of a gateway on this machine is not for every page that a browser has open.
    cors: false,
    multipart: false,
    landingPage: false,
    healthCheckEndpoint: '/healthz',
    // useRefusals masks and logs, for what yoga's own masking does not see as well.
    maskedErrors: false,
    logging: false,
  });
