import type { Plugin } from 'graphql-yoga';

/** An answer is one organization's, and of this moment: no cache between us and the client may keep it. */
export const useNoStore = (): Plugin => ({
  onResponse({ response }) {
    response.headers.set('Cache-Control', 'private, no-store');
  },
});
