import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose';
import type { FetchImplementation, JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Log } from './deps.ts';

/** There are no keys, or none that can be used: not the fault of whoever sent the token. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys of the issuer of tokens cannot be had', { cause });
    this.name = 'KeysUnavailable';
  }
}

const fetchTimeoutMs = 5_000;
/** Whatever goes wrong, and however many tokens come, the issuer is not asked more often than that. */
const betweenFetchesMs = 5_000;
/** After keys came, a key that is not among them is no reason to ask again before that. */
const cooldownMs = 30_000;
/** Keys this old are asked for anew, beside the requests: those wait for nothing. */
const refreshMs = 600_000;
/** Keys this old are not believed any more: the issuer may have withdrawn one meanwhile. */
const longestUseMs = 86_400_000;

/**
 * The keys that an issuer of tokens signs with.
 *
 * @param from  the address of its JWKS, or the JWKS
 * @returns     throws KeysUnavailable, and what jose says of a token that no key is for
 */
export function issuerKeys(from: string | JSONWebKeySet, log: Log): JWTVerifyGetKey {
  const keys = typeof from === 'string' ? remoteKeys(new URL(from), log) : createLocalJWKSet(from);
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      throw isOfToken(error) ? error : new KeysUnavailable(error);
    }
  };
}

const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

function remoteKeys(url: URL, log: Log): JWTVerifyGetKey {
  let triedAt = Number.NEGATIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;
  const spaced: FetchImplementation = async (address, options) => {
    if (performance.now() - triedAt < betweenFetchesMs) throw new Error('they were asked for a moment ago');
    triedAt = performance.now();
    return fetch(address, options);
  };
  const keys = createRemoteJWKSet(url, {
    [customFetch]: spaced,
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: longestUseMs,
  });
  /** Once for each time they were asked for. */
  const say = (error: unknown): void => {
    if (saidAt === triedAt) return;
    saidAt = triedAt;
    log({ level: 'warn', event: 'the keys of the issuer of tokens do not come' });
    log({ level: 'debug', event: 'the keys of the issuer of tokens do not come', error: causes(error) });
  };
  return async (header, token) => {
    if (keys.fresh && performance.now() - triedAt > refreshMs) keys.reload().catch(say);
    return keys(header, token).catch((error: unknown) => {
      if (!isOfToken(error)) say(error);
      throw error;
    });
  };
}

const causes = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `${error.message}: ${causes(error.cause)}` : String(error);
