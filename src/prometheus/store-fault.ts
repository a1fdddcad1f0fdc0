import { Refusal } from '../errors.ts';

/** What a store said when it did not answer the question: for the log, and never for a client. */
export class StoreFault extends Error {
  /** The HTTP status; undefined where there was none. */
  readonly status: number | undefined;
  /** The store's error type (`bad_data`, `execution`, `timeout` …); undefined where it is not the API's error. */
  readonly errorType: string | undefined;
  /** The store's own words, or the beginning of what came in their place. */
  readonly words: string;

  constructor(words: string, options: ErrorOptions & { status?: number; errorType?: string | undefined } = {}) {
    super([options.status, options.errorType, words].filter((part) => part !== undefined).join(' '), options);
    this.name = 'StoreFault';
    this.status = options.status;
    this.errorType = options.errorType;
    this.words = words;
  }
}

/** Why a question got no answer, in a word or two that name no address and no words of the store's. */
export function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (at instanceof StoreFault && at.status !== undefined) return `HTTP ${at.status}`;
    if (at.name === 'TimeoutError') return 'no answer in time';
    if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) && !(at instanceof Refusal)) return code;
  }
  return 'not an answer of the Prometheus API';
}

export const unavailable = (cause: unknown): Refusal =>
  new Refusal('METRICS_UNAVAILABLE', 'The metrics of this cluster could not be read; try again.', { cause });

export const tooLarge = (cause: unknown): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    'This is more than the metrics of this cluster can be asked for at once; narrow the window or the selection.',
    { cause },
  );

export const throttled = (cause: unknown, retryAfterS: number): Refusal =>
  new Refusal('THROTTLED', `Too many requests for the metrics of this cluster; try again in ${retryAfterS} s.`, {
    cause,
    details: { retryAfterS },
  });

/** The answer to a client's own query, of which no more is read than that. */
export const tooMuch = (): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    'The query answers with more series than are read; aggregate them (sum by, topk), or narrow its matchers.',
  );
