import { jwtVerify } from 'jose';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import type { Caller } from '../domain/caller.ts';
import type { Organization } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import type { Log } from './deps.ts';
import { issuerKeys, KeysUnavailable } from './issuer-keys.ts';
import { nobody } from './unauthenticated.ts';

export interface JwtSettings {
  /** Where the issuer's keys are, or the keys. */
  readonly keys: string | JSONWebKeySet;
  readonly issuer: string;
  readonly audience: string;
  /** The claim that holds the organization's name. */
  readonly claim: string;
  /** Asymmetric ones alone: with another the public key would do as a secret. */
  readonly algorithms: readonly string[];
  /** A caller is the operator where the claim is this value, or a list that has it. Left out, none is. */
  readonly operator?: { readonly claim: string; readonly value: string } | undefined;
  readonly clockToleranceS: number;
}

/**
 * Who has a JWT of the issuer, made for this gateway, that is valid now.
 *
 * @returns throws Refusal UNAUTHENTICATED whatever is wrong with the token, and AUTHENTICATION_UNAVAILABLE where there are
 *          no keys to tell
 */
export function jwtCallers<Tenant extends Organization>(
  { keys, issuer, audience, claim, algorithms, operator, clockToleranceS }: JwtSettings,
  organizations: ReadonlyMap<string, Tenant>,
  log: Log,
): (token: string) => Promise<Caller<Tenant>> {
  const key = issuerKeys(keys, log);
  const checks = {
    algorithms: [...algorithms],
    issuer,
    audience,
    clockTolerance: clockToleranceS,
    // What never runs out could never be taken back.
    requiredClaims: ['exp', claim],
  };
  return async (token) => {
    const payload = await jwtVerify(token, key, checks).then(
      (verified) => verified.payload,
      (error: unknown) => {
        throw error instanceof KeysUnavailable ? unavailable(error) : nobody('unknown', error);
      },
    );
    const name = payload[claim];
    const organization = typeof name === 'string' ? organizations.get(name) : undefined;
    if (!organization) throw nobody('unknown', new Error('its claim names no organization that is configured'));
    return { organization, isOperator: operator !== undefined && has(payload, operator) };
  };
}

function has(payload: JWTPayload, { claim, value }: NonNullable<JwtSettings['operator']>): boolean {
  const held = payload[claim];
  return Array.isArray(held) ? held.includes(value) : held === value;
}

const unavailable = (cause: KeysUnavailable): Refusal =>
  new Refusal(
    'AUTHENTICATION_UNAVAILABLE',
    'Your token cannot be checked now: its issuer’s keys do not come. It is not the token; ask again.',
    { cause },
  );
