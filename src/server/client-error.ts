import { errorCodes } from '../errors.ts';
import type { ErrorCode, Refusal } from '../errors.ts';

/** An error as the client reads it. */
export interface ClientError {
  readonly message: string;
  readonly locations?: readonly unknown[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly status: number; readonly [detail: string]: unknown };
}

/** What came out of parsing, validation, coercion, resolvers or the edge: a GraphQLError of any copy of graphql, or whatever was thrown. */
interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly details?: object;
  readonly locations?: readonly unknown[];
  readonly path?: readonly (string | number)[];
  readonly nodes?: readonly unknown[];
  readonly extensions?: {
    readonly code?: unknown;
    readonly http?: { readonly status?: number };
  };
  readonly originalError?: unknown;
}

/**
 * What a client may read of an error.
 *
 * A Refusal speaks for itself, and so does what graphql says of the client's own document. Everything else is ours:
 * the client learns that, and the log learns the rest.
 *
 * @returns `thrown`: what the log should know of it
 */
export function forClient(error: unknown): { error: ClientError; thrown: unknown } {
  const outer = seen(error);
  const root = rootOf(error);
  const at = { ...(outer.locations && { locations: outer.locations }), ...(outer.path && { path: outer.path }) };
  const answer = (message: string, extensions: ClientError['extensions']) => ({
    error: { message, ...at, extensions },
    thrown: root,
  });

  if (isRefusal(root)) {
    const { status } = errorCodes[root.code];
    // The outer message also says which variable or argument it was.
    return answer(String(outer.message), { code: root.code, status, ...root.details });
  }
  const code = seen(root).extensions?.code;
  // At a field graphql adds where that is, so only the root tells an argument of the client's from a scalar of ours that
  // cannot be written. Before the fields it points at the variable; the edge's own refusals point nowhere and have a code.
  const isBefore = outer.path === undefined;
  const isPointed = (seen(isBefore ? error : root).nodes ?? []).length > 0;
  const isOfClient = isGraphQLError(root) && (isPointed || (isBefore && typeof code === 'string'));
  if (!isOfClient || code === 'INTERNAL_SERVER_ERROR') return answer(masked, internal);
  if (code === 'REQUEST_ENTITY_TOO_LARGE') return answer(tooLarge, { code: 'QUERY_TOO_LARGE', status: 422 });
  // Variables and arguments of the wrong type come without a code.
  const spelled = typeof code === 'string' ? code : 'BAD_REQUEST';
  const status = seen(root).extensions?.http?.status ?? statusOf(spelled);
  return answer(String(outer.message), { code: spelled, status });
}

const masked = 'Something went wrong in the gateway. It is not the query; ask again, and report it if it stays.';
const internal = { code: 'INTERNAL_SERVER_ERROR', status: 500 };
const tooLarge = 'The request is larger than 1 MiB; ask for less in one document, or send long lists in several.';

const seen = (error: unknown): Thrown =>
  typeof error === 'object' && error !== null ? (error as Thrown) : { message: error };

function rootOf(error: unknown): unknown {
  const { originalError } = seen(error);
  return originalError === undefined || originalError === null ? error : rootOf(originalError);
}

// By what they say of themselves: with two copies of a module in the process, `instanceof` is silently false.
const isRefusal = (error: unknown): error is Refusal =>
  seen(error).name === 'Refusal' && Object.hasOwn(errorCodes, String(seen(error).code));
const isGraphQLError = (error: unknown): boolean => seen(error).name === 'GraphQLError';

const statusOf = (code: string): number =>
  Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].status : 400;
