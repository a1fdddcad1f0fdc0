import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * Queries come as JSON. A form is refused though yoga could read it: any page of any site can make a browser send one, and
 * it is what `curl -d` sends when nobody says otherwise.
 */
export const useContentType = (): Plugin => ({
  onRequestParse({ request, requestParser }) {
    if (request.method !== 'POST') return;
    const type = request.headers.get('content-type')?.toLowerCase() ?? '';
    if (requestParser !== undefined && !type.includes('form')) return;
    throw new GraphQLError('Send the query as JSON, {"query": "..."}, with Content-Type: application/json.', {
      extensions: { code: 'BAD_REQUEST', http: { status: 415 } },
    });
  },
});
