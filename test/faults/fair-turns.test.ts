import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { createStore } from '../../src/prometheus/store.ts';
import { promql, select } from '../../src/scope/scope.ts';
import { askedIn, failing } from '../support/faulty-fleet.ts';
import { delay } from '../support/faulty-store.ts';
import { ago, HOUR, iso, NOW } from '../support/fleet/clock.ts';
import { fleetOf, startTenants, type Tenants } from '../support/tenants.ts';

const patient = { timeout: 15_000 };

let tenants: Tenants;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [{ name: 'aurora', island: 'north', tenant: 'acme' }],
      zeta: [{ name: 'aurora', island: 'north', tenant: 'zeta' }],
    },
    [...fleetOf('acme', 50, false), ...fleetOf('zeta', 70, false)],
  );
});
afterAll(() => tenants?.close());

/** How much the store was asked for others by the time that all of one tenant's questions were sent. */
const othersBefore = (tenant: string, since: number): number => {
  const asked = tenants.stores.north.requests.slice(since).map(askedIn);
  const last = asked.findLastIndex((text) => text.includes(`tenant="${tenant}"`));
  expect(last, 'it was asked for').toBeGreaterThanOrEqual(0);
  return asked.slice(0, last).filter((text) => !text.includes(`tenant="${tenant}"`)).length;
};

test('the one question of an organization is sent before two hundred that another asked first', async () => {
  const { north } = tenants.stores;
  failing(north, /./, delay(20));
  const concurrency = 4;
  const store = createStore({ url: north.url, timeoutS: 20, concurrency });
  onTestFinished(() => store.close());
  const since = north.requests.length;
  const mean = (tenant: string, back: number) =>
    store.askFor(tenant)({
      kind: 'instant',
      query: promql`avg(${select({ matchers: [{ label: 'tenant', op: '=', value: tenant }] }, 'DCGM_FI_DEV_GPU_TEMP')})`,
      time: ago(back),
    });
  const many = Promise.all(Array.from({ length: 200 }, (_, at) => mean('acme', at + 1)));
  await expect.poll(() => north.requests.length - since, patient).toBeGreaterThanOrEqual(concurrency);
  const { rows } = await mean('zeta', 60);
  expect([...rows[0]!.values]).toEqual([70]);
  // Those that had slots, those that got one as zeta asked, and one whose turn was before zeta's.
  expect(othersBefore('zeta', since)).toBeLessThanOrEqual(3 * concurrency);
  for (const one of await many) expect([...one.rows[0]!.values]).toEqual([50]);
});

test('a report of one organization does not wait for the forty of another', async () => {
  const { north } = tenants.stores;
  failing(north, /./, delay(10));
  const gateway = await tenants.gateway({ concurrency: 2 });
  const document = (
    back: number,
  ) => `{ cluster(name: "aurora", window: { start: "${iso(ago(HOUR + back))}", end: "${iso(NOW - back)}" }) {
    nodes { nodes { gpus { tempC { max } powerW { mean } } } }
  } }`;
  const since = north.requests.length;
  const many = Array.from({ length: 40 }, (_, at) => gateway.as('acme', document(60 * (at + 1))));
  await expect.poll(() => north.requests.length - since, patient).toBeGreaterThan(20);
  const answer = await gateway.as('zeta', document(60));
  expect(answer.errors).toBeUndefined();
  expect(answer.data.cluster.nodes.nodes[0].gpus[0]).toEqual({ tempC: { max: 70 }, powerW: { mean: 700 } });
  const all = await Promise.all(many);
  for (const { data } of all) expect(data.cluster.nodes.nodes[1].gpus[1].tempC).toEqual({ max: 50 });
  // Less than half of it all: in the order of their coming it would have been nearly the last.
  expect(othersBefore('zeta', since)).toBeLessThan((north.requests.length - since) / 2);
});
