import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { isOpen, listenOn, readConfig } from '../../src/config.ts';

const cluster = (name: string, island = 'north') => ({ name, island, vendor: 'nvidia' });
const base = {
  islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9090' } }],
  organizations: [
    { name: 'acme', clusters: [cluster('aurora')] },
    { name: 'zeta', clusters: [cluster('borealis')] },
  ],
};
const [acme, zeta] = base.organizations as [(typeof base.organizations)[0], (typeof base.organizations)[0]];
const jwks = 'https://issuer.example/jwks.json';
const jwt = { jwks, issuer: 'https://issuer.example', audience: 'gpuql' };
const proxy = { header: 'X-GPUQL-Organization', addresses: ['10.0.0.5', '10.1.0.0/16', '::1'] };
const folder = mkdtempSync(join(tmpdir(), 'gpuql-'));

/** A file of that content. */
function file(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

const read = (change: object, env: Record<string, string> = {}) => readConfig(stringify({ ...base, ...change }), env);
function faultsOf(change: object, env: Record<string, string> = {}): string[] {
  try {
    read(change, env);
    return [];
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}
const withTokens = (first: object, second: object = { tokens: ['z'] }) => ({
  organizations: [
    { ...acme, ...first },
    { ...zeta, ...second },
  ],
});
const tokensOf = (change: object, env = {}) => read(change, env).organizations.map(({ tokens }) => tokens);

test('tokens are written short, long and in a file', () => {
  const tokensFile = file('\uFEFF# acme\r\nfile-1\r\n\n  file-2  \n#file-3');
  const tokens = ['${A}', { token: '${B}', operator: true }, { token: 'c' }];
  const [ofAcme, ofZeta] = tokensOf(withTokens({ tokens, tokensFile }), { A: 'a', B: 'b' });
  expect(ofAcme).toEqual([
    { text: 'a', isOperator: false },
    { text: 'b', isOperator: true },
    { text: 'c', isOperator: false },
    { text: 'file-1', isOperator: false },
    { text: 'file-2', isOperator: false },
  ]);
  expect(ofZeta).toEqual([{ text: 'z', isOperator: false }]);
});

test('a file of tokens alone is enough, also to listen to other machines', () => {
  const config = read({ ...withTokens({ tokensFile: file('a') }), listen: { host: '0.0.0.0' } });
  expect(isOpen(config)).toBe(false);
});

test.each<[string, () => object, RegExp]>([
  ['a file that is not there', () => ({ tokensFile: join(folder, 'secret-name') }), /tokensFile: .* no such file$/],
  ['a folder', () => ({ tokensFile: folder }), /tokensFile: .* it is a folder$/],
  ['an empty file', () => ({ tokensFile: file('') }), /tokensFile: names a file without a token/],
  ['a file of comments', () => ({ tokensFile: file('# secret\n\n') }), /tokensFile: names a file without a token/],
  ['an illegal token', () => ({ tokensFile: file('a\n\nsecret token\n') }), /tokensFile: .* line 3 must be a bearer/],
  ['a comment beside a token', () => ({ tokensFile: file('secret # mine') }), /tokensFile: .* line 1 must be a bearer/],
  ['a variable in a file', () => ({ tokensFile: file('${secret}') }), /tokensFile: .* line 1 must be a bearer/],
  ['a token twice in a file', () => ({ tokensFile: file('secret\nsecret') }), /tokensFile: .* a second time/],
  [
    'a token of the list in the file',
    () => ({ tokens: ['secret'], tokensFile: file('secret') }),
    /tokensFile: .* a second/,
  ],
  ['a long token that is illegal', () => ({ tokens: [{ token: 'sec ret' }] }), /tokens\[0\]\.token: must be a bearer/],
  [
    'a long token that is not set',
    () => ({ tokens: [{ token: '${NOPE}' }] }),
    /tokens\[0\]\.token: .* NOPE is not set/,
  ],
  ['a misspelt operator', () => ({ tokens: [{ token: 'a', oprator: true }] }), /did you mean "operator"\?$/],
  [
    'an operator that is text',
    () => ({ tokens: [{ token: 'a', operator: 'yes' }] }),
    /operator: must be true or false/,
  ],
])('%s is the one fault, and nothing of it is repeated', (_case, change, message) => {
  const faults = faultsOf(withTokens(change()));
  expect(faults).toEqual([expect.stringMatching(message)]);
  expect(faults[0]).toMatch(/^organizations\[0\]/);
  expect(faults[0]).not.toMatch(/secret|gpuql-/);
});

test('a token of two organizations is a fault, wherever it is written', () => {
  const shared = file('x\nshared');
  const second = /^organizations\[1\]\.(tokens\[0\]|tokensFile): .* a second time/;
  for (const [one, two] of [
    [{ tokens: ['shared'] }, { tokensFile: shared }],
    [{ tokensFile: shared }, { tokens: [{ token: 'shared' }] }],
    [{ tokensFile: shared }, { tokensFile: file('shared') }],
  ] as const) {
    expect(faultsOf(withTokens(one, two))).toEqual([expect.stringMatching(second)]);
  }
});

test('a JWT alone, or a proxy alone, tells organizations apart, and may be asked from anywhere', () => {
  for (const auth of [{ jwt }, { proxy }, { jwt, proxy }]) {
    expect(faultsOf({ auth, listen: { host: '0.0.0.0' } })).toEqual([]);
    const config = read({ auth });
    expect(isOpen(config)).toBe(false);
    expect(listenOn(config, { host: '0.0.0.0' }).listen.host).toBe('0.0.0.0');
    // One of them with tokens, the other without.
    expect(faultsOf({ auth, ...withTokens({ tokens: ['a'] }, {}) })).toEqual([]);
  }
  expect(faultsOf({})).toEqual([expect.stringMatching(/^organizations: have no tokens/)]);
});

test('what is left out of auth has its default', () => {
  expect(read({ auth: { jwt, proxy } }).auth).toEqual({
    jwt: {
      keys: jwks,
      issuer: jwt.issuer,
      audience: 'gpuql',
      claim: 'organization',
      algorithms: ['RS256', 'ES256', 'EdDSA', 'PS256'],
      clockToleranceS: 5,
    },
    proxy: { header: 'x-gpuql-organization', addresses: proxy.addresses },
  });
});

test('keys come from a file, and the issuer’s names from the environment', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' };
  const { auth } = read(
    {
      auth: { jwt: { ...jwt, jwks: undefined, jwksFile: file(JSON.stringify({ keys: [key] })), issuer: '${ISSUER}' } },
    },
    { ISSUER: 'https://other.example' },
  );
  expect(auth.jwt).toMatchObject({ keys: { keys: [key] }, issuer: 'https://other.example' });
});

test.each<[string, object, RegExp]>([
  ['keys nowhere', { jwks: undefined }, /^auth\.jwt: must say where the keys are/],
  ['keys in two places', { jwksFile: file('{"keys":[{"kty":"OKP"}]}') }, /^auth\.jwt: must say where the keys are/],
  ['keys in the open', { jwks: 'http://issuer.example/jwks' }, /^auth\.jwt\.jwks: must be an https address/],
  ['keys of a name that begins as this machine', { jwks: 'http://localhost.evil.example/' }, /jwks: must be an https/],
  ['keys behind a password', { jwks: 'https://u:secret@issuer.example' }, /^auth\.jwt\.jwks: .* without credentials/],
  ['no address', { jwks: 'secret' }, /^auth\.jwt\.jwks: must be an https/],
  ['no issuer', { issuer: undefined }, /^auth\.jwt\.issuer: is missing/],
  ['no audience', { audience: undefined }, /^auth\.jwt\.audience: is missing/],
  ['an empty audience', { audience: '' }, /^auth\.jwt\.audience: must not be empty/],
  ['a secret for all', { algorithms: ['RS256', 'HS256'] }, /^auth\.jwt\.algorithms\[1\]: must be one of RS256,/],
  ['no signature', { algorithms: ['none'] }, /^auth\.jwt\.algorithms\[0\]: must be one of/],
  ['no algorithm', { algorithms: [] }, /^auth\.jwt\.algorithms: must name at least 1/],
  ['a clock that is far off', { clockToleranceS: 3600 }, /clockToleranceS: must be at most 300/],
  ['half an operator', { operator: { claim: 'roles' } }, /^auth\.jwt\.operator\.value: is missing/],
  ['no file', { jwks: undefined, jwksFile: join(folder, 'secret') }, /^auth\.jwt\.jwksFile: .* no such file/],
  [
    'no JSON',
    { jwks: undefined, jwksFile: file('secret') },
    /^auth\.jwt\.jwksFile: must name a file that holds a JWKS/,
  ],
  ['no keys', { jwks: undefined, jwksFile: file('{"keys":[]}') }, /jwksFile: must name a file that holds a JWKS/],
  [
    'a private key',
    { jwks: undefined, jwksFile: file('{"keys":[{"kty":"OKP","d":"secret"}]}') },
    /jwksFile: .* private/,
  ],
  [
    'a secret key',
    { jwks: undefined, jwksFile: file('{"keys":[{"kty":"oct","k":"secret"}]}') },
    /jwksFile: .* secret or/,
  ],
])('JWTs with %s are the one fault', (_case, change, message) => {
  const faults = faultsOf({ auth: { jwt: { ...jwt, ...change } } });
  expect(faults).toEqual([expect.stringMatching(message)]);
  expect(faults[0]!.replace('a secret or', '')).not.toContain('secret');
});

test('keys over plain HTTP are allowed on this machine', () => {
  for (const url of ['http://127.0.0.1:8080/jwks', 'http://localhost/jwks', 'http://[::1]/jwks']) {
    expect(faultsOf({ auth: { jwt: { ...jwt, jwks: url } } })).toEqual([]);
  }
});

test.each<[string, object, RegExp]>([
  ['no address', { addresses: [] }, /^auth\.proxy\.addresses: must name at least one address/],
  ['no list', { addresses: undefined }, /^auth\.proxy\.addresses: is missing/],
  ['a name', { addresses: ['proxy.example'] }, /^auth\.proxy\.addresses\[0\]: must be an address or a network/],
  ['a network that is none', { addresses: ['10.0.0.0/33'] }, /addresses\[0\]: must have at most 32 bits/],
  ['two networks', { addresses: ['10.0.0.0/8/8'] }, /addresses\[0\]: must be an address/],
  ['a network without an end', { addresses: ['10.0.0.0/'] }, /addresses\[0\]: must be an address/],
  ['everybody', { addresses: ['0.0.0.0/0'] }, /addresses\[0\]: would believe everybody/],
  ['everybody of IPv6', { addresses: ['::/0'] }, /addresses\[0\]: would believe everybody/],
  ['IPv4 in IPv6', { addresses: ['::ffff:10.0.0.5'] }, /addresses\[0\]: must be written as IPv4/],
  ['no header', { header: undefined }, /^auth\.proxy\.header: is missing/],
  ['a header that is none', { header: 'a b' }, /^auth\.proxy\.header: must be a header name/],
  ...['Authorization', 'X-Forwarded-For', 'host', 'Cookie', 'forwarded', 'X-Real-IP'].map(
    (header): [string, object, RegExp] => [`the header ${header}`, { header }, /header: must be a header of its own/],
  ),
  ['one header for both', { operatorHeader: 'x-gpuql-organization' }, /operatorHeader: is the header that names/],
])('a proxy with %s is the one fault', (_case, change, message) => {
  expect(faultsOf({ auth: { proxy: { ...proxy, ...change } } })).toEqual([expect.stringMatching(message)]);
});

test.each(['a,b', ' acme', 'acme ', 'ä', 'a\nb'])('the proxy cannot name %j', (name) => {
  const organizations = [{ ...acme, name }, zeta];
  expect(faultsOf({ auth: { proxy }, organizations })).toEqual([
    expect.stringMatching(/^organizations\[0\]\.name: cannot be told in the header/),
  ]);
  expect(faultsOf({ auth: { jwt }, organizations })).toEqual([]);
});

test.each<[string, object, RegExp]>([
  ['every origin', { corsOrigins: ['*'] }, /^http\.corsOrigins\[0\]: lets pages ask that nobody has thought of/],
  ['a pattern', { corsOrigins: ['https://*.example'] }, /corsOrigins\[0\]: lets pages ask/],
  ['a sandbox', { corsOrigins: ['null'] }, /corsOrigins\[0\]: must be an origin as browsers send it/],
  ['a path', { corsOrigins: ['https://a.example/'] }, /corsOrigins\[0\]: must be an origin/],
  ['a usual port', { corsOrigins: ['https://a.example:443'] }, /corsOrigins\[0\]: must be an origin/],
  ['capitals', { corsOrigins: ['https://A.example'] }, /corsOrigins\[0\]: must be an origin/],
  ['another scheme', { corsOrigins: ['file://a'] }, /corsOrigins\[0\]: must be an origin/],
  ['a text for introspection', { introspection: 'no' }, /^http\.introspection: must be true or false/],
])('http with %s is the one fault', (_case, http, message) => {
  expect(faultsOf({ http, auth: { jwt } })).toEqual([expect.stringMatching(message)]);
});

test('what is left out of http has its default', () => {
  expect(read({ auth: { jwt } }).http).toEqual({ introspection: true, corsOrigins: [] });
  const http = { graphiql: true, introspection: false, corsOrigins: ['https://a.example', 'http://localhost:3000'] };
  expect(read({ auth: { jwt }, http }).http).toEqual(http);
});

const exclusive = (change: object = {}) => ({
  islands: [
    { name: 'north', prometheus: { url: 'http://127.0.0.1:9090', exclusive: true }, ...change },
    { name: 'south', prometheus: { url: 'http://127.0.0.1:9091' } },
  ],
});

test('a store is one organization’s where it is marked exclusive', () => {
  const apart = [acme, { ...zeta, clusters: [cluster('borealis', 'south')] }];
  const path = 'islands[0].prometheus.exclusive: means that the store is one organization’s, but';
  expect(faultsOf({ auth: { jwt }, ...exclusive(), organizations: apart })).toEqual([]);
  expect(faultsOf({ auth: { jwt }, ...exclusive() })).toEqual([
    expect.stringContaining(`${path} several have clusters`),
  ]);
  expect(faultsOf({ auth: { jwt }, ...exclusive({ sharedPool: ['pool'] }), organizations: apart })).toEqual([
    expect.stringContaining(`${path} sharedPool`),
  ]);
});
