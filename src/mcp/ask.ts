import type { TypedDocumentString } from './generated/graphql.ts';

/** One GraphQL request in the caller's name: with its credentials, limits and log line, as if it had come over HTTP. */
export type Ask = (body: GraphRequest, signal?: AbortSignal) => Promise<Response>;

export interface GraphRequest {
  readonly query: string;
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

/** @param signal  ends what is under way when the caller has gone */
export const graphOver =
  (ask: Ask, signal: AbortSignal): Graph =>
  async (document, variables) =>
    (await ask({ query: document.toString(), variables }, signal)).json();
