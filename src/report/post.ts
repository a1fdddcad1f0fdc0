import { request } from 'undici';
import { beginningOf } from './others-words.ts';

/** What came back from one HTTP request. */
export interface Reply {
  readonly status: number;
  /** The header. */
  readonly retryAfter: string | undefined;
  /** No more of it than a gateway has to say. */
  readonly body: string;
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** One POST. Redirections are not followed: they would turn it into a GET. */
export type Post = (address: string, sent: Sent) => Promise<Reply>;

/** A gateway that says nothing for so long has lost the request. */
const patience = { headersTimeout: 120_000, bodyTimeout: 120_000 };
/** What comes byte by byte never ends otherwise. */
const wholeMs = 300_000;

/** Half the work of fetch, which counts where a file of millions of lines is sent. */
export const post: Post = async (address, sent) => {
  const late = AbortSignal.timeout(wholeMs);
  const signal = sent.signal ? AbortSignal.any([sent.signal, late]) : late;
  const { statusCode, headers, body } = await request(address, { method: 'POST', ...patience, ...sent, signal });
  const retryAfter = headers['retry-after'];
  return {
    status: statusCode,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    body: await beginningOf(body),
  };
};

/** By a fetch of somebody else's. */
export const postBy =
  (ask: typeof fetch): Post =>
  async (address, sent) => {
    const answer = await ask(address, { method: 'POST', redirect: 'manual', ...sent });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after') ?? undefined,
      body: await beginningOf(answer.body),
    };
  };

/** Only the kind of fault: its text can hold the address. */
export function whyLost(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const kind = [code, cause?.code].find((kind) => typeof kind === 'string');
  if (kind === 'UND_ERR_HEADERS_TIMEOUT' || kind === 'UND_ERR_BODY_TIMEOUT')
    return `It did not answer within ${patience.headersTimeout / 1000} s.`;
  return `It cannot be reached, or the connection broke off${kind === undefined ? '' : ` (${String(kind)})`}.`;
}
