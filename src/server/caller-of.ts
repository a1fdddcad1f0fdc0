import type { Caller } from '../domain/caller.ts';
import type { Organization } from '../domain/site.ts';
import { bearerToken } from './bearer-token.ts';
import type { Log } from './deps.ts';
import { jwtCallers, type JwtSettings } from './jwt-callers.ts';
import { proxyCallers, type ProxySettings } from './proxy-callers.ts';
import { tokenCallers, type Token } from './token-callers.ts';
import { nobody } from './unauthenticated.ts';

export interface CallerSettings<Tenant extends Organization> {
  readonly organizations: readonly (Tenant & { readonly tokens: readonly Token[] })[];
  readonly auth: { readonly jwt?: JwtSettings; readonly proxy?: ProxySettings };
}

/**
 * Who asks: by the header of a trusted proxy, else by a token that is known here, else by a JWT.
 *
 * Where no kind of credential is configured, every request is the first organization's, and its operator's: the
 * configuration allows that for one organization alone, on a loopback address.
 *
 * @returns takes the request and the address of the TCP peer; throws Refusal UNAUTHENTICATED, AUTHENTICATION_UNAVAILABLE
 */
export function callerOf<Tenant extends Organization>(
  { organizations, auth }: CallerSettings<Tenant>,
  log: Log,
): (request: Request, peer?: string) => Promise<Caller<Tenant>> {
  const [first] = organizations;
  const hasTokens = organizations.some(({ tokens }) => tokens.length > 0);
  if (first !== undefined && !hasTokens && !auth.jwt && !auth.proxy) {
    return async () => ({ organization: first, isOperator: true });
  }
  const byName = new Map(organizations.map((organization) => [organization.name, organization] as const));
  const ofProxy = auth.proxy && proxyCallers(auth.proxy, byName);
  const ofToken = tokenCallers(organizations);
  const ofJwt = auth.jwt && jwtCallers(auth.jwt, byName, log);
  const takesTokens = hasTokens || auth.jwt !== undefined;
  return async ({ headers }, peer) => {
    const proxied = ofProxy?.(headers, peer);
    if (proxied) return proxied;
    const token = bearerToken(headers);
    if (token === undefined) throw nobody(takesTokens ? 'none' : 'untold');
    const caller = ofToken(token) ?? (await ofJwt?.(token));
    if (!caller) throw nobody(takesTokens ? 'unknown' : 'untold');
    return caller;
  };
}
