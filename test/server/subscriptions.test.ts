import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { Mailbox } from '../../src/live/mailbox.ts';
import type { Moment } from '../../src/live/moment.ts';
import { Admission } from '../../src/server/admission.ts';
import { subscribe } from '../support/events.ts';
import { Operation, toyApp, toySchema } from './toy-app.ts';

type Source = Mailbox<Moment<Operation, number>>;

/** Counts upwards, as a test posts it. */
function ticking(deps: Parameters<typeof toyApp>[0] = {}) {
  const sources: Source[] = [];
  const query = toySchema().getQueryType()!;
  const Tick = new GraphQLObjectType<Moment<Operation, number>, Operation>({
    name: 'Tick',
    fields: {
      number: { type: GraphQLInt, resolve: ({ value }) => value },
      broken: {
        type: GraphQLString,
        resolve() {
          throw new TypeError('secret http://10.0.0.1:9090');
        },
      },
      wide: { type: GraphQLString, resolve: () => 'x'.repeat(1_000_000) },
      own: { type: GraphQLString, resolve: ({ operation }, _args, context) => String(operation === context) },
      partial: { type: GraphQLString, resolve: (_moment, _args, operation) => (operation.leaveOut('aurora'), 'some') },
    },
  });
  const subscription = new GraphQLObjectType<Moment<Operation, number>, Operation>({
    name: 'Subscription',
    fields: {
      ticks: {
        type: Tick,
        subscribe: () => {
          const source: Source = new Mailbox(
            2,
            () => new Refusal('THROTTLED', 'Too slow.'),
            () => {},
          );
          sources.push(source);
          return source;
        },
        resolve: (moment) => {
          if (moment.value instanceof Error) throw moment.value;
          return moment;
        },
      },
      refused: { type: Tick, subscribe: () => Promise.reject(new Refusal('NOT_FOUND', 'There is no such cluster.')) },
    },
  });
  const { app, log } = toyApp({ schema: new GraphQLSchema({ query, subscription }), ...deps });
  const tick = (value: number | Error) => {
    const operation = new Operation(new Request('http://gateway/'));
    for (const source of sources) source.post([{ operation, value: value as number }]);
  };
  return { app, log, tick, sources };
}

test('each event is answered in the operation it came with; errors and warnings are in the form of all answers', async () => {
  const { app, tick, log } = ticking();
  const events = await subscribe(app, 'subscription { ticks { number own broken partial } }');
  tick(1);
  tick(new Refusal('METRICS_UNAVAILABLE', 'The metrics store does not answer.'));
  expect(await events.take(2)).toEqual([
    {
      data: { ticks: { number: 1, own: 'true', broken: null, partial: 'some' } },
      errors: [
        {
          message: expect.stringContaining('Something went wrong in the gateway'),
          locations: expect.any(Array),
          path: ['ticks', 'broken'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', status: 500 },
        },
      ],
      extensions: { warnings: ['aurora'] },
    },
    {
      data: { ticks: null },
      errors: [
        {
          message: 'The metrics store does not answer.',
          locations: expect.any(Array),
          path: ['ticks'],
          extensions: { code: 'METRICS_UNAVAILABLE', status: 503 },
        },
      ],
    },
  ]);
  expect(log.find(({ event }) => event === 'internal error')).toMatchObject({ path: 'ticks.broken' });
  events.leave();
  await expect.poll(() => log.map(({ event }) => event)).toContain('subscription ended');
  const ended = log.find(({ event }) => event === 'subscription ended');
  expect(ended).toEqual({
    level: 'info',
    event: 'subscription ended',
    ms: expect.any(Number),
    events: 2,
    codes: ['INTERNAL_SERVER_ERROR', 'METRICS_UNAVAILABLE'],
  });
  expect(log.filter(({ event }) => event === 'subscribed')).toHaveLength(1);
});

test('a source that fails is the last event; one that is refused is the only one', async () => {
  const { app, sources } = ticking();
  const events = await subscribe(app, 'subscription { ticks { number } }');
  sources[0]!.end(new Refusal('THROTTLED', 'Too slow.', { details: { retryAfterS: 1 } }));
  expect(await events.next()).toEqual({
    errors: [{ message: 'Too slow.', extensions: { code: 'THROTTLED', status: 429, retryAfterS: 1 } }],
  });
  expect(await events.next()).toBeNull();
  const refused = await subscribe(app, 'subscription { refused { number } }');
  expect((await refused.next())!.errors![0]).toMatchObject({ path: ['refused'], extensions: { code: 'NOT_FOUND' } });
  expect(await refused.next()).toBeNull();
});

test('a subscription ends with the credential that it was opened with', async () => {
  let isKnown = true;
  const { app, tick } = ticking({
    operation: (request) => {
      if (!isKnown) throw new Refusal('UNAUTHENTICATED', 'The token is not known here.');
      return new Operation(request);
    },
  });
  const events = await subscribe(app, 'subscription { ticks { number } }');
  tick(1);
  expect((await events.next())!.data.ticks).toEqual({ number: 1 });
  isKnown = false;
  tick(2);
  expect(await events.next()).toEqual({
    errors: [{ message: 'The token is not known here.', extensions: { code: 'UNAUTHENTICATED', status: 401 } }],
  });
  expect(await events.next()).toBeNull();
});

test('who does not take events is told to, before anything begins', async () => {
  const { app, sources } = ticking();
  const answer = await app.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: 'subscription { ticks { number } }' }),
  });
  expect(answer.status).toBe(406);
  expect((await answer.json()).errors[0].message).toContain('Accept: text/event-stream');
  expect(sources).toEqual([]);
});

test('open subscriptions are counted for each organization, and hold no operation', async () => {
  const admission = new Admission({ requestsPerMinute: 100, concurrency: 1, subscriptions: 2 });
  const { app } = ticking({
    admit: ({ request }) => admission.enter(request.headers.get('authorization')!),
    open: ({ request }) => admission.open(request.headers.get('authorization')!),
  });
  const open = (organization: string) =>
    subscribe(app, 'subscription { ticks { number } }', {}, { authorization: organization });
  const [first, second, third] = [await open('acme'), await open('acme'), await open('acme')];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  expect(third.headers.get('retry-after')).toBe('30');
  expect((await open('zeta')).status).toBe(200);
  expect(await admission.standing('acme')).toMatchObject({ concurrencyLeft: 1, subscriptionsLeft: 0 });
  first.leave();
  await expect.poll(async () => (await admission.standing('acme')).subscriptionsLeft).toBe(1);
  expect((await open('acme')).status).toBe(200);
  // One that is refused is not counted.
  await subscribe(app, 'subscription { refused { number } }', {}, { authorization: 'other' });
  expect(await admission.standing('other')).toMatchObject({ subscriptionsLeft: 2 });
});

test('the source is left at once when a client leaves, though it is waiting for an event', async () => {
  const { app, sources } = ticking();
  const events = await subscribe(app, 'subscription { ticks { number } }');
  expect(sources[0]!.isOver).toBe(false);
  events.leave();
  await expect.poll(() => sources[0]!.isOver).toBe(true);
});

test('a client that takes nothing any more is cut off, with its connection', async () => {
  const { app, tick, sources, log } = ticking({ pingMs: 20 });
  const server = createServer(app);
  const connections = new Set<object>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const sent = ask({ port, path: '/graphql', method: 'POST', headers });
  onTestFinished(() => {
    sent.destroy();
    server.close();
  });
  sent.on('error', () => {});
  sent.once('response', (answer) => answer.pause());
  sent.end(JSON.stringify({ query: 'subscription { ticks { wide } }' }));
  await expect.poll(() => sources.length).toBe(1);
  // Until the connection is full, and what waits is too much.
  while (!sources[0]!.isOver) {
    tick(1);
    await sleep(20);
  }
  expect(connections.size).toBe(1);
  expect(log.map(({ event }) => event)).not.toContain('subscription ended');
  await expect.poll(() => connections.size, { timeout: 5000 }).toBe(0);
  expect(log.map(({ event }) => event)).toContain('subscription ended');
});
