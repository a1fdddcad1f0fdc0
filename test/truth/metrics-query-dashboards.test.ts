import { afterAll, beforeAll, expect, test } from 'vitest';

import { type EmbeddedStore, type Engine, startStore } from '../../src/embedded/store.ts';
import { type Answered, ask } from '../fuzz/ask.ts';
import { askStraight, differsFrom } from '../fuzz/straight.ts';
import { NOW } from '../support/fleet/clock.ts';
import { neighbours, ours } from '../support/fleet/neighbours.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dashboardQueries } from './dashboard-queries.ts';

/**
 * What people ask of a GPU fleet, through the gateway over a store that holds three more organizations and series of none:
 * label for label and number for number what the same text gives straight from a store where nobody else is.
 */
const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
const options = engine === undefined ? {} : { engine };

let shared: EmbeddedStore;
let alone: EmbeddedStore;
let gateway: Gateway;
beforeAll(async () => {
  [shared, alone] = await Promise.all([startStore(options), startStore(options)]);
  await shared.load([...ours, ...neighbours]);
  await alone.load(ours);
  gateway = await startGateway({
    config: JSON.stringify({
      islands: [{ name: 'north', prometheus: { url: shared.url } }],
      organizations: [
        {
          name: 'acme',
          clusters: [
            { name: 'aurora-prod', island: 'north', vendor: 'amd' },
            { name: 'aurora-lab', island: 'north', vendor: 'nvidia' },
          ],
        },
      ],
    }),
    now: () => NOW,
  });
});
afterAll(async () => {
  await gateway?.close();
  await shared?.close();
  await alone?.close();
});

const found = ({ series, value }: Answered): boolean =>
  value !== null || series.some((one) => one.value !== null || one.values?.some((slot) => slot !== null));

test.each(dashboardQueries)('$title', async ({ query, empty = false }) => {
  const answers = await ask(gateway, query);
  for (const how of ['instant', 'range'] as const) {
    const { answered, refused } = answers[how];
    expect({ how, refused }).toEqual({ how, refused: null });
    const differs = differsFrom(await askStraight(alone.url, query, how), answered!);
    expect({ how, differs }).toEqual({ how, differs: undefined });
    expect({ how, empty: !found(answered!) }).toEqual({ how, empty });
  }
});

test('there are others in the store, under the same names', async () => {
  const query = 'count(DCGM_FI_DEV_GPU_TEMP)';
  const [all, own] = await Promise.all([shared, alone].map(({ url }) => askStraight(url, query, 'instant')));
  expect(all).toMatchObject({ series: [{ value: [NOW, '48'] }] });
  expect(own).toMatchObject({ series: [{ value: [NOW, '12'] }] });
});

test('the list has the sixty that it promises', () => {
  expect(dashboardQueries.length).toBeGreaterThanOrEqual(60);
});
