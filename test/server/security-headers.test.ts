import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toyApp } from './toy-app.ts';

const all = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const nothing = "default-src 'none'; frame-ancestors 'none'";

test.each<[string, string, RequestInit, number]>([
  ['an answer', '/graphql?query={hello}', {}, 200],
  ['a refusal', '/graphql?query={missing}', {}, 404],
  ['no document', '/graphql?query={', {}, 400],
  ['another method', '/graphql', { method: 'PUT' }, 405],
  ['a form', '/graphql', { method: 'POST', body: new URLSearchParams({ query: '{hello}' }) }, 415],
  ['what nobody can read', '/graphql?query={hello}', { headers: { accept: 'image/png' } }, 406],
  ['another site', '/graphql?query={hello}', { headers: { origin: 'https://evil.example' } }, 403],
  ['another path', '/favicon.ico', {}, 404],
  ['the process', '/healthz', {}, 200],
  ['the stores', '/readyz', {}, 200],
])('%s has every header', async (_case, path, init, status) => {
  const response = await toyApp().app.fetch(`http://gateway${path}`, init);
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({ ...all, 'content-security-policy': nothing });
});

test('the page for browsers may run its own script, and no other', async () => {
  const { app } = toyApp({ graphiql: { queries: ['{ hello }'] } });
  const response = await app.fetch('http://gateway/graphql', { headers: { accept: 'text/html' } });
  expect(Object.fromEntries(response.headers)).toMatchObject(all);
  const policy = response.headers.get('content-security-policy')!;
  const page = await response.text();
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)];
  const digests = scripts.map(([, script]) => createHash('sha256').update(script!).digest('base64'));
  expect(policy).toContain(`script-src ${digests.map((digest) => `'sha256-${digest}'`).join(' ')};`);
  expect(policy).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
});
