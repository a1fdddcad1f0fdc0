import { BlockList, isIPv6 } from 'node:net';
import type { Caller } from '../domain/caller.ts';
import type { Organization } from '../domain/site.ts';
import { nobody } from './unauthenticated.ts';

/** A proxy that has found out who asks, and says so in a header. */
export interface ProxySettings {
  /** Holds the organization's name. */
  readonly header: string;
  /** `true` for the operator; any other value, and none, for everybody else. */
  readonly operatorHeader?: string | undefined;
  /** Where the proxy's connections come from: addresses, and networks like `10.1.0.0/16`. */
  readonly addresses: readonly string[];
}

/**
 * Whom a trusted proxy names. From any other peer its header is not there: who could tell that it is looked at could
 * go and look for a way to send it. The peer is the one of the connection; X-Forwarded-For is anybody's to write.
 *
 * @returns undefined where no trusted peer has sent the header; throws Refusal UNAUTHENTICATED where one has, and it
 *          names no organization. A header that came twice holds a comma, and names none
 */
export function proxyCallers<Tenant extends Organization>(
  { header, operatorHeader, addresses }: ProxySettings,
  organizations: ReadonlyMap<string, Tenant>,
): (headers: Headers, peer: string | undefined) => Caller<Tenant> | undefined {
  const trusted = peersAt(addresses);
  return (headers, peer) => {
    const name = peer !== undefined && trusted(peer) ? headers.get(header) : null;
    if (name === null) return undefined;
    const organization = organizations.get(name);
    if (!organization) throw nobody('untold', new Error('the proxy names no organization that is configured'));
    return { organization, isOperator: operatorHeader !== undefined && headers.get(operatorHeader) === 'true' };
  };
}

function peersAt(addresses: readonly string[]): (peer: string) => boolean {
  const list = new BlockList();
  for (const address of addresses) {
    const [ip, prefix] = address.split('/') as [string, string?];
    const family = familyOf(ip);
    if (prefix === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(prefix), family);
  }
  // The list takes `::ffff:10.0.0.5` for 10.0.0.5, and `fe80::1%eth0` for fe80::1.
  return (peer) => list.check(peer, familyOf(peer));
}

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4');
