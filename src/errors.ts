/** Every way a request is refused: the HTTP status it means, and whether asking again can help. */
export const errorCodes = {
  BAD_REQUEST: { status: 422, retry: false },
  UNAUTHENTICATED: { status: 401, retry: false },
  NOT_FOUND: { status: 404, retry: false },
  AMBIGUOUS_CLUSTER: { status: 409, retry: false },
  QUERY_TOO_LARGE: { status: 422, retry: false },
  AUTHENTICATION_UNAVAILABLE: { status: 503, retry: true },
  THROTTLED: { status: 429, retry: true },
  METRICS_UNAVAILABLE: { status: 503, retry: true },
} as const satisfies Record<string, { status: number; retry: boolean }>;

export type ErrorCode = keyof typeof errorCodes;

/** What a client needs besides the message; each becomes a key of `extensions`. */
export interface RefusalDetails {
  /** AMBIGUOUS_CLUSTER: the islands to choose from. */
  readonly candidates?: readonly { readonly name: string; readonly island: string }[];
  /** THROTTLED: whole seconds to wait. */
  readonly retryAfterS?: number;
  /** BAD_REQUEST for a PromQL query: which rule, for programs. */
  readonly reason?: string;
  /** And where in the query, counted from 1. */
  readonly position?: { readonly line: number; readonly column: number };
}

/**
 * The one error that reaches clients.
 *
 * `message` is for the client: what to change. `cause` is for the log: addresses, stacks, the store's words.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, message: string, options: ErrorOptions & { details?: RefusalDetails } = {}) {
    super(message, options);
    this.name = 'Refusal';
    this.code = code;
    this.details = options.details ?? {};
  }
}
