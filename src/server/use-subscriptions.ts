import { createSourceEventStream, GraphQLError, validateSubscriptionArgs } from 'graphql';
import type { ExecutionArgs } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Moment } from '../live/moment.ts';
import { forClient } from './client-error.ts';
import type { Deps } from './deps.ts';
import { liveResults } from './live-results.ts';
import { takesEvents } from './media-type.ts';
import { peerOf } from './peer.ts';
import { linesFor } from './use-refusals.ts';

/**
 * Subscriptions: counted while they are open, and ended with the client, with its credential, or with their source.
 *
 * Each event is answered by graphql's own execution, in the operation that the event came with.
 */
export const useSubscriptions = <Operation extends object>(
  {
    operation: operationOf,
    open,
    warnings,
    log,
    introspection = true,
  }: Pick<Deps<Operation>, 'operation' | 'open' | 'warnings' | 'log' | 'introspection'>,
  operations: WeakMap<Request, Operation>,
): Plugin<YogaInitialContext> => ({
  onSubscribe({ args, setSubscribeFn }) {
    const { request } = args.contextValue;
    const peer = peerOf(args.contextValue as Parameters<typeof peerOf>[0]);
    const operation = operations.get(request);
    if (!operation) throw new TypeError('A subscription is opened that no request asked for');
    setSubscribeFn(async (given: ExecutionArgs) => {
      if (!takesEvents(request.headers.get('accept'))) throw notAsEvents();
      const close = open?.(operation) ?? (() => {});
      try {
        const validated = validateSubscriptionArgs({
          ...given,
          contextValue: operation,
          abortSignal: request.signal,
          hideSuggestions: !introspection,
        });
        if (!('schema' in validated)) return (close(), { errors: validated });
        const source = await createSourceEventStream(validated);
        if (!(Symbol.asyncIterator in source)) return (close(), source);
        const began = performance.now();
        const results = liveResults(
          validated,
          (source as AsyncIterable<Moment<Operation, unknown>>)[Symbol.asyncIterator](),
          {
            // A token may have an end, or be taken away, and a stream has none.
            check: async () => operationOf(request, peer),
            warnings,
            onErrors: (thrown) => linesFor(thrown.map(forClient)).forEach(log),
            onEnd: ({ events, codes }) => {
              close();
              log({
                level: 'info',
                event: 'subscription ended',
                ms: Math.round(performance.now() - began),
                events,
                ...(codes.length > 0 && { codes }),
              });
            },
          },
        );
        const leave = (): void => void results.return?.();
        if (request.signal.aborted) leave();
        else request.signal.addEventListener('abort', leave, { once: true });
        return results;
      } catch (error) {
        close();
        throw error;
      }
    });
  },
});

const notAsEvents = (): GraphQLError =>
  new GraphQLError('A subscription is answered as a stream of events: send Accept: text/event-stream.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 406 } },
  });
