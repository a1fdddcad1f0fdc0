import type { TypedDocumentString } from './generated/graphql.ts';
import { ownHash } from './own-documents.ts';

/** One GraphQL request in the caller's name: with its credentials, limits and log line, as if it had come over HTTP. */
export type Ask = (body: GraphRequest, signal?: AbortSignal) => Promise<Response>;

export interface GraphRequest {
  readonly query?: string;
  /** In its place, where the gateway answers trusted documents alone. */
  readonly documentId?: string;
  readonly variables?: object;
  readonly operationName?: string;
}

export interface GraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly status: number; readonly [detail: string]: unknown };
}

export interface GraphAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphError[];
  readonly extensions?: { readonly warnings?: readonly string[] };
}

/** The graph, to be asked in documents of the project's own. */
export type Graph = <Data, Variables extends object>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
) => Promise<GraphAnswer<Data>>;

/**
 * @param trustedOnly  the gateway knows documents by their hashes alone
 * @param signal       ends what is under way when the caller has gone
 */
export const graphOver =
  (ask: Ask, trustedOnly: boolean, signal: AbortSignal): Graph =>
  async (document, variables) => {
    const named = trustedOnly ? { documentId: `sha256:${ownHash(document)}` } : { query: document.toString() };
    return (await ask({ ...named, variables }, signal)).json();
  };
