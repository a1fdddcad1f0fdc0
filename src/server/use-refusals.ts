import { GraphQLError } from 'graphql';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Log } from './deps.ts';
import { forClient } from './client-error.ts';

/** Every error of an answer, wherever it arose, in the form that a client may read; what is masked goes to the log. */
export const useRefusals = (log: Log): Plugin => ({
  onRequestParse({ requestParser, setRequestParser }) {
    if (requestParser !== undefined) setRequestParser(async (request) => readable(() => requestParser(request)));
  },
  onResultProcess({ request, result, setResult }) {
    if (Symbol.asyncIterator in result || Array.isArray(result)) return;
    const { data, extensions, errors = [] } = result;
    // Yoga answers an empty list where a thrown error calls itself an abort.
    const thrown: readonly unknown[] = errors.length === 0 && data === undefined ? [new Error('aborted')] : errors;
    if (thrown.length === 0) return;
    const answers = thrown.map(forClient);
    // A client that went away is not a fault of the gateway, and there is nobody to read the answer.
    if (!request.signal.aborted) for (const line of linesFor(answers)) log(line);
    setResult({
      // Plain objects: they are written, not thrown.
      errors: answers.map(({ error }) => error) as unknown as readonly GraphQLError[],
      ...(data !== undefined && { data }),
      ...(extensions && { extensions }),
    } satisfies ExecutionResult);
  },
});

/** The parsers of addresses and forms let JSON.parse speak for itself, and that looks like a bug of ours. */
async function readable<Params>(parse: () => Params): Promise<Awaited<Params>> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new GraphQLError('The variables and extensions of a request are JSON objects; these are not JSON.', {
      extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
    });
  }
}

/** One line for each thing that was thrown, however many fields it failed. */
export function linesFor(answers: readonly ReturnType<typeof forClient>[]): Record<string, unknown>[] {
  const distinct = new Map(answers.map((answer) => [answer.thrown, answer] as const));
  return [...distinct.values()].flatMap(({ error: { path, extensions }, thrown }) => {
    const at = path ? { path: path.join('.') } : {};
    if (extensions.code === 'INTERNAL_SERVER_ERROR') {
      return [{ level: 'error', event: 'internal error', ...at, ...causes(thrown) }];
    }
    // A refusal's cause holds addresses and the store's own words: for whoever asked for them.
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    return cause === undefined
      ? []
      : [{ level: 'debug', event: 'refused', code: extensions.code, ...at, cause: causes(cause) }];
  });
}

/** The stack of an error, and of what caused it. */
function causes(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.stack ?? String(error), ...(error.cause !== undefined && { cause: causes(error.cause) }) };
}
