import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NOW } from '../support/fleet/clock.ts';
import { serveMcp, transports } from '../support/mcp.ts';

/** A gateway that answers one document of its site's, and no other. */
function configOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpuql-trusted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = '{ clusters { name } }';
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ [createHash('sha256').update(text).digest('hex')]: text }));
  return JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
    organizations: [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia' }] }],
    trustedDocuments: { manifest, only: true },
  });
}

test.each(transports)(
  'where only trusted documents are answered, the tools ask theirs, and no free one: %s',
  async (_over, connect) => {
    const mcp = await connect({ config: configOf(), now: NOW });
    onTestFinished(() => mcp.close());
    expect((await mcp.call('grid_whoami')).answer).toMatchObject({
      organization: 'acme',
      clusters: [{ name: 'aurora' }],
    });
    // It came as far as the store, which is not there.
    const read = await mcp.call('metrics_read', { action: 'node', cluster: 'aurora', node: 'n1' });
    expect(read.answer.code).toBe('metrics-unavailable');
    const free = await mcp.call('graphql', { query: '{ clusters { island } }' });
    expect([free.isError, free.answer.code]).toEqual([true, 'bad-request']);
    expect(free.text).toMatch(/documents of its manifest alone/);
  },
);

test('over HTTP the tools’ documents are named by their hashes, and free ones are refused', async () => {
  const gateway = await serveMcp({ config: configOf(), now: NOW });
  onTestFinished(() => gateway.close());
  const send = async (body: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(gateway.url.replace('/mcp', '/graphql'), init)).status;
  };
  expect([await send({ query: '{ clusters { island } }' }), await send({ documentId: 'sha256:00' })]).toEqual([
    403, 400,
  ]);
});
