import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fleetOf, startTenants, type Tenants } from '../support/tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [
        { name: 'aurora-prod', island: 'north', tenant: 'acme' },
        { name: 'aurora-prod', island: 'south', tenant: 'acme-south' },
        { name: 'crux', island: 'north', tenant: 'acme-crux' },
      ],
      zeta: [
        { name: 'aurora-prod', island: 'west', tenant: 'zeta' },
        { name: 'zenith', island: 'north', tenant: 'zeta-zenith' },
        // On an island where acme has nothing.
        { name: 'crux', island: 'west', tenant: 'zeta-crux' },
      ],
    },
    [
      ...fleetOf('acme', 61, false),
      ...fleetOf('acme-south', 66, false),
      ...fleetOf('acme-crux', 52, false),
      ...fleetOf('zeta', 47, true),
      // What only the other one's clusters hold.
      ...fleetOf('zeta-zenith', 44, true).map(({ labels, ...rest }) => ({
        ...rest,
        labels: Object.fromEntries(
          Object.entries(labels).map(([label, value]) => [
            label,
            value.replace(/^(train-)?n(\d)$/, '$1z$2').replace(/^train$/, 'zeal'),
          ]),
        ),
      })),
      ...fleetOf('zeta-crux', 41, false),
    ],
  );
});
afterAll(() => tenants?.close());

const window = 'window: { range: LAST_1H }';

// `$` is the name. What is somebody else's, and what nobody has.
describe('a name that is another organization’s is answered like one that is nobody’s', () => {
  test.each([
    ['a cluster', `{ cluster(name: "$", ${window}) { name } }`, 'zenith', 404],
    [
      'a cluster with everything below it',
      `{ cluster(name: "$", ${window}) { nodes { nodes { gpus { tempC { max } } } } flags { clean } note } }`,
      'zenith',
      404,
    ],
    ['a cluster on an island of both', `{ cluster(name: "$", island: "north", ${window}) { name } }`, 'zenith', 404],
    [
      'an island, for a cluster that is ours',
      `{ cluster(name: "crux", island: "$", ${window}) { name } }`,
      'west',
      404,
    ],
    [
      'an island, for a cluster of several',
      `{ cluster(name: "aurora-prod", island: "$", ${window}) { name } }`,
      'west',
      404,
    ],
    [
      'an island, for a cluster of nobody',
      `{ cluster(name: "nowhere", island: "$", ${window}) { name } }`,
      'west',
      404,
    ],
    ['a node', `{ cluster(name: "crux", ${window}) { name node(name: "$") { name } } }`, 'z1', 200],
    [
      'a node of several',
      `{ cluster(name: "crux", ${window}) { note nodes(names: ["n1", "$"]) { totalCount nodes { name note } } } }`,
      'z1',
      200,
    ],
    [
      'a workload',
      `{ cluster(name: "crux", ${window}) { name workload(kind: JOB, name: "$") { placementSource } } }`,
      'zeal',
      200,
    ],
    [
      'a pod',
      `{ cluster(name: "crux", ${window}) { name workload(kind: POD, name: "$") { placementSource } } }`,
      'train-z1',
      200,
    ],
  ])('%s', async (_what, document, foreign, status) => {
    const gateway = await tenants.gateway();
    const nobodys = 'q'.repeat(foreign.length);
    const answers = async (name: string) => {
      const { status: said, text, headers } = await gateway.as('acme', document.replaceAll('$', name));
      const kept = [...headers].filter(([header]) => header !== 'date').map(([header, value]) => `${header}: ${value}`);
      return { said, text: text.replaceAll(name, '$'), headers: kept.sort() };
    };
    const before = Object.values(tenants.stores).map(({ requests }) => requests.length);
    const [theirAnswer, nothing] = [await answers(foreign), await answers(nobodys)];
    expect(theirAnswer).toEqual(nothing);
    expect(theirAnswer.said).toBe(status);
    expect(theirAnswer.text).not.toMatch(/zeta|zen|west|z1|zeal/);
    // Nor was anything of theirs asked for, or the island where only they are.
    const asked = Object.values(tenants.stores).flatMap(({ requests }, at) => requests.slice(before[at]));
    expect(asked.filter(({ parameters }) => [...parameters.values()].some((value) => value.includes('zeta')))).toEqual(
      [],
    );
    expect(tenants.stores.west.requests.length).toBe(before[2]);
  });

  test('and each of those names is one that its owner can use', async () => {
    const gateway = await tenants.gateway();
    const { data, errors } = await gateway.as(
      'zeta',
      `{ cluster(name: "zenith", island: "north", ${window}) {
        node(name: "z1") { gpus { tempC { min } } }
        job: workload(kind: JOB, name: "zeal") { placementSource } pod: workload(kind: POD, name: "train-z1") { placementSource }
      } crux: cluster(name: "crux", island: "west") { island } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      cluster: {
        node: { gpus: [{ tempC: { min: 44 } }, { tempC: { min: 44 } }] },
        job: { placementSource: 'HISTORY' },
        pod: { placementSource: 'HISTORY' },
      },
      crux: { island: 'west' },
    });
  });
});

describe('a cluster name on several islands', () => {
  const document = (island?: string) =>
    `{ cluster(name: "aurora-prod", ${island === undefined ? '' : `island: "${island}", `}${window}) { island nodes { nodes { gpus { tempC { max } } } } } }`;
  const nodes = (tempC: number) => {
    const gpus = [0, 1].map(() => ({ tempC: { max: tempC } }));
    return { nodes: [{ gpus }, { gpus }] };
  };

  test('is refused with the caller’s own islands alone', async () => {
    const answer = await (await tenants.gateway()).as('acme', document());
    expect([answer.status, answer.data]).toEqual([409, { cluster: null }]);
    expect(answer.errors![0]!.extensions).toEqual({
      code: 'AMBIGUOUS_CLUSTER',
      status: 409,
      candidates: [
        { name: 'aurora-prod', island: 'north' },
        { name: 'aurora-prod', island: 'south' },
      ],
    });
    expect(answer.text).not.toMatch(/zeta|west/);
  });

  test.each([
    ['north', 61],
    ['south', 66],
  ])('is the one of the island %s where that is named', async (island, tempC) => {
    const { data, errors } = await (await tenants.gateway()).as('acme', document(island));
    expect(errors).toBeUndefined();
    expect(data.cluster).toEqual({ island, nodes: nodes(tempC) });
  });

  test('is plain to an organization that has it on one', async () => {
    const { data, errors } = await (await tenants.gateway()).as('zeta', document());
    expect(errors).toBeUndefined();
    expect(data.cluster.island).toBe('west');
  });
});

test('each organization lists its own clusters, and no other’s', async () => {
  const gateway = await tenants.gateway();
  const listed = async (organization: string) => {
    const { data } = await gateway.as(
      organization,
      '{ clusters { name island } organization { name clusters { name island } } }',
    );
    expect(data.organization).toEqual({ name: organization, clusters: data.clusters });
    return data.clusters.map(({ name, island }: Record<string, string>) => `${name} ${island}`);
  };
  expect(await Promise.all([listed('acme'), listed('zeta')])).toEqual([
    ['aurora-prod north', 'aurora-prod south', 'crux north'],
    ['aurora-prod west', 'zenith north', 'crux west'],
  ]);
});
