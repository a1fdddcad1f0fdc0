import { afterAll, beforeAll, expect, test } from 'vitest';

import { costOf } from '../support/cost.ts';
import type { Gateway } from '../support/gateway.ts';
import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { metricsNamed, stillNodes } from '../support/still-fleet.ts';

const metrics = metricsNamed(/GPU_TEMP$|POWER_USAGE|XID/);
const times = scrapes({ from: ago(HOUR) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'aurora', series: stillNodes(2, metrics, times) },
    { name: 'borealis', series: stillNodes(1, metrics, times) },
  ]);
});
afterAll(() => world?.close());

const over = (
  cluster: string,
  window = '{ range: LAST_1H }',
  selection = 'nodes { nodes { gpus { tempC { max } } } }',
) => `{ cluster(name: "${cluster}", window: ${window}) { ${selection} } }`;
const forNames = ({ requests }: Gateway) =>
  requests().filter((question) => question.kind === 'labelValues' && question.label === '__name__');
const namesAsked = (gateway: Gateway): number => forNames(gateway).length;
/** Values of any label: no reading is one, so all of them are discovery. */
const valuesAsked = ({ requests }: Gateway): number => requests().filter(({ kind }) => kind === 'labelValues').length;

test('names are looked for in the first operation, and in none after it', async () => {
  const gateway = await world.gateway();
  const first = await costOf(gateway, over('aurora'));
  expect(namesAsked(gateway)).toBe(1);
  const discovery = valuesAsked(gateway);
  const second = await costOf(gateway, over('aurora'));
  expect(valuesAsked(gateway)).toBe(discovery);
  expect(second.requests, 'the figure and its guard; of the same window the list is kept too').toBe(2);
  expect(second.requests).toBeLessThan(first.requests);
});

test.each([
  ['another window', over('aurora', '{ range: LAST_7D }')],
  ['another selection', over('aurora', '{}', 'nodes { nodes { gpus { powerW { last } errors { xid } } } }')],
  ['a window of its own', over('aurora', '{ start: "2026-05-25T00:00:00Z", end: "2026-05-26T00:00:00Z" }')],
])('%s of a cluster does not look for names again', async (_what, document) => {
  const gateway = await world.gateway();
  await costOf(gateway, over('aurora'));
  await costOf(gateway, document);
  expect(namesAsked(gateway)).toBe(1);
});

test('each cluster has its names looked for, once in a document that names it often', async () => {
  const gateway = await world.gateway();
  const twice = `${over('aurora').slice(0, -1)} again: ${over('aurora', '{ range: LAST_24H }').slice(1, -1)}`;
  await costOf(gateway, `${twice} clusters { nodes { totalCount } } }`);
  const asked = forNames(gateway);
  const names = asked.map((question) => /cluster="(\w+)"/.exec('match' in question ? question.match[0]! : '')?.[1]);
  expect(names.sort()).toEqual(['aurora', 'borealis']);
});

test('operations at one time look for names once', async () => {
  const gateway = await world.gateway();
  await Promise.all(
    ['LAST_1H', 'LAST_6H', 'LAST_24H'].map((range) => costOf(gateway, over('aurora', `{ range: ${range} }`))),
  );
  expect(namesAsked(gateway)).toBe(1);
});

test('one label of names is asked for, of the catalogue and of the cluster alone', async () => {
  const gateway = await world.gateway();
  await costOf(gateway, over('aurora'));
  const [first] = gateway.requests();
  expect(first).toMatchObject({ kind: 'labelValues', label: '__name__' });
  expect(
    'match' in first! && first.match.every((selector) => selector.startsWith('{cluster="aurora",__name__=~')),
  ).toBe(true);
});
