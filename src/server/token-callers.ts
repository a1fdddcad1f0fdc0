import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../domain/caller.ts';
import type { Organization } from '../domain/site.ts';

/** A bearer token of one organization. */
export interface Token {
  readonly text: string;
  readonly isOperator: boolean;
}

/**
 * Who has a token that the configuration knows.
 *
 * Digests are compared, each with every one there is: how long that takes says neither how much of a token was right nor
 * which one it was.
 *
 * @returns undefined for a token of nobody
 */
export function tokenCallers<Tenant extends Organization & { readonly tokens: readonly Token[] }>(
  organizations: readonly Tenant[],
): (token: string) => Caller<Tenant> | undefined {
  const known = organizations.flatMap((organization) =>
    organization.tokens.map(({ text, isOperator }) => ({
      digest: digestOf(text),
      caller: { organization, isOperator },
    })),
  );
  return (token) => {
    const digest = digestOf(token);
    const same = known.filter((one) => timingSafeEqual(one.digest, digest));
    return same.at(0)?.caller;
  };
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
