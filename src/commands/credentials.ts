import { createHash, timingSafeEqual } from 'node:crypto';
import type { Organization } from '../domain/site.ts';
import { Refusal } from '../errors.ts';

type Holder = Organization & { readonly tokens: readonly string[] };

/**
 * The organization that a request's bearer token belongs to. Without any token configured the gateway is open, which the
 * configuration allows on loopback alone, and serves the first organization.
 *
 * @throws Refusal UNAUTHENTICATED
 */
export function organizationOf(organizations: readonly Holder[], request: Request): Organization {
  if (organizations.every(({ tokens }) => tokens.length === 0)) return organizations[0]!;
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined) {
    throw new Refusal('UNAUTHENTICATED', 'This gateway wants a token: send the header Authorization: Bearer <token>.');
  }
  // Every token is compared, in constant time, so that nothing about them shows in how long a refusal takes.
  const found = organizations.filter(({ tokens }) => tokens.map((known) => same(known, token)).includes(true));
  if (found.length === 0) throw new Refusal('UNAUTHENTICATED', 'That token is not known here; ask for a new one.');
  return found[0]!;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
