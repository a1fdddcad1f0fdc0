import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Config } from '../../src/config.ts';
import { askedIn, countOf, failing, well } from '../support/faulty-fleet.ts';
import { type Fault, isPartial, pass, refuse, status } from '../support/faulty-store.ts';
import { fleetOf, startTenants, type Tenants } from '../support/tenants.ts';

// Two organizations that mean the very same series, which no configuration may say: every question of one is the other's
// to the letter. Only who asks keeps apart what each was answered.
let tenants: Tenants;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [{ name: 'aurora', island: 'north', tenant: 'acme' }],
      zeta: [{ name: 'aurora', island: 'north', tenant: 'zeta' }],
    },
    [...fleetOf('acme', 50, false), ...fleetOf('pool', 60, false)],
  );
});
afterAll(() => tenants?.close());

const alike = (config: Config): Config => {
  const [acme, zeta] = config.organizations;
  return { ...config, organizations: [acme!, { ...zeta!, clusters: acme!.clusters }] };
};
const start = () => tenants.gateway({ change: alike });
const over = (selection: string) => `{ cluster(name: "aurora", window: { range: LAST_1H }) { ${selection} } }`;
const unavailable = { code: 'METRICS_UNAVAILABLE', status: 503 };

describe('what is kept for one organization', () => {
  test.each([
    ['the nodes and GPUs', 'answer: nodes { nodes { name gpuCount } }'],
    ['the reference', 'answer: reference { tempP95C }'],
  ])('is not what another is answered: %s', async (_what, selection) => {
    const gateway = await start();
    const first = await gateway.as('acme', over(selection));
    expect(first.errors).toBeUndefined();
    failing(tenants.stores.north, /./, refuse);
    const kept = await gateway.as('acme', over(selection));
    expect(kept.text, 'it is kept at all').toBe(first.text);
    const other = await gateway.as('zeta', over(selection));
    expect(other.data).toEqual({ cluster: { answer: null } });
    expect(other.errors!.map(({ extensions }) => extensions)).toEqual([unavailable]);
    well(tenants.stores.north);
    expect((await gateway.as('zeta', over(selection))).text).toBe(first.text);
  });

  test.each([
    ['names of metrics', /__name__\/values \{tenant="acme"/],
    ['names of metrics of the pool', /__name__\/values \{tenant="pool"/],
    ['nodes and GPUs', /series \{tenant="acme"/],
    ['temperatures of the pool', /count_values.*tenant="pool"/],
  ])('is asked for again by another: %s', async (_what, request) => {
    const gateway = await start();
    const asked = async (organization: string): Promise<number> => {
      const before = countOf(tenants.stores.north, request);
      await gateway.as(organization, over('nodes { totalCount } reference { tempP95C }'));
      return countOf(tenants.stores.north, request) - before;
    };
    const once = await asked('acme');
    expect(once).toBeGreaterThan(0);
    expect([await asked('acme'), await asked('zeta'), await asked('zeta'), await asked('acme')]).toEqual([
      0,
      once,
      0,
      0,
    ]);
  });
});

describe('what two organizations ask in the same moment', () => {
  const readings = over('nodes { nodes { gpus { tempC { max } } } }');
  const temperature = /query max_over_time\(DCGM_FI_DEV_GPU_TEMP/;
  /** The first request that matches goes wrong in its way; both are held until both are there. */
  const firstOfTwo = (first: Fault) => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    failing(tenants.stores.north, temperature, async (response, answer) => {
      const fault = (asked += 1) === 1 ? first : pass;
      if (asked === 2) both.resolve();
      await Promise.race([both.promise, sleep(10_000)]);
      await fault(response, answer);
    });
  };
  const together = async () => {
    const gateway = await start();
    return Promise.all(['acme', 'zeta'].map((organization) => gateway.as(organization, readings)));
  };

  test('is sent for each of them', async () => {
    const before = countOf(tenants.stores.north, temperature);
    firstOfTwo(pass);
    const [one, two] = await together();
    expect(countOf(tenants.stores.north, temperature) - before).toBe(2);
    expect(two!.text).toBe(one!.text);
    expect(one!.data.cluster.nodes.nodes[0].gpus[0]).toEqual({ tempC: { max: 50 } });
  });

  test('fails for the one whose request failed', async () => {
    firstOfTwo(status(503));
    const answers = await together();
    expect(answers.map(({ errors }) => errors === undefined).sort()).toEqual([false, true]);
  });

  test('is partial for the one whose answer was', async () => {
    firstOfTwo(isPartial);
    const answers = await together();
    expect(answers.map(({ extensions }) => extensions?.warnings ?? []).sort()).toEqual([[], ['aurora']]);
  });

  test('ends at the store for the one that leaves, and not for the other', async () => {
    const gateway = await start();
    const held = Promise.withResolvers<void>();
    const before = tenants.stores.north.requests.length;
    failing(tenants.stores.north, temperature, async (response, answer) => {
      await held.promise;
      await pass(response, answer);
    });
    const asked = () =>
      tenants.stores.north.requests.slice(before).filter((request) => temperature.test(askedIn(request)));
    const leaving = new AbortController();
    const left = gateway.as('acme', readings, leaving.signal);
    left.catch(() => {});
    await expect.poll(() => asked().length, { timeout: 15_000 }).toBe(1);
    const staying = gateway.as('zeta', readings);
    await expect.poll(() => asked().length, { timeout: 15_000 }).toBe(2);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    expect(await Promise.race([asked()[0]!.abandoned, sleep(10_000, 'still open')])).toBe(true);
    held.resolve();
    expect((await staying).data.cluster.nodes.nodes[0].gpus[0]).toEqual({ tempC: { max: 50 } });
    expect(await asked()[1]!.abandoned).toBe(false);
  });
});
