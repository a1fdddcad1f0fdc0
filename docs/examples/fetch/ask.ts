import { patientFetch } from '../patient-fetch.ts';

/** A document with its types, as graphql-codegen's client preset makes it with `documentMode: 'string'`. */
export interface TypedText<Result, Variables> {
  toString(): string;
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
  readonly __meta__?: Record<string, unknown> | undefined;
}

export interface GraphQLFault {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** What to act on; the words are for people. */
  readonly extensions: { readonly code: string; readonly status: number; readonly retryAfterS?: number };
}

export interface Answer<Result> {
  /** Null where nothing was answered. */
  readonly data: Result | null;
  readonly errors: readonly GraphQLFault[];
  /** Clusters whose store left something out: their readings are no whole picture. */
  readonly partial: readonly string[];
}

export interface Gateway {
  readonly url: string;
  readonly token?: string | undefined;
  /** Sends the document's hash in place of its text; the gateway has the text (trusted documents). */
  readonly trusted?: boolean;
}

/** Asks, and waits where there are too many requests. @throws only where what comes back is not the gateway's */
export async function ask<Result, Variables extends object>(
  { url, token, trusted = false }: Gateway,
  document: TypedText<Result, Variables>,
  variables: Variables,
): Promise<Answer<Result>> {
  // As the client preset writes it: "sha256:" and the digest.
  const asked = trusted ? { documentId: document.__meta__?.['hash'] } : { query: document.toString() };
  const response = await patientFetch()(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ ...asked, variables }),
  });
  const {
    data = null,
    errors = [],
    extensions,
  } = (await response.json()) as {
    data?: Result;
    errors?: GraphQLFault[];
    extensions?: { warnings?: string[] };
  };
  return { data, errors, partial: extensions?.warnings ?? [] };
}

/**
 * What null at that path of the answer means: `failed`, nobody knows and asking again can help; `none`, the store answered
 * and holds no reading. Neither is a zero.
 */
export const nullAt = ({ errors }: Answer<unknown>, ...path: (string | number)[]): 'failed' | 'none' =>
  errors.some(({ path: at = [] }) => path.every((key, i) => at[i] === undefined || at[i] === key)) ? 'failed' : 'none';

/** Whether the same question can be answered later. */
export const passes = ({ extensions: { code } }: GraphQLFault): boolean =>
  ['THROTTLED', 'METRICS_UNAVAILABLE', 'AUTHENTICATION_UNAVAILABLE'].includes(code);
