import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { Admission } from '../../src/server/admission.ts';
import { ask, onSocket, Operation, toyApp } from './toy-app.ts';

afterEach(() => vi.useRealTimers());

const organizationOf = (request: Request): string => request.headers.get('authorization') ?? '';
const askAs = (app: ReturnType<typeof toyApp>['app'], organization: string, query: string, signal?: AbortSignal) =>
  Promise.resolve(
    app.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(organization && { authorization: organization }) },
      body: JSON.stringify({ query }),
      ...(signal && { signal }),
    }),
  );
const limited = (limits: { requestsPerMinute?: number; concurrency?: number }, more = {}) => {
  const admission = new Admission({ requestsPerMinute: 1000, concurrency: 1000, ...limits });
  const { app, log } = toyApp(
    {
      operation: (request) => {
        if (organizationOf(request) === '') throw new Refusal('UNAUTHENTICATED', 'This gateway needs a token.');
        return new Operation(request);
      },
      admit: ({ request }) => admission.enter(organizationOf(request)),
    },
    more,
  );
  return { app, log, admission };
};

describe('the rate', () => {
  test('of one organization is refused with the seconds to wait, and no other is touched', async () => {
    const { app } = limited({ requestsPerMinute: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await askAs(app, 'acme', '{ hello }')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await askAs(app, 'acme', '{ hello }');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await refused.json()).toEqual({
      errors: [
        {
          message: `2 requests a minute are the most for one organization; wait ${wait} s and ask again.`,
          extensions: { code: 'THROTTLED', status: 429, retryAfterS: wait },
        },
      ],
    });
    expect((await askAs(app, 'zeta', '{ hello }')).status).toBe(200);
  });

  test('begins anew after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const admission = new Admission({ requestsPerMinute: 1, concurrency: 9 });
    await admission.enter('acme');
    vi.advanceTimersByTime(20_500);
    await expect(admission.enter('acme')).rejects.toMatchObject({ code: 'THROTTLED', details: { retryAfterS: 40 } });
    expect(await admission.standing('acme')).toEqual({ requestsLeft: 0, requestsResetS: 40, concurrencyLeft: 8 });
    vi.advanceTimersByTime(39_500);
    await expect(admission.enter('acme')).resolves.toBeTypeOf('function');
  });

  test('is looked at before the document: one that does not parse is refused for it', async () => {
    const { app } = limited({ requestsPerMinute: 1 });
    expect((await askAs(app, 'acme', '{ this does not parse')).status).toBe(400);
    for (const text of ['{ this does not parse', '{'.repeat(70_000)])
      expect((await askAs(app, 'acme', text)).status).toBe(429);
  });

  test('is of whoever has a credential: who has none is counted against nobody', async () => {
    const { app, admission } = limited({ requestsPerMinute: 2 });
    for (let i = 0; i < 5; i += 1) expect((await askAs(app, '', '{ hello }')).status).toBe(401);
    expect((await admission.standing('')).requestsLeft).toBe(2);
    expect((await admission.standing('acme')).requestsLeft).toBe(2);
  });

  test('keeps no process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const before = timers();
    await new Admission({ requestsPerMinute: 1, concurrency: 1 }).enter('acme');
    expect(timers()).toBe(before);
  });
});

describe('operations at once', () => {
  const gate = () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open: () => open() };
  };
  const left = async (admission: Admission, organization = 'acme') =>
    (await admission.standing(organization)).concurrencyLeft;

  test('are refused beyond the limit, and no other organization is touched', async () => {
    const { opened, open } = gate();
    const { app, admission } = limited({ concurrency: 2 }, { slow: () => opened.then(() => 'done') });
    const slow = [askAs(app, 'acme', '{ slow }'), askAs(app, 'acme', '{ slow }')];
    await vi.waitFor(async () => expect(await left(admission)).toBe(0));
    const refused = await askAs(app, 'acme', '{ hello }');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await refused.json()).errors[0].extensions).toEqual({ code: 'THROTTLED', status: 429, retryAfterS: 1 });
    expect((await askAs(app, 'zeta', '{ hello }')).status).toBe(200);
    open();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await left(admission)).toBe(2);
    expect((await askAs(app, 'acme', '{ hello }')).status).toBe(200);
  });

  test.each([
    ['an answer', '{ hello }'],
    ['a refusal', '{ missing }'],
    ['a fault', '{ broken }'],
    ['what cannot be written', '{ unwritable }'],
    ['what does not parse', '{ hello'],
    ['what is not valid', '{ goodbye }'],
    ['what is too large', `{ ${'hello '.repeat(200)} }`],
    ['what has too many tokens', `{ ${'hello '.repeat(10_100)} }`],
    ['what is no operation', 'fragment f on Query { hello }'],
  ])('%s ends one', async (_what, text) => {
    const { app, admission } = limited({ concurrency: 1 });
    for (let i = 0; i < 3; i += 1) expect((await askAs(app, 'acme', text)).status).not.toBe(429);
    expect(await left(admission)).toBe(1);
  });

  test('an answer that fails on its way out ends one', async () => {
    const admission = new Admission({ requestsPerMinute: 1000, concurrency: 1 });
    // What JSON has no word for.
    const warnings = () => [1n as unknown as string];
    const { app } = toyApp({ admit: () => admission.enter('acme'), warnings });
    expect((await ask(app, '{ hello }')).status).toBe(500);
    expect(await left(admission)).toBe(1);
  });

  test('a client that leaves ends its own, once', async () => {
    const { opened, open } = gate();
    const admission = new Admission({ requestsPerMinute: 1000, concurrency: 2 });
    const { app } = toyApp({ admit: () => admission.enter('acme') }, { slow: () => opened.then(() => 'done') });
    const port = await onSocket(app);
    const controller = new AbortController();
    const send = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ slow }"}',
        ...(signal && { signal }),
      });
    const stays = send();
    const leaves = send(controller.signal).catch(() => 'left');
    await vi.waitFor(async () => expect(await left(admission)).toBe(0));
    controller.abort();
    await leaves;
    await vi.waitFor(async () => expect(await left(admission)).toBe(1));
    open();
    expect((await stays).status).toBe(200);
    await sleep(50);
    expect(await left(admission)).toBe(2);
  });

  describe('a client that does not read its answer', () => {
    const large = 'GET /graphql?query={samples(rows:28000)} HTTP/1.1\r\nHost: gateway\r\n\r\n';
    const stalling = async () => {
      const admission = new Admission({ requestsPerMinute: 1000, concurrency: 1 });
      const port = await onSocket(toyApp({ admit: () => admission.enter('acme') }).app);
      const client = connect(port, '127.0.0.1', () => client.write(large));
      await new Promise((resolve) => client.once('data', resolve));
      client.pause();
      return { admission, client };
    };

    test('keeps its place until it leaves', async () => {
      const { admission, client } = await stalling();
      await sleep(300);
      expect(await left(admission)).toBe(0);
      client.destroy();
      await vi.waitFor(async () => expect(await left(admission)).toBe(1));
    });
  });

  test('an answer that was read ends one, and its connection serves on', async () => {
    const admission = new Admission({ requestsPerMinute: 1000, concurrency: 1 });
    const port = await onSocket(toyApp({ admit: () => admission.enter('acme') }).app);
    for (let i = 0; i < 3; i += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/graphql?query={samples(rows:10000)}`);
      expect([answer.status, (await answer.text()).length > 10_000_000]).toEqual([200, true]);
      await vi.waitFor(async () => expect(await left(admission)).toBe(1));
      await sleep(100);
    }
  });

  test('ending twice counts once', async () => {
    const admission = new Admission({ requestsPerMinute: 9, concurrency: 3 });
    const [first] = [await admission.enter('acme'), await admission.enter('acme')];
    first();
    first();
    expect(await left(admission)).toBe(2);
  });
});

test('a list of operations is refused, with words that say so', async () => {
  const { app } = toyApp();
  const response = await app.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ hello }' }]),
  });
  expect([response.status, (await response.json()).errors[0]]).toEqual([
    400,
    {
      message:
        'A request is one operation, not a list. Put several root fields into one document: they share what they read.',
      extensions: { code: 'BAD_REQUEST', status: 400 },
    },
  ]);
});
