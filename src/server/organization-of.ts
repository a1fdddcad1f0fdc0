import { createHash } from 'node:crypto';
import type { Organization } from '../domain/site.ts';
import { Refusal } from '../errors.ts';

/**
 * Whose request it is, by its bearer token.
 *
 * Where no organization has tokens, every request is the first one's: the configuration allows that for one alone, on
 * a loopback address.
 *
 * @throws Refusal UNAUTHENTICATED, from what it returns
 */
export function organizationOf<Tenant extends Organization & { readonly tokens: readonly string[] }>(
  organizations: readonly Tenant[],
): (request: Request) => Tenant {
  // By digest: how long a look-up takes then says nothing of how much of a token was right.
  const owners = new Map(
    organizations.flatMap((organization) =>
      organization.tokens.map((token) => [digestOf(token), organization] as const),
    ),
  );
  const [first] = organizations;
  if (owners.size === 0 && first !== undefined) return () => first;
  return (request) => {
    const [, token] = /^Bearer +([^ ]+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const owner = token === undefined ? undefined : owners.get(digestOf(token));
    if (owner !== undefined) return owner;
    const what = token === undefined ? 'This gateway needs a token' : 'This token is not known here';
    throw new Refusal('UNAUTHENTICATED', `${what}; send the header Authorization: Bearer <token>.`);
  };
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');
