import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { whoApp, whoOf, withoutTokens, withTokens } from './who.ts';

const issuer = 'https://issuer.example';
const audience = 'gpuql';
const seconds = (): number => Math.floor(Date.now() / 1000);

const [rsa, other] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
const edwards = await generateKeyPair('EdDSA', { extractable: true });
const publicKeys: JWK[] = [
  { ...(await exportJWK(rsa.publicKey)), kid: 'a', alg: 'RS256' },
  { ...(await exportJWK(edwards.publicKey)), kid: 'b' },
];

afterEach(() => void vi.useRealTimers());

/** A server of keys on a port of this machine; `asked` counts. */
async function keyServer(answer?: RequestListener) {
  const served = { keys: publicKeys, asked: 0, url: '' };
  const server = createServer((request, response) => {
    served.asked += 1;
    if (answer) return answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: served.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  return Object.assign(served, { stop });
}

const good = (): JWTPayload => ({ iss: issuer, aud: audience, organization: 'zeta', exp: seconds() + 60 });
const signed = (claims: JWTPayload, key: CryptoKey = rsa.privateKey, header: object = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'a', ...header }).sign(key);

const settings = {
  issuer,
  audience,
  claim: 'organization',
  algorithms: ['RS256', 'ES256', 'EdDSA', 'PS256'],
  operator: { claim: 'roles', value: 'gpuql-operator' },
  clockToleranceS: 5,
};

function gateway(keys: string | { keys: { kty: string }[] }, organizations = withoutTokens) {
  const { app, log } = whoApp({ jwt: { ...settings, keys } }, organizations);
  const ask = async (token: string) => {
    const response = await app.fetch('http://gateway/graphql?query={who}', {
      headers: { authorization: `Bearer ${token}` },
    });
    return whoOf(response.status, await response.text());
  };
  return { ask, log };
}
const inFile = { keys: publicKeys as (JWK & { kty: string })[] };

test.each<[string, () => Promise<string>, string]>([
  ['signed with RSA', () => signed(good()), 'zeta'],
  ['signed with EdDSA', () => signed(good(), edwards.privateKey, { alg: 'EdDSA', kid: 'b' }), 'zeta'],
  ['for several audiences', () => signed({ ...good(), aud: ['x', audience] }), 'zeta'],
  ['that ran out a moment ago', () => signed({ ...good(), exp: seconds() - 2 }), 'zeta'],
  ['of an operator', () => signed({ ...good(), roles: ['x', 'gpuql-operator'] }), 'zeta (operator)'],
  ['with the role as a text', () => signed({ ...good(), roles: 'gpuql-operator' }), 'zeta (operator)'],
  ['with a role that holds the words', () => signed({ ...good(), roles: 'not-gpuql-operator' }), 'zeta'],
])('a JWT %s', async (_case, token, who) => {
  const { url } = await keyServer();
  expect(await gateway(url).ask(await token())).toEqual({ status: 200, who });
  expect(await gateway(inFile).ask(await token())).toEqual({ status: 200, who });
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a careless verifier takes for a signature: made with the public key, as though it were a secret. */
async function signedWithPublicKey(): Promise<string> {
  const text = `${encoded({ alg: 'HS256', kid: 'a' })}.${encoded(good())}`;
  return `${text}.${createHmac('sha256', await exportSPKI(rsa.publicKey))
    .update(text)
    .digest('base64url')}`;
}

const without = (claim: string): JWTPayload =>
  Object.fromEntries(Object.entries(good()).filter(([name]) => name !== claim));

test.each<[string, () => Promise<string> | string, RegExp]>([
  ['without a signature', () => `${encoded({ alg: 'none' })}.${encoded(good())}.`, /alg/i],
  ['signed with the public key', signedWithPublicKey, /alg/i],
  ['signed by somebody else', () => signed(good(), other.privateKey), /signature/],
  [
    'changed since',
    async () => (await signed(good())).replace(/\.[^.]+\./, `.${encoded({ ...good(), organization: 'acme' })}.`),
    /signature/,
  ],
  ['of an unknown key', () => signed(good(), rsa.privateKey, { kid: 'c' }), /no applicable key/],
  ['that ran out', () => signed({ ...good(), exp: seconds() - 20 }), /"exp"/],
  ['that never runs out', () => signed(without('exp')), /"exp"/],
  ['of tomorrow', () => signed({ ...good(), nbf: seconds() + 60 }), /"nbf"/],
  ['of another issuer', () => signed({ ...good(), iss: 'https://other.example' }), /"iss"/],
  ['of no issuer', () => signed(without('iss')), /"iss"/],
  ['for another audience', () => signed({ ...good(), aud: 'other' }), /"aud"/],
  ['for no audience', () => signed(without('aud')), /"aud"/],
  ['without an organization', () => signed(without('organization')), /"organization"/],
  [
    'of an organization that is not there',
    () => signed({ ...good(), organization: 'nobody' }),
    /names no organization/,
  ],
  ['of a list of organizations', () => signed({ ...good(), organization: ['zeta'] }), /names no organization/],
  ['of a number', () => signed({ ...good(), organization: 1 }), /names no organization/],
  ['of a name that objects have', () => signed({ ...good(), organization: 'constructor' }), /names no organization/],
  ['that is none', () => 'a.b.c', /./],
  ['that is anything', () => 'whatever', /./],
  [
    'with a critical extension',
    () =>
      signed(good(), rsa.privateKey, { crit: ['x'], x: 1 }).catch(
        () => `${encoded({ alg: 'RS256', kid: 'a', crit: ['x'], x: 1 })}.${encoded(good())}.AAAA`,
      ),
    /crit|"x"/i,
  ],
])('a JWT %s is nobody’s, in the same words; the reason is for the debug log', async (_case, token, reason) => {
  const { url } = await keyServer();
  for (const keys of [url, inFile]) {
    const { ask, log } = gateway(keys, withTokens);
    expect(await ask(await token())).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
      message: 'This token is not known here; send the header Authorization: Bearer <token>.',
    });
    const lines = log.filter(({ event }) => event === 'refused');
    expect(lines).toEqual([expect.objectContaining({ level: 'debug', code: 'UNAUTHENTICATED' })]);
    expect((lines[0]!['cause'] as { error: string }).error).toMatch(reason);
    expect(log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  }
});

test('tokens and JWTs go side by side', async () => {
  const { ask } = gateway(inFile, withTokens);
  expect([await ask('acme-op'), await ask(await signed(good()))]).toEqual([
    { status: 200, who: 'acme (operator)' },
    { status: 200, who: 'zeta' },
  ]);
});

const unavailable = expect.objectContaining({ status: 503, code: 'AUTHENTICATION_UNAVAILABLE' });

test.each<[string, RequestListener]>([
  ['fails', (_request, response) => void response.writeHead(500).end('{"keys":[]}')],
  ['leads elsewhere', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['is no JSON', (_request, response) => void response.end('<html>')],
  ['is no JWKS', (_request, response) => void response.end('{"secret":1}')],
])('an address of keys that %s is not the client’s fault, and asked once in a while', async (_case, answer) => {
  const server = await keyServer(answer);
  const { ask, log } = gateway(server.url);
  const token = await signed(good());
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token)));
  expect([...answers, await ask(token)]).toEqual(Array.from({ length: 21 }, () => unavailable));
  expect(answers[0]!.message).not.toMatch(/http|127\.0\.0\.1|secret/);
  expect(server.asked).toBe(1);
  expect(log.filter(({ level }) => level === 'warn')).toEqual([
    { level: 'warn', event: 'the keys of the issuer of tokens do not come' },
  ]);
});

test('an address of keys that hangs is given up on', async () => {
  const server = await keyServer(() => {});
  const started = performance.now();
  expect(await gateway(server.url).ask(await signed(good()))).toEqual(unavailable);
  expect(performance.now() - started).toBeLessThan(7_000);
});

/** Later, for everything that looks at a clock; sockets go on. */
const later = (s: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  vi.setSystemTime(Date.now() + s * 1000);
  vi.advanceTimersByTime(s * 1000);
};

test('a burst of unknown keys asks for the keys once, and a new key is found', async () => {
  const server = await keyServer();
  const { ask } = gateway(server.url);
  expect(await ask(await signed(good()))).toMatchObject({ who: 'zeta' });
  expect(server.asked).toBe(1);
  const unknown = await signed(good(), rsa.privateKey, { kid: 'new' });
  await Promise.all(Array.from({ length: 20 }, () => ask(unknown)));
  expect(server.asked).toBe(1);
  later(40);
  const burst = await Promise.all(Array.from({ length: 20 }, () => ask(unknown)));
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([401]));
  expect(server.asked).toBe(2);
  server.keys = [{ ...publicKeys[0]!, kid: 'new' }];
  later(40);
  expect(await ask(await signed(good(), rsa.privateKey, { kid: 'new' }))).toMatchObject({ who: 'zeta' });
});

test('keys are kept while new ones do not come, for a day', async () => {
  const server = await keyServer();
  const { ask, log } = gateway(server.url);
  expect(await ask(await signed(good()))).toMatchObject({ who: 'zeta' });
  server.stop();
  later(1200);
  expect(await ask(await signed(good()))).toMatchObject({ who: 'zeta' });
  await vi.waitFor(() => expect(log.filter(({ level }) => level === 'warn')).toHaveLength(1));
  // A key that came meanwhile cannot be told from one that never was: that is not the client's fault.
  later(10);
  expect(await ask(await signed(good(), rsa.privateKey, { kid: 'new' }))).toEqual(unavailable);
  later(86_400);
  expect(await ask(await signed(good()))).toEqual(unavailable);
});

test('a key that was withdrawn is not believed any more after a while', async () => {
  const server = await keyServer();
  const { ask } = gateway(server.url);
  expect(await ask(await signed(good()))).toMatchObject({ who: 'zeta' });
  server.keys = [publicKeys[1]!];
  later(700);
  await ask(await signed(good()));
  await vi.waitFor(() => expect(server.asked).toBe(2));
  await vi.waitFor(async () => expect(await ask(await signed(good()))).toMatchObject({ status: 401 }));
});
