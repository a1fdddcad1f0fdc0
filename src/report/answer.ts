import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import type { Delivered } from './delivered.ts';
import type { Reply } from './post.ts';

/** What an answer of the gateway means for what was sent. */
export type Answer =
  | { readonly taken: Delivered }
  /** Nothing of it counts; the same may be taken later. */
  | { readonly again: string; readonly afterMs?: number }
  /** It was too much at once. */
  | { readonly tooLarge: string }
  /** It will not be taken, however often it is sent. */
  | { readonly not: string };

const count = z.int().min(0);
const report = z.object({
  written: count,
  repeated: count,
  conflicting: count,
  refused: count,
  skipped: z.array(z.object({ kind: z.string(), count })),
  rejected: z.array(z.object({ index: count, reason: z.string() })),
  note: z.string().nullable(),
});
const graphql = z.object({
  data: z.object({ reportRun: report.nullable() }).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string().optional(), retryAfterS: z.number().optional() }).optional(),
      }),
    )
    .optional(),
});

export function readAnswer({ status, retryAfter, body }: Reply): Answer {
  const read = graphql.safeParse(jsonOf(body));
  const taken = read.data?.data?.reportRun;
  if (taken) return { taken };
  const error = read.data?.errors?.[0];
  const code = error?.extensions?.code;
  if (code === 'QUERY_TOO_LARGE' || status === 413)
    return { tooLarge: error?.message ?? 'The gateway takes no request that large (HTTP 413).' };
  const message = error?.message ?? withoutWords(status);
  if (isPassing(status, code)) {
    const afterS = Math.max(error?.extensions?.retryAfterS ?? 0, secondsOf(retryAfter));
    return { again: message, ...(afterS > 0 && { afterMs: afterS * 1000 }) };
  }
  return { not: code === 'UNAUTHENTICATED' || status === 401 ? `${message} ${askForToken}` : message };
}

const askForToken = 'Set GPUQL_TOKEN to a token that the gateway knows.';

/** The gateway's own word for it counts; only what stands before it is told by its status. */
const isPassing = (status: number, code: string | undefined): boolean =>
  code !== undefined && Object.hasOwn(errorCodes, code)
    ? errorCodes[code as ErrorCode].retry
    : status >= 500 || status === 429 || status === 408;

/** Of what is no GraphQL. */
function withoutWords(status: number): string {
  if (status >= 500 || status === 429 || status === 408) return `It answers HTTP ${status}.`;
  if (status >= 300 && status < 400)
    return `The address answers with a redirection (HTTP ${status}): give the one that it leads to.`;
  if (status === 404) return 'There is no GraphQL at this address (HTTP 404): check the URL of the gateway.';
  return `What answers at this address is no gpuql gateway (HTTP ${status}, not the answer of reportRun): check its URL.`;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Retry-After is a number of seconds or a date. */
function secondsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = Number(text);
  return Number.isFinite(seconds) ? seconds : Math.max(0, (Date.parse(text) - Date.now()) / 1000) || 0;
}
