import type { Plugin } from 'graphql-yoga';
import type { Log } from './deps.ts';
import type { ClientError } from './client-error.ts';

/** One line for every answer of the graph: how long it took, and how it was refused. Neither the query nor its variables. */
export const useRequestLog = (log: Log): Plugin => {
  const started = new WeakMap<Request, number>();
  const codes = new WeakMap<Request, readonly string[]>();
  const streams = new WeakSet<Request>();
  return {
    onRequest({ request }) {
      started.set(request, performance.now());
    },
    onResultProcess({ request, result }) {
      if (Symbol.asyncIterator in result) streams.add(request);
      const errors = 'errors' in result ? ((result.errors ?? []) as readonly unknown[] as readonly ClientError[]) : [];
      codes.set(request, [...new Set(errors.map(({ extensions }) => extensions.code))]);
    },
    onResponse({ request, response }) {
      const refused = codes.get(request);
      // Health checks come every few seconds, and say nothing.
      if (refused === undefined) return;
      const ms = Math.round(performance.now() - started.get(request)!);
      const gone = request.signal.aborted;
      log({
        level: 'info',
        event: gone ? 'client went away' : streams.has(request) ? 'subscribed' : 'answer',
        status: response.status,
        ms,
        ...(refused.length > 0 && !gone && { codes: refused }),
      });
    },
  };
};
