import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Log } from './deps.ts';
import { forClient } from './client-error.ts';

/** Every error of an answer, wherever it arose, in the form that a client may read; what is masked goes to the log. */
export const useRefusals = (log: Log): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    if (Symbol.asyncIterator in result || Array.isArray(result)) return;
    const { data, extensions, errors = [] } = result;
    // Yoga answers an empty list where a thrown error calls itself an abort.
    const thrown: readonly unknown[] = errors.length === 0 && data === undefined ? [new Error('aborted')] : errors;
    if (thrown.length === 0) return;
    const answers = thrown.map(forClient);
    // A client that went away is not a fault of the gateway, and there is nobody to read the answer.
    if (!request.signal.aborted) {
      for (const answer of answers) if ('internal' in answer) log(internalError(answer.error.path, answer.internal));
    }
    setResult({
      // Plain objects: they are written, not thrown.
      errors: answers.map(({ error }) => error) as unknown as readonly GraphQLError[],
      ...(data !== undefined && { data }),
      ...(extensions && { extensions }),
    } satisfies ExecutionResult);
  },
});

const internalError = (path: readonly (string | number)[] | undefined, error: unknown): Record<string, unknown> => ({
  level: 'error',
  event: 'internal error',
  ...(path && { path: path.join('.') }),
  ...causes(error),
});

/** The stack of an error, and of what caused it. */
function causes(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.stack ?? String(error), ...(error.cause !== undefined && { cause: causes(error.cause) }) };
}
