import type { Plugin } from 'graphql-yoga';
import { securityHeaders } from './security-headers.ts';

/** The headers of every answer, where it has not said otherwise itself. */
export const useSecurityHeaders = (): Plugin => ({
  onResponse({ response }) {
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
  },
});
