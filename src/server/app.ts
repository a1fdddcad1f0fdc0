import { createYoga } from 'graphql-yoga';
import type { YogaServerInstance } from 'graphql-yoga';
import type { Deps } from './deps.ts';
import { LRUCache } from 'lru-cache';
import { usualLimits } from '../domain/limits.ts';
import { useAdmission } from './use-admission.ts';
import { useAnswers } from './use-answers.ts';
import { useContentType } from './use-content-type.ts';
import { type AskedCost, useCost, useCostExtension } from './use-cost.ts';
import { useCors } from './use-cors.ts';
import { useCrossSite } from './use-cross-site.ts';
import { useDocumentLimits } from './use-document-limits.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useGraphiql } from './use-graphiql.ts';
import { useNoIntrospection } from './use-no-introspection.ts';
import { useOneOperation } from './use-one-operation.ts';
import { useOperation } from './use-operation.ts';
import { usePaths } from './use-paths.ts';
import { useReadiness } from './use-readiness.ts';
import { useRefusals } from './use-refusals.ts';
import { useRequestLog } from './use-request-log.ts';
import { useSubscriptions } from './use-subscriptions.ts';
import { useSecurityHeaders } from './use-security-headers.ts';
import { useTrustedDocuments, useTrustedTexts } from './use-trusted-documents.ts';

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
  const costs = new WeakMap<Request, AskedCost>();
  const { graphiql = false, corsOrigins = [], trusted } = deps;
  const introspection = deps.introspection !== false && trusted?.only !== true;
  const app: App = createYoga({
    schema: deps.schema,
    // The story of a request.
    plugins: [
      useSecurityHeaders(),
      useReadiness(deps.ready),
      useCrossSite(corsOrigins, deps.log),
      useCors(corsOrigins),
      useEndpoints(deps, bodyLimit, () => app),
      usePaths('/graphql'),
      // The page is made of what introspection tells.
      graphiql && introspection && useGraphiql(graphiql.queries),
      !introspection && useNoIntrospection(),
      useContentType(),
      useOneOperation(),
      useOperation({ ...deps, introspection }, operations),
      useAdmission(deps, operations),
      trusted !== undefined && useTrustedTexts(trusted),
      trusted !== undefined && useTrustedDocuments(trusted),
      useSubscriptions(deps, operations),
      useCost(deps, operations, costs),
      useDocumentLimits(deps, operations, costs),
      useRefusals(deps.log),
      useCostExtension(deps, costs),
      useRequestLog(deps.log),
      useAnswers(deps.pingMs),
    ],
    graphqlEndpoint: '/graphql',
    // Plugins of ours stand in for both: yoga's own come before all others.
    graphiql: false,
    cors: false,
    maxRequestBodySize: bodyLimit,
    // Bounded by their texts: anybody can send documents, and each is kept as a tree many times its length.
    parserAndValidationCache: { documentCache: byText(), errorCache: byText() },
    ...(trusted && { extraParamNames: ['documentId'] }),
    multipart: false,
    landingPage: false,
    healthCheckEndpoint: '/healthz',
    // useRefusals masks and logs, for what yoga's own masking does not see as well.
    maskedErrors: false,
    logging: false,
  });
  return app;
};
