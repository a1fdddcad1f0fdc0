import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { countOf, askedIn, failing, type FaultyFleet, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { plainCluster } from '../support/faulty-clusters.ts';
import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { machineGauge } from '../support/fleet/node-exporter.ts';
import { type Fault, hang, pass } from '../support/faulty-store.ts';

const times = scrapes({ from: ago(HOUR) });
const hosts = [
  machineGauge({ address: 'n1' }, 'node_load1', times, 1),
  machineGauge({ address: 'n1' }, 'node_cpu_seconds_total', times, 1, { cpu: '0', mode: 'idle' }),
];

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: [...plainCluster(61), ...hosts] },
    { name: 'borealis', series: plainCluster(61) },
  ]);
});
afterAll(() => fleet?.close());

const readings = 'nodes { nodes { gpus { tempC { max } } } }';
const document = (selection: string) => `{ cluster(name: "aurora", window: { range: LAST_1H }) { ${selection} } }`;
const temperature = /_over_time\(DCGM_FI_DEV_GPU_TEMP/;

/** Answers when it is told to. */
const gated = (): { fault: Fault; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { fault: async (response, answer) => promise.then(() => pass(response, answer)), open: resolve };
};
/** Waits for a request to arrive that was not there before. */
const arrival = (pattern: RegExp, count = 1) => {
  const before = countOf(fleet.north, pattern);
  return () => expect.poll(() => countOf(fleet.north, pattern) - before).toBeGreaterThanOrEqual(count);
};
const latest = (pattern: RegExp) => fleet.north.requests.findLast((request) => pattern.test(askedIn(request)))!;

// What operations share (names of metrics, the reference) is asked on nobody's behalf, and is of use to the next.
test.each([
  ['the readings', temperature, readings],
  ['the list of nodes', /series \{cluster/, readings],
  ['the coverage', /label_replace/, 'coverage { present }'],
  ['the samples of a host', /query node_load1\{/, 'nodes { nodes { host { loadPerCore { max } } } }'],
])(
  'the last client that waits for %s leaves, and the store sees the request close',
  async (_what, request, selection) => {
    const gateway = await fleet.gateway({ timeoutS: 40 });
    failing(fleet.north, request, hang);
    const client = new AbortController();
    const arrived = arrival(request);
    const answer = gateway.query(document(selection), client.signal);
    answer.catch(() => {});
    await arrived();
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await Promise.race([latest(request).abandoned, sleep(10_000, 'still open')])).toBe(true);
    well(fleet.north);
    expect((await gateway.query(document(selection))).errors).toBeUndefined();
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

test('nothing more is asked for a client that has left', async () => {
  const gateway = await fleet.gateway();
  const held = gated();
  failing(fleet.north, /series \{cluster/, held.fault);
  const client = new AbortController();
  const arrived = arrival(/series \{cluster/);
  const answer = gateway.query(document(readings), client.signal);
  answer.catch(() => {});
  await arrived();
  const before = countOf(fleet.north, temperature);
  client.abort();
  await latest(/series \{cluster/).abandoned;
  held.open();
  well(fleet.north);
  await gateway.query('{ cluster(name: "aurora") { nodes { totalCount } } }');
  expect(countOf(fleet.north, temperature) - before).toBe(0);
});

test.each([
  ['the readings', temperature, readings, /POWER/],
  ['the looking for names', /__name__\/values \{cluster="aurora"/, readings, /values \{cluster="borealis"/],
  ['the list of nodes', /series \{cluster="aurora"/, readings, /series \{cluster="borealis"/],
  ['the reference', /count_values/, 'reference { tempP95C }', /series \{cluster="borealis"/],
])(
  'of two clients that wait for %s, one may leave and the other is answered',
  async (_what, request, selection, sign) => {
    const gateway = await fleet.gateway();
    const held = gated();
    failing(fleet.north, request, held.fault);
    const leaving = new AbortController();
    const arrived = arrival(request);
    const first = gateway.query(document(selection), leaving.signal);
    first.catch(() => {});
    await arrived();
    // What only the second one asks shows that it is under way.
    const isUnderWay = arrival(sign);
    const second = gateway.query(
      `{ ${document(selection).slice(1, -1)} ${others('aurora', 'powerW')} ${others('borealis', 'tempC')} }`,
    );
    await isUnderWay();
    leaving.abort();
    await expect(first).rejects.toThrow('aborted');
    held.open();
    well(fleet.north);
    const { data, errors } = await second;
    expect(errors).toBeUndefined();
    const answered = data.cluster.reference?.tempP95C ?? data.cluster.nodes.nodes[1].gpus[1].tempC.max;
    expect(answered).toBe(61);
  },
);

const others = (name: string, field: string) =>
  `${name}: cluster(name: "${name}", window: { range: LAST_1H }) { nodes { nodes { gpus { ${field} { max } } } } }`;
