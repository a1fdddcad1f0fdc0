import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../errors.ts';
import { QueryNotAccepted } from '../reads/ask.ts';
import { unquoted } from '../reads/store-words.ts';
import { namesFault } from './fault-words.ts';
import { namesLimit } from './limit-words.ts';
import { StoreFault, throttled, tooLarge, unavailable } from './store-fault.ts';
import { ApiError } from './wire.ts';

/** Enough for every message of a store, too little for a page of HTML to fill the log. */
const wordsKept = 2_000;

/** The beginning of the body of an answer that is an error. The rest is read, so that the connection lives on, and dropped. */
export class ErrorBody {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    if (this.#length > 65_536) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** What an answer that is an error means for the client, whose own query it may have been. */
export function refusalFor(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  ofClient: boolean,
): Refusal | QueryNotAccepted {
  const api = apiErrorIn(body);
  const words = (api?.error ?? body.trim()).slice(0, wordsKept);
  const fault = new StoreFault(words, { status, errorType: api?.errorType });
  // A client's query is quoted in them, and can say anything.
  const own = ofClient ? unquoted(words) : words;
  // The words come before the status: 400, 422, 500 and 503 are all used for a limit.
  if (namesLimit(own)) return tooLarge(fault);
  if (status === 429) return throttled(fault, retryAfterS(headers['retry-after']));
  if (ofClient && api && (status === 400 || status === 422) && !namesFault(own)) return new QueryNotAccepted(words);
  return unavailable(fault);
}

/** The API's own error in a body, where that is what the body is. */
export function apiErrorIn(body: string): ApiError | undefined {
  try {
    return ApiError.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** A client that is told more would not come back, and the store may be well in a minute. */
const longestWaitS = 3_600;

/** Whole seconds of a Retry-After, which is a number of seconds or a date; one second where it says nothing usable. */
export function retryAfterS(header: string | undefined, nowMs: number = Date.now()): number {
  const text = header?.trim() ?? '';
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(longestWaitS, Math.max(1, Math.ceil(seconds))) : 1;
}
