import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient, type Client } from 'graphql-sse';
import { listen } from '../../src/commands/listen.ts';
import type { App } from '../../src/server/app.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { at, type LiveFleet, startLiveFleet } from '../support/live-fleet.ts';

let fleet: LiveFleet;
beforeAll(async () => {
  fleet = await startLiveFleet([
    { node: 'n1', tempC: stepped(61, [at(-30), 90]) },
    { node: 'n2', tempC: except(60, 88, [at(0), at(40)]) },
  ]);
});
afterAll(() => fleet?.close());

async function served(app: App) {
  const { url, drain } = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => drain(0));
  return { url: `${url}/graphql`, drain };
}

const changes = 'subscription ($after: String) { flagChanges(cluster: "c", after: $after) { change key cursor } }';
type Told = { flagChanges: { change: string; key: string | null; cursor: string } };
const clientOf = (url: string): Client => createClient({ url, retryAttempts: 0 });
const word = (told: Told): string => `${told.flagChanges.change} ${told.flagChanges.key?.split('/')[3] ?? ''}`.trim();

test('a graphql-sse client is told as it happens, and goes on where it was when its connection broke', async () => {
  const gateway = await fleet.gateway();
  const { url } = await served(gateway.app);
  const words: string[] = [];
  let after: string | undefined;
  const listenFor = async (count: number, then: () => Promise<void>) => {
    const events = clientOf(url).iterate<Told>({ query: changes, variables: { after } });
    for await (const { data, errors } of events) {
      expect(errors).toBeUndefined();
      words.push(word(data!));
      after = data!.flagChanges.cursor;
      if (words.length === 2) await then();
      if (words.length === count) break;
    }
  };
  await listenFor(3, async () => {
    await gateway.turns.until(1);
    await fleet.reach(6);
    await gateway.turns.turn();
  });
  await expect.poll(() => gateway.turns.asleep()).toBe(0);
  await fleet.reach(50);
  await listenFor(5, async () => {});
  expect(words).toEqual(['RAISED n1', 'CURRENT', 'RAISED n2', 'CLEARED n2', 'CURRENT']);
});

test('a query and a refusal come to such a client as events, too; who may not ask is told by the status', async () => {
  const { url } = await served((await fleet.gateway({ organizations: ['acme', 'other'] })).app);
  const results = async (query: string, headers: Record<string, string>) => {
    const all = [];
    for await (const result of createClient({ url, retryAttempts: 0, headers }).iterate({ query })) all.push(result);
    return all;
  };
  const own = { authorization: 'Bearer token-of-acme-0123456789abcdef' };
  expect(await results('{ clusters { name } }', own)).toEqual([{ data: { clusters: [{ name: 'c' }] } }]);
  expect(await results('subscription { flagChanges(cluster: "d") { change } }', own)).toMatchObject([
    { errors: [{ message: 'There is no cluster "d" here.', extensions: { code: 'NOT_FOUND', status: 404 } }] },
  ]);
  expect(await results('subscription { nothing }', own)).toMatchObject([{ errors: [{ extensions: { status: 400 } }] }]);
  await expect(results('subscription { flagChanges(cluster: "c") { change } }', {})).rejects.toMatchObject({
    response: { status: 401 },
  });
});

test('curl and EventSource ask with GET', async () => {
  const gateway = await fleet.gateway({ pingMs: 20 });
  const { url } = await served(gateway.app);
  const client = new AbortController();
  const address = `${url}?query=${encodeURIComponent('subscription { readings(cluster: "c", nodes: ["n1"]) { nodes { name } } }')}`;
  const answer = await fetch(address, { headers: { accept: 'text/event-stream' }, signal: client.signal });
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/data: .*\n\n(:\n\n){3}$/.test(text)) break;
  }
  expect(text).toMatch(/^(:\n\n)+event: next\ndata: {"data":{"readings":{"nodes":\[{"name":"n1"}\]}}}\n\n(:\n\n)+$/);
  client.abort();
  await expect.poll(() => gateway.turns.asleep()).toBe(0);
});

test('a client that leaves is let go: its count, and the work for it', async () => {
  const gateway = await fleet.gateway({ limits: { subscriptions: 2 } });
  const { url } = await served(gateway.app);
  const open = async () => {
    const client = new AbortController();
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: changes }),
      signal: client.signal,
    });
    return { status, leave: () => client.abort() };
  };
  const left = async () =>
    (await gateway.query('{ organization { limits { subscriptionsLeft } } }')).data.organization.limits
      .subscriptionsLeft;
  const [first, second, third] = [await open(), await open(), await open()];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  await gateway.turns.until(1);
  first.leave();
  await expect.poll(left).toBe(1);
  expect(gateway.turns.asleep()).toBe(1);
  second.leave();
  await expect.poll(left).toBe(2);
  await expect.poll(() => gateway.turns.asleep()).toBe(0);
});

test('when the gateway ends, so does every stream, with the reason', async () => {
  const gateway = await fleet.gateway();
  const { url, drain } = await served(gateway.app);
  const all: unknown[] = [];
  const over = (async () => {
    for await (const result of clientOf(url).iterate({ query: changes })) all.push(result);
  })();
  await expect.poll(() => all.length).toBeGreaterThan(0);
  const began = performance.now();
  gateway.end();
  await drain(10);
  await over;
  expect(performance.now() - began).toBeLessThan(2000);
  expect(all.at(-1)).toMatchObject({
    errors: [{ message: expect.stringContaining('The gateway ends'), extensions: { code: 'METRICS_UNAVAILABLE' } }],
  });
});
