import type { Plugin } from 'graphql-yoga';

/** Yoga also takes `/any/prefix/graphql`; here a wrong address is told what the right one is. */
export const usePaths = (endpoint: string): Plugin => ({
  onRequest({ url, endResponse, fetchAPI }) {
    if (url.pathname === endpoint || url.pathname === `${endpoint}/`) return;
    const text = `Nothing is here. GraphQL is at ${endpoint}.\n`;
    endResponse(new fetchAPI.Response(text, { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }));
  },
});
