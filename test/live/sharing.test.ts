import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import type { Ask } from '../../src/reads/ask.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { subscribe } from '../support/events.ts';
import { at, type LiveFleet, startLiveFleet, tokenOf } from '../support/live-fleet.ts';

const flags = `subscription { flagChanges(cluster: "c", kinds: [THERMAL_THROTTLE]) {
  change key cursor flag { summary evidence { peakTempC } gpu { uuid tempC { mean } } }
} }`;
const readings = 'subscription { readings(cluster: "c") { nodes { name gpus { uuid tempC { last } } } } }';
const as = (organization: string) => ({ authorization: `Bearer ${tokenOf(organization)}` });

let fleet: LiveFleet;
beforeAll(async () => {
  fleet = await startLiveFleet([
    // Two organizations call all alike.
    { tenant: 'acme', node: 'n1', tempC: stepped(61, [at(-30), 90]) },
    { tenant: 'acme', node: 'n2', tempC: except(62, 88, [at(0), at(40)]) },
    { tenant: 'zeta', node: 'n1', tempC: 47 },
    { tenant: 'zeta', node: 'n2', tempC: stepped(48, [at(-10), 95]) },
  ]);
});
afterAll(() => fleet?.close());

/** What the stores are asked for so many subscribers, each with a gateway of theirs, while the same happens to all. */
async function requestsFor(counts: readonly number[], document: string, minutes: readonly number[]) {
  const groups = await Promise.all(
    counts.map(async (count) => {
      const gateway = await fleet.gateway({ limits: { subscriptions: 1000, requestsPerMinute: 10_000 } });
      const all = [];
      for (let i = 0; i < count; i += 1) all.push(await subscribe(gateway.app, document));
      const first = await Promise.all(all.map((events) => events.next()));
      await gateway.turns.until(1);
      return { gateway, all, first };
    }),
  );
  for (const minute of minutes) {
    await fleet.reach(minute);
    for (const { gateway } of groups) await gateway.turns.turn();
  }
  return Promise.all(
    groups.map(async ({ gateway, all, first }) => {
      const later = await Promise.all(all.map((events) => events.rest(300)));
      const asked = gateway.requests().length;
      for (const events of all) events.leave();
      await expect.poll(() => gateway.turns.asleep()).toBe(0);
      return { asked, first, later };
    }),
  );
}

test('of flags the stores are asked no more for a hundred subscribers than for one, whatever they select', async () => {
  const [one, many] = await requestsFor([1, 100], flags, [1, 8]);
  expect(one!.asked).toBeGreaterThan(10);
  expect(many!.asked).toBe(one!.asked);
  expect(one!.later[0]!.map(({ data }) => data.flagChanges.change)).toEqual(['CURRENT', 'RAISED']);
  expect(new Set(many!.first.map((event) => JSON.stringify(event)))).toEqual(new Set([JSON.stringify(one!.first[0])]));
  expect(new Set(many!.later.map((event) => JSON.stringify(event)))).toEqual(new Set([JSON.stringify(one!.later[0])]));
}, 60_000);

test('and of readings', async () => {
  const [one, many] = await requestsFor([1, 100], readings, [20, 30]);
  expect(many!.asked).toBe(one!.asked);
  for (const events of many!.later) {
    expect(events).toHaveLength(2);
    const { nodes } = events[1]!.data.readings;
    expect(nodes.map(({ gpus: [gpu] }: { gpus: [{ tempC: { last: number } }] }) => gpu.tempC.last)).toEqual([90, 88]);
  }
}, 60_000);

test('two organizations that ask the same, word for word, are told their own', async () => {
  const gateway = await fleet.gateway({ organizations: ['acme', 'zeta'] });
  const [acme, zeta] = [
    await subscribe(gateway.app, flags, {}, as('acme')),
    await subscribe(gateway.app, flags, {}, as('zeta')),
  ];
  const [own, other] = [await acme.take(2), await zeta.take(2)];
  await gateway.turns.until(2);
  expect(JSON.stringify(own)).toContain('GPU-acme-n1-0');
  expect(JSON.stringify(own)).not.toContain('zeta');
  expect(JSON.stringify(other)).toContain('GPU-zeta-n2-0');
  expect(JSON.stringify(other)).not.toContain('acme');
  acme.leave();
  await expect.poll(() => gateway.turns.asleep()).toBe(1);
  // What one was told is no cursor of the other's.
  const { cursor } = own[0]!.data.flagChanges;
  const after = flags.replace('cluster: "c"', `cluster: "c", after: ${JSON.stringify(cursor)}`);
  const refused = await subscribe(gateway.app, after, {}, as('zeta'));
  expect((await refused.next())!.errors![0]!.message).toContain('another question');
  zeta.leave();
});

/** A way to the stores that a test can break. */
function breakable() {
  const fault: { refusal?: Refusal; leavesOut?: boolean } = {};
  const before =
    (ask: Ask): Ask =>
    async (question, signal) => {
      if (fault.refusal) throw fault.refusal;
      const answer = await ask(question, signal);
      // As Thanos answers where one of its stores is away: a 200, less rows, and a warning.
      return fault.leavesOut ? { ...answer, rows: [], partial: true } : answer;
    };
  return { fault, before };
}

test.each(['refuses', 'leaves out'] as const)(
  'a store that %s clears nothing: it is said once, and when it is over',
  async (how) => {
    const { fault, before } = breakable();
    const gateway = await fleet.gateway({ before });
    const events = await subscribe(gateway.app, 'subscription { flagChanges(cluster: "c") { change key } }');
    const told = (await events.rest(300)).map(({ data }) => data.flagChanges.change);
    expect(told.at(-1)).toBe('CURRENT');
    expect(told).toContain('RAISED');
    await gateway.turns.until(1);
    // Names and lists are remembered for half a minute of the clock on the wall; what flags rest on is asked anew.
    if (how === 'refuses') fault.refusal = new Refusal('METRICS_UNAVAILABLE', 'The metrics store does not answer.');
    else fault.leavesOut = true;
    for (let i = 0; i < 3; i += 1) await gateway.turns.turn();
    const failed = await events.rest(50);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({
      data: { flagChanges: null },
      errors: [{ path: ['flagChanges'], extensions: { code: 'METRICS_UNAVAILABLE', status: 503 } }],
    });
    // Who comes meanwhile learns that, and no state.
    const newcomer = await subscribe(gateway.app, 'subscription { flagChanges(cluster: "c") { change key } }');
    expect((await newcomer.rest(50)).map(({ errors }) => errors?.[0]!.extensions.code)).toEqual([
      'METRICS_UNAVAILABLE',
    ]);
    delete fault.refusal;
    delete fault.leavesOut;
    await gateway.turns.turn();
    expect((await events.rest(50)).map(({ data }) => data.flagChanges.change)).toEqual(['CURRENT']);
    expect((await newcomer.rest(50)).map(({ data }) => data.flagChanges.change)).toEqual(told);
    events.leave();
    newcomer.leave();
  },
);

test('a subscriber that does not read is ended with the reason, and nothing waits for it', async () => {
  const gateway = await fleet.gateway();
  const [slow, quick] = [await subscribe(gateway.app, readings), await subscribe(gateway.app, readings)];
  await gateway.turns.until(1);
  let read = 0;
  for (let i = 0; i < 400; i += 1) {
    await gateway.turns.turn();
    read += (await quick.rest(1)).length;
  }
  expect(read).toBeGreaterThan(300);
  await expect.poll(() => gateway.log.filter(({ event }) => event === 'subscription ended').length).toBe(0);
  const late = await slow.rest(300);
  // What the connection had taken, and then why.
  expect(late.length).toBeLessThan(read);
  expect(late.at(-1)!.errors![0]).toMatchObject({
    message: expect.stringContaining('not read for so long'),
    extensions: { code: 'THROTTLED', status: 429, retryAfterS: 1 },
  });
  expect(gateway.log).toContainEqual(expect.objectContaining({ event: 'subscription ended', codes: ['THROTTLED'] }));
  quick.leave();
  await sleep(20);
}, 60_000);
