import type { ServerResponse } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { Deps } from './deps.ts';

/**
 * Lets operations in, and sees them out: when the answer is sent, when the client leaves, when anything fails. An answer
 * that its client does not read is held here, so until then it counts. It looks at who asks and not at the document, which
 * is not parsed for one that is turned away.
 */
export const useAdmission = <Operation extends object>(
  { admit }: Pick<Deps<Operation>, 'admit'>,
  operations: WeakMap<Request, Operation>,
): Plugin => {
  const ends = new WeakMap<Request, () => void>();
  return {
    onRequest({ requestHandler, setRequestHandler }) {
      setRequestHandler(async (request, context) => {
        try {
          return await requestHandler(request, context);
        } finally {
          const end = ends.get(request);
          const { res } = context as { readonly res?: ServerResponse };
          if (end && res && !res.closed) res.once('close', end);
          else end?.();
        }
      });
    },
    async onParams({ request }) {
      const operation = operations.get(request);
      if (!operation || !admit) return;
      const end = await admit(operation);
      ends.set(request, end);
      if (request.signal.aborted) end();
      else request.signal.addEventListener('abort', end, { once: true });
    },
  };
};
