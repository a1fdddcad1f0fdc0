import type { Plugin } from 'graphql-yoga';

const allowed = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, X-Gpuql-Cost, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '600',
} as const;

/**
 * Lets pages of other sites ask, and read the answers: those of the origins given, letter for letter, and with a token
 * that they send themselves, never with cookies.
 *
 * Not yoga's own: to an origin that is not in the list that one answers with another one's name or with `null`, which is
 * what a page in a sandbox calls itself.
 */
export const useCors = (origins: readonly string[]): Plugin => {
  const isAllowed = ({ headers }: Request): boolean => origins.includes(headers.get('origin') ?? '');
  return {
    onRequest({ request, endResponse, fetchAPI }) {
      if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return;
      if (isAllowed(request)) endResponse(new fetchAPI.Response(null, { status: 204, headers: allowed }));
    },
    onResponse({ request, response: { headers } }) {
      if (origins.length === 0) return;
      headers.append('Vary', 'Origin');
      if (!isAllowed(request)) return;
      headers.set('Access-Control-Allow-Origin', request.headers.get('origin')!);
      headers.set('Access-Control-Expose-Headers', 'Retry-After');
    },
  };
};
