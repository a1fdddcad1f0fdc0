import { execute } from 'graphql';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { Deps } from './deps.ts';
import { peerOf } from './peer.ts';

/**
 * One operation object for each operation: the resolvers' context is the object itself, not a copy of its keys. It is made
 * before the document is parsed, so that whoever has no token costs no parsing.
 *
 * graphql's own `execute`, because the executor that yoga brings reads defaults of arguments from where graphql 17 no
 * longer keeps them: `nodes(first: $first)` without `$first` would run without its default.
 */
export const useOperation = <Operation extends object>(
  { operation, warnings, introspection = true }: Pick<Deps<Operation>, 'operation' | 'warnings' | 'introspection'>,
  operations: WeakMap<Request, Operation>,
): Plugin<YogaInitialContext> => {
  return {
    async onParams({ request, context }) {
      operations.set(request, await operation(request, peerOf(context)));
    },
    onExecute({ args, setExecuteFn }) {
      const { request } = args.contextValue;
      const context = operations.get(request);
      if (!context) throw new TypeError('An operation is executed that no request asked for');
      setExecuteFn(async (args: ExecutionArgs): Promise<ExecutionResult> => {
        const result = await execute({
          ...args,
          contextValue: context,
          abortSignal: request.signal,
          hideSuggestions: !introspection,
        });
        const partial = warnings(context);
        return partial.length === 0 ? result : { ...result, extensions: { ...result.extensions, warnings: partial } };
      });
    },
  };
};
