import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Asked, fleetOf, startTenants, type Tenants } from '../support/tenants.ts';

// Everything has one name: the cluster, its nodes, its GPUs, its pods, its job. Only a label and the numbers tell whose.
const organizations = ['acme', 'zeta'] as const;
type Name = (typeof organizations)[number];

let tenants: Tenants;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [{ name: 'aurora-prod', island: 'north', tenant: 'acme' }],
      zeta: [{ name: 'aurora-prod', island: 'north', tenant: 'zeta' }],
    },
    [...fleetOf('acme', 61, true), ...fleetOf('zeta', 47, false), ...fleetOf('pool', 55, false)],
  );
});
afterAll(() => tenants?.close());

const over = (selection: string) =>
  `{ cluster(name: "aurora-prod", window: { range: LAST_1H, points: 6 }) { ${selection} } }`;
const report =
  'clean checked unavailable note flags { kind severity node { name } gpu { index } from to evidence { peakTempC } summary }';
const documents = {
  readings: over(`nodes { nodes { name state gpuCount
    gpus { index uuid sharing tempC { values mean max lastAt } powerW { mean } throttle { thermalS } errors { xid xidCodes } }
    host { loadPerCore { max } pressure { io { mean } } }
  } }`),
  flags: over(`flags { ${report} }`),
  workloads: over(`workloads { nodes { kind name placementSource placement { pod from to phase node { name } } } }
    workload(kind: JOB, name: "train") { placementSource placement { pod from } coverage { present missing } flags { ${report} } }`),
  reference: over('gpuModel reference { gpuModel tempP95C note }'),
  coverage: over('coverage { present missing } node(name: "n2") { coverage { present missing } }'),
  notes: over('note nodes(names: ["n1", "n9"]) { nodes { name note healthEpisodes { kind gpu started ended } } }'),
} as const;
type Asking = keyof typeof documents;
const askings = Object.keys(documents) as Asking[];

/** What each organization is answered by a gateway that has never heard of the other. */
async function answersAlone(): Promise<Record<Name, Record<Asking, string>>> {
  const alone = async (name: Name) => {
    const gateway = await tenants.gateway({ only: [name] });
    const answers = askings.map(async (asking) => {
      const { text, errors } = await gateway.as(name, documents[asking]);
      expect(errors, `${name}, ${asking}`).toBeUndefined();
      return [asking, text] as const;
    });
    return Object.fromEntries(await Promise.all(answers)) as Record<Asking, string>;
  };
  return { acme: await alone('acme'), zeta: await alone('zeta') };
}

let gone = 0;
/** Everything of both at once, and clients that leave in the middle of it. */
async function round(gateway: Asked, number: number): Promise<{ name: Name; asking: Asking; text: string }[]> {
  // Another order in each round, so that each document comes first for each of them.
  const order = askings.flatMap((_, at) => {
    const asking = askings[(at + number) % askings.length]!;
    const names = number % 2 === 0 ? organizations : organizations.toReversed();
    return names.map((name) => ({ name, asking }));
  });
  const leaving: Promise<unknown>[] = [];
  const staying = order.map(async ({ name, asking }, at) => {
    const client = new AbortController();
    const left = gateway.as(name, documents[asking], client.signal);
    leaving.push(
      left.catch(() => (gone += 1)),
      sleep(1 + ((at * 7 + number * 3) % 40)).then(() => client.abort()),
    );
    const { text } = await gateway.as(name, documents[asking]);
    return { name, asking, text };
  });
  const answers = await Promise.all(staying);
  await Promise.all(leaving);
  return answers;
}

test('two organizations on one store, asking alike in the same moment, are each answered as if they were alone', async () => {
  const alone = await answersAlone();
  for (const asking of askings) expect(alone.acme[asking], `${asking} differs`).not.toBe(alone.zeta[asking]);
  expect(alone.acme.readings).toContain('GPU-acme-n1-0');
  expect(Object.values(alone.acme).join('')).not.toContain('zeta');
  expect(Object.values(alone.zeta).join('')).not.toContain('acme');

  for (let gateways = 0; gateways < 3; gateways += 1) {
    const gateway = await tenants.gateway();
    // The first round finds nothing that is kept; the others do.
    for (let number = 0; number < 4; number += 1) {
      for (const { name, asking, text } of await round(gateway, gateways * 4 + number)) {
        expect(text, `${name}, ${asking}, gateway ${gateways}, round ${number}`).toBe(alone[name][asking]);
      }
    }
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
  }
  expect(gone, 'clients that left before their answer came').toBeGreaterThan(60);
}, 180_000);

test('what one has asked before is of no use to the other, and no harm', async () => {
  const alone = await answersAlone();
  for (const [first, second] of [organizations, organizations.toReversed()] as [Name, Name][]) {
    const gateway = await tenants.gateway();
    for (const asking of askings) {
      expect((await gateway.as(first, documents[asking])).text).toBe(alone[first][asking]);
      expect((await gateway.as(second, documents[asking])).text).toBe(alone[second][asking]);
      expect((await gateway.as(first, documents[asking])).text).toBe(alone[first][asking]);
    }
  }
});
