import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../src/gpuql.ts', import.meta.url));
const path = join(tmpdir(), `gpuql-mcp-${process.pid}.yaml`);
beforeAll(() =>
  writeFile(
    path,
    `islands: [{ name: north, prometheus: { url: "http://127.0.0.1:9" } }]
organizations:
  - name: acme
    tokens: ["a-token-of-acme"]
    clusters: [{ name: aurora, island: north, vendor: amd, model: MI355X }]
`,
  ),
);

test('gpuql mcp --config answers for the token in GPUQL_TOKEN', async () => {
  const client = new Client({ name: 'a test', version: '1' });
  const env = { GPUQL_TOKEN: 'a-token-of-acme' };
  const args = [program, 'mcp', '--config', path];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const { structuredContent } = await client.callTool({ name: 'grid_whoami' });
  expect(structuredContent).toMatchObject({ organization: 'acme' });
});

/** Writes these lines and closes; what came out, and how it ended. */
async function run(lines: readonly string[], env: Record<string, string>, args = ['mcp', '--config', path]) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  for (const line of lines) child.stdin.write(`${line}\n`);
  const [out, errors] = [buffer(child.stdout), buffer(child.stderr)];
  const answered = lines.length > 0 ? once(child.stdout, 'data') : undefined;
  await Promise.race([answered, once(child, 'exit')]);
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, out: String(await out), errors: String(await errors) };
}
const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

test('nothing but the protocol is on standard output, and it ends with its client', async () => {
  const { code, out } = await run([hello], { GPUQL_TOKEN: 'a-token-of-acme', GPUQL_LOG: 'debug' });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string });
  expect(lines.map(({ jsonrpc }) => jsonrpc)).toEqual(['2.0']);
  expect(code).toBe(0);
});

test.each([
  ['no token', {}],
  ['a token that is unknown', { GPUQL_TOKEN: 'guess' }],
])('with %s it does not start, and says where it looks for one', async (_what, env) => {
  const { code, out, errors } = await run([], { GPUQL_TOKEN: '', ...env });
  expect([code, out]).toEqual([1, '']);
  expect(errors).toMatch(/token.*GPUQL_TOKEN/s);
  expect(errors).not.toMatch(/\bat .*:\d+:\d+|guess/);
});
