import { expect, test } from 'vitest';
import { organizationOf } from '../../src/server/organization-of.ts';

const acme = { name: 'acme', clusters: [], tokens: ['acme-1', 'acme-2'] };
const zeta = { name: 'zeta', clusters: [], tokens: ['zeta-1'] };
const request = (authorization?: string): Request =>
  new Request('http://gateway/graphql', { headers: authorization === undefined ? {} : { authorization } });

test.each([
  ['Bearer acme-1', 'acme'],
  ['Bearer acme-2', 'acme'],
  ['bearer  zeta-1 ', 'zeta'],
])('%s is %s', (authorization, name) => {
  expect(organizationOf([acme, zeta])(request(authorization)).name).toBe(name);
});

test.each([
  [undefined],
  [''],
  ['Bearer'],
  ['Bearer '],
  ['acme-1'],
  ['Basic acme-1'],
  ['Bearer acme-3'],
  ['Bearer acme-1 x'],
])('%s is nobody', (authorization) => {
  expect(() => organizationOf([acme, zeta])(request(authorization))).toThrow(
    expect.objectContaining({ code: 'UNAUTHENTICATED', message: expect.not.stringContaining('acme') }),
  );
});

test('where nobody has tokens, every request is the one organization’s', () => {
  const open = organizationOf([{ ...acme, tokens: [] }]);
  expect([open(request()), open(request('Bearer whatever'))].map(({ name }) => name)).toEqual(['acme', 'acme']);
});
