import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { StreamableHTTPClientTransport, Client } from '@modelcontextprotocol/client';

import { tokensOf } from '../../src/mcp/tokens.ts';
import { NOW } from '../support/fleet/clock.ts';
import { type McpClient, overHttp, serveMcp } from '../support/mcp.ts';

// Nothing here asks a store.
const config = JSON.stringify({
  islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
  organizations: [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'amd', model: 'MI355X' }] }],
});
let mcp: McpClient;
beforeAll(async () => {
  mcp = await overHttp({ config, now: NOW });
});
afterAll(() => mcp?.close());
const refusal = async (args: object) => (await mcp.call('graphql', args)).answer;

test('a document is answered with its variables', async () => {
  const query = 'query Named($name: String!) { cluster(name: $name) { name gpuVendor } } query Other { __typename }';
  const { answer, structured } = await mcp.call('graphql', {
    query,
    variables: { name: 'aurora' },
    operation_name: 'Named',
  });
  expect(answer).toEqual({ data: { cluster: { name: 'aurora', gpuVendor: 'AMD' } } });
  expect(structured).toEqual(answer);
});

test('what failed stands beside what was answered', async () => {
  const { isError, answer } = await mcp.call('graphql', {
    query: '{ organization { name } nope: cluster(name: "x") { name } }',
  });
  expect(isError).toBe(false);
  expect(answer.data).toEqual({ organization: { name: 'acme' }, nope: null });
  expect(answer.errors).toMatchObject([{ path: ['nope'], extensions: { code: 'NOT_FOUND' } }]);
});

test.each([
  ['neither of the two', {}, 'bad-request', /Give query.*or schema/],
  ['both of them', { query: '{ __typename }', schema: 'Gpu' }, 'bad-request', /one of them/],
  ['a mutation', { query: 'mutation { a }' }, 'bad-request', /Only queries/],
  ['a subscription beside a query', { query: '{ __typename } subscription S { a }' }, 'bad-request', /Only queries/],
  ['what cannot be read', { query: '{' }, 'graphql-parse-failed', /Syntax Error/],
  ['a field that is not there', { query: '{ nope }' }, 'graphql-validation-failed', /nope/],
  [
    'a document beyond the limits',
    { query: `{ ${'a: __typename '.repeat(12_000)} }` },
    'query-too-large',
    /characters/,
  ],
])('%s is refused', async (_what, args, code, words) => {
  expect(await refusal(args)).toMatchObject({ code, message: expect.stringMatching(words) });
});

test('the schema is found by type and by words, in pieces that are short', async () => {
  const gpu = await refusal({ schema: 'gpu' });
  expect(gpu.schema).toMatch(/^"""One physical GPU.*^type Gpu \{.*tempC: Series/ms);
  const words = await refusal({ schema: 'throttled temperature' });
  expect(words.schema).toContain('Throttle.thermalS: Float');
  expect(words.schema).toContain('Evidence.thermalThrottleS: Float');
  expect(words.schema).not.toContain('powerS');
  expect((await refusal({ schema: 'cluster window' })).schema).toContain(
    'Query.cluster(island: String, name: String!, window: WindowInput): Cluster',
  );
  expect((await refusal({ schema: 'e' })).schema).toMatch(/more; add a word\.$/);
  expect((await refusal({ schema: 'unicorns' })).schema).toMatch(/Nothing.*Query/);
});

test('the schema is there as resources too: an index, and every type', async () => {
  const { resources } = await mcp.client.listResources();
  const { resourceTemplates } = await mcp.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['gpuql://schema/{type}']);
  const textOf = async (uri: string) => {
    const { contents } = await mcp.client.readResource({ uri });
    return (contents[0] as unknown as { text: string }).text;
  };
  const index = await textOf('gpuql://schema');
  expect(tokensOf(index)).toBeLessThan(1500);
  expect(index).toContain('FlagReport: What the rules found on a target, and what they could not see.');
  for (const { uri } of resources) {
    const text = await textOf(uri);
    expect(tokensOf(text)).toBeLessThan(1500);
    expect(text).toMatch(/./);
  }
  expect(resources.map(({ uri }) => uri)).toContain('gpuql://schema/WindowInput');
  await expect(textOf('gpuql://schema/Nothing')).rejects.toThrow(/not found/i);
  const { completion } = await mcp.client.complete({
    ref: { type: 'ref/resource', uri: 'gpuql://schema/{type}' },
    argument: { name: 'type', value: 'flagr' },
  });
  expect(completion.values).toEqual(['FlagReport']);
});

test('a site that does not tell its schema does not tell it here', async () => {
  const { url, close } = await serveMcp({ config, now: NOW, introspection: false });
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(async () => (await client.close(), await close()));
  expect(client.getServerCapabilities()?.resources).toBeUndefined();
  const { content, isError } = await client.callTool({ name: 'graphql', arguments: { schema: 'Query' } });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('http.introspection')]);
});
