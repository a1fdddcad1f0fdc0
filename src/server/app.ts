import { createYoga } from 'graphql-yoga';
import type { YogaServerInstance } from 'graphql-yoga';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Deps } from './deps.ts';
import { useAnswers } from './use-answers.ts';
import { useContentType } from './use-content-type.ts';
import { useNoStore } from './use-no-store.ts';
import { useOperation } from './use-operation.ts';
import { usePaths } from './use-paths.ts';
import { useReadiness } from './use-readiness.ts';
import { useRefusals } from './use-refusals.ts';
import { useRequestLog } from './use-request-log.ts';

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
      useContentType(),
      useOperation(deps),
      useRefusals(deps.log),
      useRequestLog(deps.log),
      useAnswers(),
    ],
    graphqlEndpoint: '/graphql',
    graphiql: deps.graphiql
      ? { title: 'gpuql', defaultTabs: deps.graphiql.queries.map((query) => ({ query })) }
      : false,
    maxRequestBodySize: bodyLimit,
    // Telemetry of a gateway on this machine is not for every page that a browser has open.
    cors: false,
    // The page carries its own scripts: a gateway inside a site often has no way out.
    renderGraphiQL,
    multipart: false,
    landingPage: false,
    healthCheckEndpoint: '/healthz',
    // useRefusals masks and logs, for what yoga's own masking does not see as well.
    maskedErrors: false,
    logging: false,
  });
