import { expect, test } from 'vitest';
import { type Auth, whoApp, whoOf, withTokens, withoutTokens } from './who.ts';

async function ask(headers: Record<string, string>, auth: Auth = {}, organizations = withTokens) {
  const { app } = whoApp(auth, organizations);
  const response = await app.fetch('http://gateway/graphql?query={who}', { headers });
  return whoOf(response.status, await response.text());
}

test.each([
  ['Bearer acme-1', 'acme'],
  ['Bearer acme-op', 'acme (operator)'],
  ['bearer  zeta-1 ', 'zeta'],
])('%s is %s', async (authorization, who) => {
  expect(await ask({ authorization })).toEqual({ status: 200, who });
});

test.each([
  [''],
  ['Bearer'],
  ['Bearer '],
  ['acme-1'],
  ['Basic acme-1'],
  ['Bearer acme-3'],
  ['Bearer acme-1 x'],
  ['Bearer acme-1, Bearer zeta-1'],
])('%s is nobody', async (authorization) => {
  const { status, code, message } = await ask({ authorization });
  expect([status, code, message]).toEqual([401, 'UNAUTHENTICATED', expect.not.stringContaining('acme')]);
});

test('a client is told which kind of credential HTTP knows it by', async () => {
  const { app } = whoApp({});
  const challengeTo = async (authorization: string) =>
    (await app.fetch('http://gateway/graphql?query={who}', { headers: { authorization } })).headers.get(
      'www-authenticate',
    );
  expect([await challengeTo(''), await challengeTo('Bearer acme-1')]).toEqual(['Bearer', null]);
});

test('without a credential nobody is let in, whatever else the request says', async () => {
  const others = { 'x-gpuql-organization': 'acme', 'x-forwarded-for': '127.0.0.1', 'x-scope-orgid': 'acme' };
  expect(await ask(others)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
});

test('where nothing is configured every request is the one organization’s, and its operator’s', async () => {
  const [acme] = withoutTokens;
  const open = [acme!];
  expect(await ask({}, {}, open)).toEqual({ status: 200, who: 'acme (operator)' });
  expect(await ask({ authorization: 'Bearer whatever' }, {}, open)).toEqual({ status: 200, who: 'acme (operator)' });
});

test('a gateway that only its proxy may ask is not open to a request without a connection', async () => {
  const auth = { proxy: { header: 'x-gpuql-organization', addresses: ['127.0.0.1'] } };
  const refused = await ask({ 'x-gpuql-organization': 'acme' }, auth, withoutTokens);
  expect(refused).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', message: expect.stringContaining('proxy') });
});
