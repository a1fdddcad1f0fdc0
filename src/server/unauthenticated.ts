import { Refusal } from '../errors.ts';

const words = {
  none: 'This gateway needs a token; send the header Authorization: Bearer <token>.',
  unknown: 'This token is not known here; send the header Authorization: Bearer <token>.',
  untold: 'This gateway cannot tell who asks; ask through the proxy that stands before it.',
} as const;

/**
 * The refusal of whoever has no good credential. Whatever is wrong with one, the words are the same, so that nobody can
 * find out by trying which organizations there are; `cause` is the reason, for the debug log.
 */
export const nobody = (what: keyof typeof words, cause?: unknown): Refusal =>
  new Refusal('UNAUTHENTICATED', words[what], cause === undefined ? {} : { cause });
