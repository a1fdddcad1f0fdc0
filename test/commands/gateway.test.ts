import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { readConfig } from '../../src/config.ts';

const cluster = { name: 'aurora', island: 'north', vendor: 'nvidia' };
const base = { islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:1' } }] };
const guarded = {
  ...base,
  organizations: [{ name: 'acme', tokens: ['a', { token: 'op', operator: true }], clusters: [cluster] }],
};

test.each([
  [guarded, 'a', false],
  [guarded, 'op', true],
  [{ ...base, organizations: [{ name: 'acme', clusters: [cluster] }] }, '', true],
])('an operation knows its organization, and whether the operator asks: %#', async (document, token, isOperator) => {
  const config = readConfig(stringify(document), {});
  const askFor = () => () => () => Promise.reject(new Error('nothing is asked'));
  const { operation } = gatewayOver({ config, askFor, now: () => 0, log: () => {} });
  const request = new Request('http://gateway/graphql', { headers: { authorization: `Bearer ${token}` } });
  expect(await operation(request)).toMatchObject({ organization: { name: 'acme' }, isOperator });
});

/** `gpuql serve` over a file, as a process. @returns its address */
async function served(document: object): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'gpuql-')), 'gpuql.yaml');
  writeFileSync(path, stringify(document));
  const program = fileURLToPath(new URL('../../src/gpuql.ts', import.meta.url));
  const child = spawn(process.execPath, [program, 'serve', '--config', path, '--port', '0']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line.replace('gpuql answers at ', '');
}

const friend = 'https://grafana.example';
const page = async (url: string) =>
  (await fetch(url, { headers: { accept: 'text/html' } })).headers.get('content-type')?.includes('html') ?? false;
const schemaOf = async (url: string) =>
  (await fetch(`${url}?query={__schema{queryType{name}}}`, { headers: { authorization: 'Bearer a' } })).status;
const corsOf = async (url: string) =>
  (await fetch(url, { headers: { origin: friend } })).headers.get('access-control-allow-origin');

test.each([
  ['nothing', {}, [true, 200, null]],
  ['a list of origins', { http: { corsOrigins: [friend] } }, [true, 200, friend]],
  ['no page', { http: { graphiql: false } }, [false, 200, null]],
  ['no introspection', { http: { introspection: false, graphiql: true } }, [false, 400, null]],
  ['another address', { listen: { host: '0.0.0.0' } }, [false, 200, null]],
  ['a page at another address', { listen: { host: '0.0.0.0' }, http: { graphiql: true } }, [true, 200, null]],
])('what browsers may do is configured: %s', async (_what, change, expected) => {
  const url = (await served({ ...guarded, ...change })).replace('0.0.0.0', '127.0.0.1');
  expect([await page(url), await schemaOf(url), await corsOf(url)]).toEqual(expected);
});
