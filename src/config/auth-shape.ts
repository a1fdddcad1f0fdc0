import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isLoopback } from './loopback.ts';
import { isText, orShort } from './shorthand.ts';
import { section } from './wording.ts';

const Text = z.string().min(1);

/** What may follow `Bearer `. */
export const bearer = /^[\w.~+/=-]+$/;
export const bearerRule = 'must be a bearer token: letters, digits and - . _ ~ + / = only';

export const Tokens = z
  .array(
    orShort(
      isText,
      (token) => ({ token }),
      section({ token: z.string().regex(bearer, bearerRule), operator: z.boolean().default(false) }),
    ),
  )
  .default([]);

/** Signatures that the holder of the public key cannot make. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const KeysUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}, 'must be an https address without credentials (http on a loopback address alone): whoever can change the keys can be anybody');

const Jwt = section({
  jwks: KeysUrl.optional(),
  jwksFile: Text.optional(),
  issuer: Text,
  audience: Text,
  claim: Text.default('organization'),
  algorithms: z.array(z.enum(algorithms)).min(1).default(['RS256', 'ES256', 'EdDSA', 'PS256']),
  operator: section({ claim: Text, value: Text }).optional(),
  clockToleranceS: z.number().min(0).max(300).default(5),
}).refine(
  ({ jwks, jwksFile }) => (jwks === undefined) !== (jwksFile === undefined),
  'must say where the keys are: with jwks (an address) or with jwksFile, not both',
);

/** Headers that say something else already, and those that any client may send through a proxy. */
const taken =
  /^(authorization|proxy-.*|cookie|host|origin|referer|user-agent|accept.*|content-.*|sec-.*|access-control-.*|connection|upgrade|te|trailer|transfer-encoding|expect|from|age|etag|expires|date|location|if-.*|last-modified|max-forwards|retry-after|server|via|forwarded|x-real-ip|x-forwarded-(for|host|proto|port|server))$/i;
const ProxyHeader = z
  .string()
  .regex(/^[\w!#$%&'*+.^|~-]+$/, 'must be a header name')
  .refine((name) => !taken.test(name), 'must be a header of its own, like x-gpuql-organization')
  .transform((name) => name.toLowerCase());

const Peers = z.string().superRefine((text, context) => {
  const [ip = '', prefix, more] = text.split('/');
  const bits = isIPv6(ip) ? 128 : 32;
  const fault = (message: string) => context.addIssue({ code: 'custom', message });
  if (isIP(ip) === 0 || more !== undefined || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) {
    return fault('must be an address or a network, like 10.0.0.5, 10.1.0.0/16 or ::1');
  }
  if (/^::ffff:/i.test(ip)) return fault('must be written as IPv4');
  if (prefix !== undefined && Number(prefix) > bits) return fault(`must have at most ${bits} bits after the /`);
  if (prefix !== undefined && Number(prefix) === 0) fault('would believe everybody; name the addresses of the proxy');
});

const Proxy = section({
  header: ProxyHeader,
  operatorHeader: ProxyHeader.optional(),
  addresses: z.array(Peers).min(1, 'must name at least one address of the proxy'),
}).refine(({ header, operatorHeader }) => header !== operatorHeader, {
  path: ['operatorHeader'],
  error: 'is the header that names the organization; give it a name of its own',
});

/** Other ways than tokens to tell who asks. */
export const Auth = section({ jwt: Jwt.optional(), proxy: Proxy.optional() }).prefault({});
