import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { proxyCallers } from '../../src/server/proxy-callers.ts';
import { onSocket } from './toy-app.ts';
import { type Auth, whoApp, whoOf, withoutTokens, withTokens } from './who.ts';

const header = 'x-gpuql-organization';
const proxy = { header, operatorHeader: 'x-gpuql-operator', addresses: ['127.0.0.2'] };

/** Asks from one of this machine's addresses: the peer that the gateway sees. */
async function askFrom(
  localAddress: string,
  headers: Record<string, string | string[]>,
  { auth = { proxy }, organizations = withTokens }: { auth?: Auth; organizations?: typeof withTokens } = {},
) {
  const port = await onSocket(whoApp(auth, organizations).app);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/graphql?query={who}', localAddress, headers })
      .on('response', (response) => {
        text(response).then((body) => resolve(whoOf(response.statusCode!, body)), reject);
      })
      .on('error', reject)
      .end();
  });
}

const untrusted = '127.0.0.1';
const trusted = '127.0.0.2';
const refused = expect.objectContaining({ status: 401, code: 'UNAUTHENTICATED' });
const is = (who: string) => ({ status: 200, who });

test.each<[string, string, Record<string, string | string[]>, unknown]>([
  ['the proxy names an organization', trusted, { [header]: 'zeta' }, is('zeta')],
  ['the header in capitals', trusted, { 'X-GPUQL-Organization': 'zeta' }, is('zeta')],
  ['the proxy’s word is more than a token', trusted, { [header]: 'zeta', authorization: 'Bearer acme-1' }, is('zeta')],
  ['an operator', trusted, { [header]: 'zeta', 'x-gpuql-operator': 'true' }, is('zeta (operator)')],
  ['no operator', trusted, { [header]: 'zeta', 'x-gpuql-operator': 'false' }, is('zeta')],
  ['an operator said twice', trusted, { [header]: 'zeta', 'x-gpuql-operator': ['true', 'true'] }, is('zeta')],
  ['a proxy that names nobody passes tokens on', trusted, { authorization: 'Bearer acme-1' }, is('acme')],
  ['an organization that is not there', trusted, { [header]: 'nobody', authorization: 'Bearer acme-1' }, refused],
  ['no name', trusted, { [header]: '', authorization: 'Bearer acme-1' }, refused],
  ['another spelling', trusted, { [header]: 'Zeta' }, refused],
  ['two headers', trusted, { [header]: ['zeta', 'acme'] }, refused],
  ['one header twice', trusted, { [header]: ['zeta', 'zeta'] }, refused],
  ['two names in one header', trusted, { [header]: 'zeta,acme' }, refused],
  ['another peer', untrusted, { [header]: 'zeta' }, refused],
  ['another peer with a token', untrusted, { [header]: 'zeta', authorization: 'Bearer acme-1' }, is('acme')],
  [
    'another peer that calls itself operator',
    untrusted,
    { 'x-gpuql-operator': 'true', authorization: 'Bearer acme-1' },
    is('acme'),
  ],
  [
    'a peer that says it speaks for the proxy',
    untrusted,
    { [header]: 'zeta', 'x-forwarded-for': trusted, forwarded: `for=${trusted}`, 'x-real-ip': trusted },
    refused,
  ],
])('%s', async (_case, from, headers, answer) => {
  expect(await askFrom(from, headers)).toEqual(answer);
});

test('whether a peer is trusted cannot be told from a refusal', async () => {
  const [sent, bare] = [await askFrom(untrusted, { [header]: 'zeta' }), await askFrom(untrusted, {})];
  expect(sent).toEqual(bare);
  const none = { organizations: withoutTokens };
  expect(await askFrom(untrusted, { [header]: 'zeta' }, none)).toEqual(await askFrom(untrusted, {}, none));
});

test('the proxy alone is enough, for organizations without tokens', async () => {
  expect(await askFrom(trusted, { [header]: 'zeta' }, { organizations: withoutTokens })).toEqual(is('zeta'));
});

test.each([
  ['10.0.0.5', true],
  ['10.0.0.6', false],
  ['10.1.255.1', true],
  ['10.2.0.1', false],
  ['::ffff:10.0.0.5', true],
  ['::ffff:10.1.2.3', true],
  ['::ffff:10.0.0.6', false],
  ['::1', true],
  ['::2', false],
  ['fd00:1::9', true],
  ['fd00:2::9', false],
  ['fe80::1%eth0', true],
  ['fe80::2%eth0', false],
  ['', false],
  [undefined, false],
])('the peer %s is trusted: %s', (peer, is) => {
  const addresses = ['10.0.0.5', '10.1.0.0/16', '::1', 'fd00:1::/32', 'fe80::1'];
  const callers = proxyCallers({ header, addresses }, new Map([['acme', withTokens[0]!]]));
  expect(callers(new Headers({ [header]: 'acme' }), peer)?.organization.name).toBe(is ? 'acme' : undefined);
});
