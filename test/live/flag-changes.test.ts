import { afterAll, beforeAll, expect, test } from 'vitest';
import { except, stepped } from '../support/fleet/series.ts';
import { subscribe } from '../support/events.ts';
import { at, type LiveFleet, startLiveFleet } from '../support/live-fleet.ts';

const document = `subscription ($after: String, $least: Severity, $kinds: [FlagKind!]) {
  flagChanges(cluster: "c", after: $after, minSeverity: $least, kinds: $kinds) {
    change key at cursor flag { key kind severity node { name } gpu { index } }
  }
}`;

interface Told {
  readonly change: string;
  readonly key: string | null;
  readonly cursor: string;
  readonly flag: { key: string; severity: string } | null;
}
const toldIn = (events: readonly { data: { flagChanges: Told } }[]): Told[] =>
  events.map(({ data }) => data.flagChanges);
/** In a word: what happened, where, and how serious it is now. */
const inWords = ({ change, key, flag }: Told): string =>
  change === 'CURRENT' ? change : `${change} ${key!.split('/')[3]} ${flag?.severity ?? '-'}`;

let fleet: LiveFleet;
beforeAll(async () => {
  fleet = await startLiveFleet([
    { node: 'calm', tempC: 60 },
    // Hot for hours.
    { node: 'old', tempC: stepped(60, [at(-30), 90]) },
    // From WARN to HIGH, and over.
    { node: 'new', tempC: except(60, 88, [at(-4), at(12)]) },
    // Its exporter goes away while it is hot, and comes back when it is not.
    { node: 'lost', tempC: except(60, 91, [at(-20), at(5)]), silent: [at(2), at(24)] },
    // Comes and goes while nobody listens.
    { node: 'brief', tempC: except(60, 87, [at(30), at(37)]) },
    { node: 'later', tempC: except(60, 86, [at(70), at(90)]) },
    { node: 'last', tempC: except(60, 86, [at(105), at(130)]) },
  ]);
});
afterAll(() => fleet?.close());

/** Everything that one subscriber is told over half an hour, in steps of half a minute, and how all of it was reached. */
let story: Told[];

test('a newcomer is told what burns, then what begins, grows serious, falls silent and ends', async () => {
  const gateway = await fleet.gateway();
  const events = await subscribe(gateway.app, document);
  expect(events.status).toBe(200);
  expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const first = toldIn(await events.take(3));
  expect(first.map(inWords)).toEqual(['RAISED old HIGH', 'RAISED lost HIGH', 'CURRENT']);
  expect(first[0]!.flag!.key).toBe(first[0]!.key);
  story = [...first];
  await gateway.turns.until(1);
  for (let minutes = 0.5; minutes <= 28; minutes += 0.5) {
    await fleet.reach(minutes);
    await gateway.turns.turn();
    story.push(...toldIn(await events.rest(20)));
  }
  expect(story.slice(3).map(inWords)).toEqual([
    'RAISED new WARN',
    'CHANGED new HIGH',
    // It was hot until minute two, and nobody knows about minute eight.
    'SILENT lost HIGH',
    'CLEARED new HIGH',
    'CLEARED lost HIGH',
  ]);
  events.leave();
  await expect.poll(() => gateway.turns.asleep()).toBe(0);
}, 120_000);

test('nothing is asked when nobody listens', async () => {
  const gateway = await fleet.gateway();
  const events = await subscribe(gateway.app, document);
  await events.take(2);
  await gateway.turns.until(1);
  events.leave();
  await expect.poll(() => gateway.turns.asleep()).toBe(0);
  const asked = gateway.requests().length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(gateway.requests().length).toBe(asked);
});

/** What a client has on its page. */
function page(events: readonly Told[], from = new Map<string, string>()): Map<string, string> {
  for (const { change, key, flag } of events) {
    if (key === null) continue;
    // Neither twice, nor what was never there.
    expect(from.has(key), `${change} ${key}`).toBe(change !== 'RAISED');
    if (change === 'CLEARED') from.delete(key);
    else from.set(key, flag?.severity ?? from.get(key)!);
  }
  return from;
}

test('who comes back with the cursor of any event is told the rest, by a gateway that knows nothing of it', async () => {
  await fleet.reach(45);
  const fresh = await subscribe((await fleet.gateway()).app, document);
  const now = page(toldIn(await fresh.take(2)));
  fresh.leave();
  expect([...now.keys()].map((key) => key.split('/')[3])).toEqual(['old']);
  for (const [i, { cursor }] of story.entries()) {
    const gateway = await fleet.gateway();
    const events = await subscribe(gateway.app, document, { after: cursor });
    const told: Told[] = [];
    do told.push(...toldIn(await events.take(1)));
    while (told.at(-1)!.change !== 'CURRENT');
    events.leave();
    const before = page(story.slice(0, i + 1));
    expect(page(told, before), `after event ${i}`).toEqual(now);
    // It came and went while nobody listened.
    const words = told.map(inWords);
    const ofBrief = i < 2 ? [] : ['RAISED brief WARN', 'CLEARED brief WARN'];
    expect(words.filter((one) => one.includes('brief'))).toEqual(ofBrief);
  }
}, 60_000);

test('between two events of one evaluation, too: none of them comes again, and none is lost', async () => {
  const [, , current] = story;
  const words = async (after: string) => {
    const events = await subscribe((await fleet.gateway()).app, document, { after });
    const told: Told[] = [];
    do told.push(...toldIn(await events.take(1)));
    while (told.at(-1)!.change !== 'CURRENT');
    events.leave();
    return told;
  };
  const all = await words(current!.cursor);
  expect(all.length).toBeGreaterThan(4);
  for (const [i, { cursor }] of all.entries()) {
    expect((await words(cursor)).map(inWords), `after ${i}`).toEqual([...all.slice(i + 1, -1).map(inWords), 'CURRENT']);
  }
}, 60_000);

test('minSeverity tells what reaches it, and follows that to its end; kinds are all that is asked', async () => {
  const gateway = await fleet.gateway();
  const none = await subscribe(gateway.app, document, { kinds: ['COMM_ERRORS'] });
  expect(toldIn(await none.take(1)).map(inWords)).toEqual(['CURRENT']);
  none.leave();
  const events = await subscribe(gateway.app, document, { least: 'HIGH' });
  expect(toldIn(await events.take(2)).map(inWords)).toEqual(['RAISED old HIGH', 'CURRENT']);
  await gateway.turns.until(1);
  const told: Told[] = [];
  for (const minutes of [76, 78, 81, 97]) {
    await fleet.reach(minutes);
    await gateway.turns.turn();
    told.push(...toldIn(await events.rest(20)));
  }
  expect(told.map(inWords)).toEqual(['RAISED later HIGH', 'CLEARED later HIGH']);
  events.leave();
});

test('who comes from a gateway that looked later is not told that what only it saw is over', async () => {
  const behind = await fleet.gateway();
  const keeps = await subscribe(behind.app, document);
  expect(toldIn(await keeps.take(2)).map(inWords)).toEqual(['RAISED old HIGH', 'CURRENT']);
  await behind.turns.until(1);
  await fleet.reach(118);
  const ahead = await subscribe((await fleet.gateway()).app, document);
  const seen = toldIn(await ahead.take(3));
  expect(seen.map(inWords)).toEqual(['RAISED old HIGH', 'RAISED last HIGH', 'CURRENT']);
  ahead.leave();
  const moved = [];
  for (const { cursor } of seen.slice(1)) moved.push(await subscribe(behind.app, document, { after: cursor }));
  for (const events of moved) expect(toldIn(await events.rest(50)).map(inWords)).toEqual([]);
  await behind.turns.turn();
  for (const events of moved) {
    expect(toldIn(await events.take(1)).map(inWords)).toEqual(['CURRENT']);
    events.leave();
  }
  keeps.leave();
}, 60_000);

test('a cursor of another question, of nothing, or of long ago is refused with what to do', async () => {
  const refusal = async (variables: object) => {
    const events = await subscribe((await fleet.gateway()).app, document, variables);
    const answer = await events.next();
    expect(await events.next()).toBeNull();
    return answer!.errors![0]!;
  };
  const cursor = story.at(-1)!.cursor;
  const other = await refusal({ after: cursor, least: 'HIGH' });
  expect([other.extensions.code, other.message]).toEqual(['BAD_REQUEST', expect.stringContaining('another question')]);
  expect((await refusal({ after: 'nonsense' })).message).toContain('no cursor');
  await fleet.reach(60 * 6 + 30);
  expect((await refusal({ after: cursor })).message).toContain('Subscribe without it');
});
