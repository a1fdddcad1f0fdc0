import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

async function started(drainS: number, storeUrl = 'http://127.0.0.1:1') {
  const process = spawn(globalThis.process.execPath, [path('slow-gateway.ts'), String(drainS), storeUrl]);
  onTestFinished(() => void process.kill('SIGKILL'));
  const log: string[] = [];
  createInterface(process.stderr).on('line', (line) => log.push(line));
  const [line] = (await once(createInterface(process.stdout), 'line')) as [string];
  return { process, log, url: line.replace('gpuql answers at ', '') };
}

const slow = (url: string, ms: number): Promise<unknown> =>
  fetch(`${url}?query={slow(ms:${ms})}`).then((answer) => answer.json());
const ended = async (process: ChildProcess): Promise<unknown> => {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  return process.exitCode ?? process.signalCode;
};

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
  '%s lets a request finish, takes no other, and ends with 0',
  async (signal) => {
    const { process, url, log } = await started(10);
    // A connection that is kept alive, and idle: it must not hold the process back.
    expect(await slow(url, 0)).toEqual({ data: { slow: 'done' } });
    const answer = slow(url, 600);
    await sleep(150);
    const told = performance.now();
    process.kill(signal);
    await sleep(150);
    await expect(fetch(`${url}?query={slow(ms:0)}`, { headers: { connection: 'close' } })).rejects.toThrow(
      'fetch failed',
    );
    expect(await answer).toEqual({ data: { slow: 'done' } });
    expect(await ended(process)).toBe(0);
    expect(performance.now() - told).toBeLessThan(2500);
    expect(log.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      'listening',
      'answer',
      'draining',
      'subscriptions end',
      'answer',
      'ended',
    ]);
  },
);

test('a request that takes too long is cut off, and the process ends', async () => {
  const { process, url } = await started(0.3);
  const answer = slow(url, 60_000);
  answer.catch(() => {});
  await sleep(150);
  process.kill('SIGTERM');
  await expect(answer).rejects.toThrow('fetch failed');
  process.stdout!.destroy();
  await sleep(50);
});

test('the log names no store, and readiness is the store’s', async () => {
  const store = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"success","data":{"resultType":"scalar","result":[0,"1"]}}');
  });
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  onTestFinished(() => void store.close());
  const { port } = store.address() as AddressInfo;
  const { process, url, log } = await started(1, `http://127.0.0.1:${port}/secret-path`);
  const ready = new URL('/readyz', url);
  expect((await fetch(ready)).status).toBe(200);
  store.closeAllConnections();
  store.close();
  expect((await fetch(ready)).status).toBe(503);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  process.kill('SIGTERM');
  await ended(process);
  expect(log.join('\n')).not.toMatch(/secret-path/);
});

test('a gateway without tokens is not there for another site’s name', async () => {
  const { url } = await started(1);
  const asked = get(`${url}?query={slow(ms:0)}`, { headers: { host: 'evil.example' } });
  const [response] = (await once(asked, 'response')) as [{ statusCode: number }];
  expect(response.statusCode).toBe(421);
});

test('a store that hangs does not keep the process longer than the requests may take', async () => {
  const store = createServer(() => {});
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  onTestFinished(() => {
    store.closeAllConnections();
    store.close();
  });
  const { process, url } = await started(0.5, `http://127.0.0.1:${(store.address() as AddressInfo).port}`);
  const asked = once(store, 'request');
  fetch(`${url}?query={ask}`).catch(() => {});
  await asked;
  const told = performance.now();
  process.kill('SIGTERM');
  expect(await ended(process)).toBe(0);
  expect(performance.now() - told).toBeLessThan(3_000);
});

const gpuql = async (...words: string[]): Promise<{ code: unknown; out: string; err: string }> => {
  const child = spawn(globalThis.process.execPath, [path('../../src/gpuql.ts'), ...words]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
};

test('what is not understood ends with 2 and says what exists; what cannot be done ends with 1', async () => {
  expect(await gpuql('help')).toMatchObject({ code: 0, out: expect.stringContaining('gpuql serve --config') });
  expect(await gpuql('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(await gpuql('srve')).toEqual({ code: 2, out: '', err: expect.stringMatching(/did you mean "serve"\?\nTry/) });
  expect(await gpuql('serve', '--config', '/nowhere.yaml')).toEqual({
    code: 1,
    out: '',
    err: '--config /nowhere.yaml: there is no such file\n',
  });
  expect(await gpuql('serve', '--prometheus', 'nowhere')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The command line is wrong:\n {2}--prometheus: must be a URL/),
  });
});

test('a port that is taken is said in a sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const words = expect.stringMatching(/^Cannot listen on 127\.0\.0\.1, port \d+: another program has it/);
  const { code, err } = await gpuql('serve', '--prometheus', 'http://127.0.0.1:1', '--port', String(port));
  expect([code, err]).toEqual([1, words]);
  // The demo says so before it starts a store.
  expect(await gpuql('demo', '--port', String(port))).toEqual({ code: 1, out: '', err: words });
});

test('a demo that other machines could reach is not begun', async () => {
  expect(await gpuql('demo', '--host', '0.0.0.0')).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining('--host: is reachable from other machines'),
  });
});
