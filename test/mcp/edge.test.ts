import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { bodyLimit } from '../../src/server/app.ts';
import { NOW } from '../support/fleet/clock.ts';
import { overHttp, overStdio, serveMcp } from '../support/mcp.ts';

// Nothing here asks a store: it is about who may ask at all.
const config = JSON.stringify({
  islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
  organizations: [
    {
      name: 'acme',
      tokens: ['acme-secret-token-1'],
      clusters: [{ name: 'aurora', island: 'north', vendor: 'amd', model: 'MI355X' }],
    },
    {
      name: 'zeta',
      tokens: ['zeta-secret-token-1'],
      clusters: [{ name: 'zenith', island: 'north', vendor: 'amd', model: 'MI300X' }],
    },
  ],
});
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const known = { ...json, authorization: 'Bearer acme-secret-token-1' };

let served: Awaited<ReturnType<typeof serveMcp>>;
beforeAll(async () => {
  served = await serveMcp({ config, now: NOW });
});
afterAll(() => served?.close());

const send = (headers: Record<string, string>, body: string | null = initialize, method = 'POST') =>
  fetch(served.url, { method, headers, body });

describe('at /mcp', () => {
  test.each([
    ['no token', json],
    ['an unknown token', { ...json, authorization: 'Bearer guess' }],
  ])('%s is a 401 that says how to ask', async (_what, headers) => {
    const answer = await send(headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    const { errors } = (await answer.json()) as { errors: { extensions: object }[] };
    expect(errors[0]!.extensions).toEqual({ code: 'UNAUTHENTICATED', status: 401 });
  });

  test('whoever is known is greeted, with the headers of every answer', async () => {
    const answer = await send(known);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"serverInfo"');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['a page of another site', { ...known, origin: 'https://evil.example' }, initialize, 403],
    ['a form', { ...known, 'content-type': 'text/plain' }, initialize, 415],
    ['what is no JSON', known, '{', 400],
    ['too long a body', known, JSON.stringify({ pad: 'x'.repeat(bodyLimit) }), 422],
  ])('%s is refused', async (_what, headers, body, status) => {
    const answer = await send(headers, body);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test.each(['GET', 'DELETE'])('there are no sessions: %s is a 405', async (method) => {
    const answer = await send(known, null, method);
    await answer.text();
    expect(answer.status).toBe(405);
  });

  test('nobody holds a stream open to listen for changes that do not come', async () => {
    const { client, close } = await overHttp({ config, now: NOW, token: 'acme-secret-token-1' });
    onTestFinished(close);
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow(/limit/i);
  });
});

test('who asks may be said by a trusted proxy: its header, and its address, reach the graph', async () => {
  const { tokens: _, ...acme } = JSON.parse(config).organizations[0];
  const behind = JSON.stringify({
    ...JSON.parse(config),
    organizations: [acme],
    auth: { proxy: { header: 'x-gpuql-organization', addresses: ['127.0.0.1'] } },
  });
  const { url, close } = await serveMcp({ config: behind, now: NOW });
  onTestFinished(close);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'grid_whoami', arguments: {} } };
  const ask = (headers: object) =>
    fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(call) });
  const answer = await ask({ 'x-gpuql-organization': 'acme' });
  expect(await answer.text()).toContain('acme');
  expect((await ask({})).status).toBe(401);
});

describe.each([
  ['Streamable HTTP', overHttp],
  ['standard input and output', overStdio],
] as const)('over %s', (_transport, connect) => {
  test.each([
    ['acme-secret-token-1', 'acme', 'aurora'],
    ['zeta-secret-token-1', 'zeta', 'zenith'],
  ])('the token decides whose clusters there are: %s', async (token, organization, cluster) => {
    const mcp = await connect({ config, now: NOW, token });
    onTestFinished(() => mcp.close());
    const { answer } = await mcp.call('grid_whoami');
    expect([answer.organization, answer.clusters.map(({ name }: { name: string }) => name)]).toEqual([
      organization,
      [cluster],
    ]);
    const others = organization === 'acme' ? 'zenith' : 'aurora';
    const foreign = await mcp.call('metrics_read', { action: 'node', cluster: others, node: 'n1' });
    const nowhere = await mcp.call('metrics_read', { action: 'node', cluster: 'nowhere', node: 'n1' });
    expect(foreign.answer.code).toBe('not-found');
    expect(foreign.text.replace(others, 'nowhere')).toBe(nowhere.text);
  });

  test('nobody is let in without one', async () => {
    await expect(connect({ config, now: NOW })).rejects.toThrow(/./);
    await expect(connect({ config, now: NOW, token: 'guess' })).rejects.toThrow(/./);
  });

  test('clients of the revisions before 2026-07-28 are served too', async () => {
    const mcp = await connect({ config, now: NOW, token: 'acme-secret-token-1', era: 'legacy' });
    onTestFinished(() => mcp.close());
    const { answer, structured } = await mcp.call('grid_whoami');
    expect(answer).toMatchObject({ organization: 'acme' });
    expect(structured).toEqual(answer);
    expect((await mcp.client.listTools()).tools).toHaveLength(4);
  });
});
