import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackNames } from '../../src/commands/host-names.ts';
import { listen, type ListenOptions } from '../../src/commands/listen.ts';
import { securityHeaders } from '../../src/server/security-headers.ts';
import { toyApp } from '../server/toy-app.ts';

/** One request over a socket, head and all: clients keep such heads from being sent. */
async function answerTo(head: string, options: Partial<ListenOptions> = {}, app: RequestListener = toyApp().app) {
  const { url, drain } = await listen(app, { host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => drain(0));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const body = answer.split('\r\n\r\n').slice(1).join('');
  return { status: Number(answer.split(' ')[1]), answer, body: /\{.*\}/s.exec(body)?.[0] };
}

const hello = 'GET /graphql?query={hello} HTTP/1.1';

test.each([
  [`${hello}\r\nHost: ][`],
  [`${hello}\r\nHost: a@b:99999`],
  [`${hello}\r\nHost: a:99999`],
  [`${hello}\r\nHost: a@b`],
  [`${hello}\r\nHost: a/b`],
  ['GET http://elsewhere/graphql HTTP/1.1\r\nHost: localhost:1'],
  ['OPTIONS * HTTP/1.1\r\nHost: localhost:1'],
])('a request without a usable address is refused in one line of JSON: %j', async (head) => {
  const { status, answer, body } = await answerTo(head);
  expect([status, JSON.parse(body!)]).toEqual([
    400,
    { errors: [{ message: expect.stringContaining('Host header'), extensions: { code: 'BAD_REQUEST', status: 400 } }] },
  ]);
  expect(answer).not.toMatch(/ at |node_modules/);
  for (const [name, value] of Object.entries(securityHeaders)) expect(answer).toContain(`${name}: ${value}`);
});

test.each(['gateway', 'gateway:4000', '10.0.0.1', '[fd00::1]:80', 'GATEWAY.example.com'])(
  'a gateway with tokens answers to any name: %s',
  async (host) => {
    expect(await answerTo(`${hello}\r\nHost: ${host}`)).toMatchObject({
      status: 200,
      body: '{"data":{"hello":"world"}}',
    });
  },
);

test.each(['localhost', 'LOCALHOST:4000', '127.0.0.1:1', '[::1]:4000', '127.0.0.9'])(
  'a gateway without tokens answers to this machine’s names: %s',
  async (host) => {
    expect(await answerTo(`${hello}\r\nHost: ${host}`, { names: loopbackNames('127.0.0.9') })).toMatchObject({
      status: 200,
    });
  },
);

test.each(['evil.example', 'evil.example:4000', 'localhost.evil.example', '127.0.0.2', 'localhost.'])(
  'a gateway without tokens does not answer to another site’s name: %s',
  async (host) => {
    const { status, body } = await answerTo(`${hello}\r\nHost: ${host}`, { names: loopbackNames('::1') });
    expect([status, JSON.parse(body!)]).toEqual([
      421,
      {
        errors: [
          {
            message: 'This gateway answers at localhost, 127.0.0.1, [::1] only: send one of them as the Host.',
            extensions: { code: 'BAD_REQUEST', status: 421 },
          },
        ],
      },
    ]);
  },
);

test('a client of HTTP/1.0, which knows no Host, is answered', async () => {
  const { status } = await answerTo('GET /graphql?query={hello} HTTP/1.0', { names: loopbackNames('localhost') });
  expect(status).toBe(200);
});

test.each<[string, RequestListener]>([
  [
    'answers with a stack',
    (_request, response) => {
      response.writeHead(500, 'Internal', { 'content-type': 'text/plain' });
      response.write('TypeError: secret\n    at /somewhere');
      response.end();
    },
  ],
  [
    'sets its headers one by one',
    (_request, response) => {
      response.setHeader('content-length', '6');
      response.writeHead(500);
      response.write('secret');
      response.end();
    },
  ],
  [
    'throws',
    () => {
      throw new Error('secret');
    },
  ],
  ['rejects', (() => Promise.reject(new Error('secret'))) as RequestListener],
])('an app that %s is a failure without a stack; the log has it', async (_what, app) => {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const { status, answer, body } = await answerTo(`${hello}\r\nHost: localhost`, { onFailure }, app);
  expect([status, JSON.parse(body!).errors[0].extensions]).toEqual([
    500,
    { code: 'INTERNAL_SERVER_ERROR', status: 500 },
  ]);
  expect(answer).not.toMatch(/secret|somewhere/);
  expect(failures.map(String)).toEqual([expect.stringContaining('secret')]);
});

test('a failure that the app has put into words stays as it is', async () => {
  const { status, body } = await answerTo('GET /graphql?query={broken} HTTP/1.1\r\nHost: localhost');
  expect([status, JSON.parse(body!).errors[0].path]).toEqual([500, ['broken']]);
});
