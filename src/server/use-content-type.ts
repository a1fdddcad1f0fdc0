import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** A body that no parser takes is told what would be right; yoga answers it with a bare 415. */
export const useContentType = (): Plugin => ({
  onRequestParse({ request, requestParser }) {
    if (requestParser !== undefined || request.method !== 'POST') return;
    throw new GraphQLError('Send the query as JSON, {"query": "..."}, with Content-Type: application/json.', {
      extensions: { code: 'BAD_REQUEST', http: { status: 415 } },
    });
  },
});
