import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { askedIn, countOf, failing, type FaultyFleet, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { plainCluster } from '../support/faulty-clusters.ts';
import { type Fault, isPartial, pass, warnings } from '../support/faulty-store.ts';
import type { Served } from '../support/served-gateway.ts';

const words = 'receive series from Addr: 10.99.88.77:10901 LabelSets: {tenant="zeta"}: unavailable';
const infos: Fault = async (response, answer) => {
  const { status, body } = await answer();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...JSON.parse(body.toString()), infos: [`PromQL info: ${words}`] }));
};

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: plainCluster(61) },
    { name: 'borealis', series: plainCluster(72) },
    { name: 'pool', series: plainCluster(55) },
  ]);
});
afterAll(() => fleet?.close());

const readings = 'coverage { present missing } nodes { nodes { name gpus { tempC { max } } } }';
const over = (cluster: string) => `${cluster}: cluster(name: "${cluster}", window: { range: LAST_1H }) { ${readings} }`;
const both = `{ ${over('aurora')} ${over('borealis')} }`;
const warned = ({ extensions }: Served): string[] | undefined => extensions?.warnings;

describe.each([
  ['warnings', warnings([words])],
  ['isPartial', isPartial],
])('a store that answers with %s', (_sign, fault) => {
  test.each([
    ['one reading', /_over_time\(DCGM_FI_DEV_GPU_TEMP\{cluster="aurora"/],
    ['the list of nodes and GPUs', /series \{cluster="aurora"/],
    ['the looking for names', /label\/__name__\/values \{cluster="aurora"/],
    ['the probe of coverage', /label_replace\(count by .*cluster="aurora"/],
    ['everything about a cluster', /cluster="aurora"/],
  ])('for %s: what it gave is answered, and its cluster named', async (_what, request) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, request, fault);
    const answer = await gateway.query(both);
    expect([answer.status, answer.errors]).toEqual([200, undefined]);
    expect(answer.data.aurora.nodes.nodes[1].gpus).toEqual([{ tempC: { max: 61 } }, { tempC: { max: 61 } }]);
    expect(warned(answer)).toEqual(['aurora']);
    expect(answer.text).not.toMatch(/10\.99|zeta|Addr|127\.0\.0\.1/);

    well(fleet.north);
    const after = await gateway.query(both);
    expect([warned(after), after.errors]).toEqual([undefined, undefined]);
  });

  test('is named once for each of its clusters', async () => {
    failing(fleet.north, /query/, fault);
    const answer = await (await fleet.gateway()).query(both);
    expect(warned(answer)!.toSorted()).toEqual(['aurora', 'borealis']);
  });
});

test('infos are not warnings', async () => {
  failing(fleet.north, /./, infos);
  const answer = await (await fleet.gateway()).query(both);
  expect([warned(answer), answer.errors]).toEqual([undefined, undefined]);
  expect(answer.data.borealis.nodes.nodes).toHaveLength(2);
});

test('names that were found in part are looked for again, until they are whole', async () => {
  const names = /label\/__name__\/values \{cluster="aurora"/;
  const gateway = await fleet.gateway();
  const asked = async (): Promise<number> => {
    const before = countOf(fleet.north, names);
    await gateway.query(`{ ${over('aurora')} }`);
    return countOf(fleet.north, names) - before;
  };
  failing(fleet.north, names, isPartial);
  expect([await asked(), await asked()]).toEqual([1, 1]);
  well(fleet.north);
  expect([await asked(), await asked()]).toEqual([1, 0]);
});

test('names that were found in part are partial for every operation that waited for them', async () => {
  const names = /label\/__name__\/values \{cluster="aurora"/;
  const gate = Promise.withResolvers<void>();
  const gateway = await fleet.gateway();
  let asked = 0;
  failing(fleet.north, names, async (response, answer) => {
    const fault = (asked += 1) === 1 ? isPartial : pass;
    await gate.promise;
    await fault(response, answer);
  });
  const first = gateway.query(`{ ${over('aurora')} }`);
  const before = countOf(fleet.north, names);
  await expect.poll(() => countOf(fleet.north, names)).toBe(before + 1);
  const second = gateway.query(`{ ${over('aurora')} borealis: cluster(name: "borealis") { nodes { totalCount } } }`);
  // The second operation is under way when it has asked for the other cluster.
  await expect.poll(() => askedIn(fleet.north.requests.at(-1)!)).toMatch(/cluster="borealis"/);
  gate.resolve();
  expect([warned(await first), warned(await second)]).toEqual([['aurora'], ['aurora']]);
});

describe('a reference', () => {
  const document = '{ cluster(name: "aurora", window: { range: LAST_1H }) { reference { tempP95C } } }';

  test.each([
    ['a cluster of the organization', /count_values.*cluster="aurora"/],
    ['the pool', /count_values.*cluster="pool"/],
  ])('that %s answered in part is given with a warning, and not kept', async (_which, request) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, request, warnings([words]));
    const answer = await gateway.query(document);
    expect(answer.data.cluster.reference).toEqual({ tempP95C: 72 });
    expect(warned(answer), 'the cluster that it was asked for').toEqual(['aurora']);
    expect(answer.text).not.toMatch(/10\.99|zeta/);
    well(fleet.north);
    const before = countOf(fleet.north, /count_values/);
    expect(warned(await gateway.query(document))).toBeUndefined();
    expect(countOf(fleet.north, /count_values/) - before, 'asked again').toBe(3);
    expect(warned(await gateway.query(document))).toBeUndefined();
    expect(countOf(fleet.north, /count_values/) - before, 'kept').toBe(3);
  });
});
