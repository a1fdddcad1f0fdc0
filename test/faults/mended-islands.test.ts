import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { failing, well } from '../support/faulty-fleet.ts';
import { cutAfter, type Fault, html, isPartial, refuse, status, warnings } from '../support/faulty-store.ts';
import type { Served } from '../support/served-gateway.ts';
import { type Asked, fleetOf, startTenants, type Tenants } from '../support/tenants.ts';

let tenants: Tenants;
let healthy: Record<string, Served>;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [
        { name: 'aurora', island: 'north', tenant: 'acme' },
        { name: 'crux', island: 'south', tenant: 'acme-south' },
      ],
      zeta: [
        { name: 'zenith', island: 'north', tenant: 'zeta' },
        { name: 'zephyr', island: 'west', tenant: 'zeta-west' },
      ],
    },
    [
      ...fleetOf('acme', 61, true),
      ...fleetOf('acme-south', 66, true),
      ...fleetOf('zeta', 47, false),
      ...fleetOf('zeta-west', 41, false),
      ...fleetOf('pool', 55, false),
    ],
  );
});
afterAll(() => tenants?.close());

const fields = `coverage { present missing } reference { tempP95C } note flags { clean note flags { summary } }
  nodes { nodes { name state gpus { tempC { mean max } errors { xid } } } } workloads { nodes { name } }`;
const document = `{ clusters(window: { range: LAST_1H }) { name island ${fields} } }`;
const ask = async (gateway: Asked): Promise<Record<string, Served>> => ({
  acme: await gateway.as('acme', document),
  zeta: await gateway.as('zeta', document),
});
beforeAll(async () => {
  healthy = await ask(await tenants.gateway());
});
test('while all is well nothing is an error or in part', () => {
  for (const { errors, extensions } of Object.values(healthy)) {
    expect([errors, extensions]).toEqual([undefined, undefined]);
  }
});
const same = (answers: Record<string, Served>) => {
  for (const [name, { text }] of Object.entries(answers)) expect(text, `to ${name}`).toBe(healthy[name]!.text);
};

describe.each([
  ['closes every connection', refuse],
  ['answers 503', status(503)],
  ['answers 429', status(429)],
  ['answers with a page of HTML', html],
  ['breaks off', cutAfter(40)],
])('an island whose store %s', (_what, fault) => {
  test('fails alone, for each organization that is there, and nothing of it is kept', async () => {
    const gateway = await tenants.gateway();
    failing(tenants.stores.north, /./, fault);
    for (const [name, { data, errors, status: said, text }] of Object.entries(await ask(gateway))) {
      const [lost, other] = data.clusters;
      expect(said).toBe(200);
      expect(other, `to ${name}`).toEqual(healthy[name]!.data.clusters[1]);
      const nothing = { coverage: null, reference: null, note: null, flags: null, nodes: null, workloads: null };
      expect(lost).toEqual({ name: lost.name, island: 'north', ...nothing });
      expect(errors!.map(({ path }) => path!.join('.')).sort()).toEqual(
        Object.keys(nothing)
          .map((field) => `clusters.0.${field}`)
          .sort(),
      );
      expect(text).not.toMatch(name === 'acme' ? /zeta|zen|zeph/ : /acme|aurora|crux/);
    }
    well(tenants.stores.north);
    same(await ask(gateway));
    same(await ask(gateway));
  });

  test('fails where it is asked for readings, though its nodes are known from before', async () => {
    const gateway = await tenants.gateway();
    same(await ask(gateway));
    failing(tenants.stores.north, /./, fault);
    const { acme } = await ask(gateway);
    const [lost, other] = acme!.data.clusters;
    expect(other).toEqual(healthy['acme']!.data.clusters[1]);
    expect(lost.nodes.nodes.map(({ name, gpus }: { name: string; gpus: unknown[] }) => [name, gpus])).toEqual(
      ['n1', 'n2'].map((node) => [node, [0, 1].map(() => ({ tempC: null, errors: { xid: null } }))]),
    );
    expect([lost.coverage, lost.flags?.clean ?? false]).toEqual([null, false]);
    expect(acme!.errors!.every(({ path }) => path![1] === 0)).toBe(true);
    well(tenants.stores.north);
    same(await ask(gateway));
  });
});

test.each([
  ['warnings', warnings(['a store is away'])],
  ['isPartial', isPartial],
])('an island whose store answers with %s is named, alone, and nothing of it is kept', async (_sign, fault) => {
  const gateway = await tenants.gateway();
  failing(tenants.stores.north, /./, fault);
  for (let again = 0; again < 2; again += 1) {
    const answers = await ask(gateway);
    expect([answers['acme']!.extensions, answers['zeta']!.extensions]).toEqual([
      { warnings: ['aurora'] },
      { warnings: ['zenith'] },
    ]);
    for (const [name, { data }] of Object.entries(answers)) {
      const [partial, other] = data.clusters;
      expect(other).toEqual(healthy[name]!.data.clusters[1]);
      expect(partial.flags.clean).toBe(false);
      expect(partial.nodes).toEqual(healthy[name]!.data.clusters[0].nodes);
    }
  }
  well(tenants.stores.north);
  same(await ask(gateway));
});

/** The real answer without what is about n2 and without some names, and the sign that something was left out. */
const halved: Fault = async (response, answer) => {
  const { status: code, body } = await answer();
  const { data, ...rest } = JSON.parse(body.toString()) as { data: unknown[] | { result: unknown[] } };
  const half = (items: unknown[]) =>
    items.filter((item) => !/n2|POWER_USAGE|kube_pod_owner/.test(JSON.stringify(item)));
  const left = Array.isArray(data) ? half(data) : { ...data, result: half(data.result) };
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...rest, isPartial: true, data: left }));
};

test('what an island left out is there when the island is whole again', async () => {
  const gateway = await tenants.gateway();
  failing(tenants.stores.north, /./, halved);
  for (const { data, extensions } of Object.values(await ask(gateway))) {
    const [partial] = data.clusters;
    expect(partial.nodes.nodes.map(({ name }: { name: string }) => name)).toEqual(['n1']);
    expect(extensions.warnings).toEqual([partial.name]);
    expect(partial.flags.clean).toBe(false);
  }
  well(tenants.stores.north);
  same(await ask(gateway));
});
