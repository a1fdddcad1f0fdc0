import { createYoga } from 'graphql-yoga';
import type { YogaServerInstance } from 'graphql-yoga';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Deps } from './deps.ts';
import { LRUCache } from 'lru-cache';
import { usualLimits } from '../domain/limits.ts';
import { useAdmission } from './use-admission.ts';
import { useAnswers } from './use-answers.ts';
import { useContentType } from './use-content-type.ts';
import { useDocumentLimits } from './use-document-limits.ts';
import { useNoStore } from './use-no-store.ts';
import { useOneOperation } from './use-one-operation.ts';
import { useOperation } from './use-operation.ts';
import { usePaths } from './use-paths.ts';
import { useReadiness } from './use-readiness.ts';
import { useRefusals } from './use-refusals.ts';
import { useRequestLog } from './use-request-log.ts';

export type App = YogaServerInstance<object, object>;

/** The largest body of a request. A query that asks for everything there is has a few kilobytes. */
export const bodyLimit = 1024 * 1024;

/** A cache that holds a few dozen of the longest documents, or thousands of usual ones. */
const byText = <V extends object>() =>
  new LRUCache<string, V>({
    max: 2000,
    maxSize: 32 * usualLimits.documentCharacters,
    sizeCalculation: (_, text) => 1 + text.length,
  });

/** The HTTP edge: `fetch` for tests, a listener for `node:http`. */
export const createApp = <Operation extends object>(deps: Deps<Operation>): App => {
  const operations = new WeakMap<Request, Operation>();
  return createYoga({
    schema: deps.schema,
    // The story of a request.
    plugins: [
      useNoStore(),
      useReadiness(deps.ready),
      usePaths('/graphql'),
      useContentType(),
      useOneOperation(),
      useOperation(deps, operations),
      useAdmission(deps, operations),
      useDocumentLimits(deps, operations),
      useRefusals(deps.log),
      useRequestLog(deps.log),
      useAnswers(),
    ],
    graphqlEndpoint: '/graphql',
    graphiql: deps.graphiql
      ? { title: 'gpuql', defaultTabs: deps.graphiql.queries.map((query) => ({ query })) }
      : false,
    maxRequestBodySize: bodyLimit,
    // Bounded by their texts: anybody can send documents, and each is kept as a tree many times its length.
    parserAndValidationCache: { documentCache: byText(), errorCache: byText() },
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
};
