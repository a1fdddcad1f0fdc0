import { afterAll, beforeAll, expect, test } from 'vitest';

import { failing, type FaultyFleet, startFaultyFleet } from '../support/faulty-fleet.ts';
import { wholeCluster } from '../support/faulty-clusters.ts';
import { status } from '../support/faulty-store.ts';

const document = `{ cluster(name: "aurora", window: { range: LAST_1H }) {
  name gpuModel window { stepS }
  coverage { missing }
  reference { tempP95C }
  nodes { totalCount nodes {
    name state coverage { missing } healthEpisodes { kind }
    host { loadPerCore { last } cpuBusyPct { max } }
    gpus {
      index hbmTotalGib tempC { max } powerW { last }
      errors { linkCrc pcieReplay eccSbe xid xidCodes }
      throttle { thermalS clockEvents { kind } }
    }
  } }
} }`;

const gpu = 'nodes.nodes.*.gpus.*';
const node = 'nodes.nodes.*';
const coverages = ['coverage', `${node}.coverage`];

/** What goes wrong, how it is recognised, and the fields that fail: `*` is every one of a list. */
const parts: [what: string, request: RegExp, fields: string[]][] = [
  ['the looking for names', /label\/__name__\/values/, ['nodes', 'coverage', 'reference']],
  ['the list of nodes and GPUs', /series \{cluster="aurora",__name__=~"[^"]*GPU_TEMP/, ['nodes', 'coverage']],
  ['the probe of coverage', /label_replace\(count by/, coverages],
  ['the pooled temperatures', /count_values/, ['reference']],
  ['the state of nodes', /query .*kube_node_status_condition/, [`${node}.state`]],
  ['the alerting history', /query last_over_time\(ALERTS\{cluster="aurora"/, [`${node}.healthEpisodes`]],
  ['the load of hosts', /query node_load1\{/, [`${node}.host.loadPerCore`]],
  ['the times of processors', /query_range max by .*node_cpu_seconds/, [`${node}.host.cpuBusyPct`]],
  ['the total of memory', /query .*DCGM_FI_DEV_FB_TOTAL\{/, [`${gpu}.hbmTotalGib`]],
  ['the greatest temperature', /query max_over_time\(DCGM_FI_DEV_GPU_TEMP/, [`${gpu}.tempC`]],
  ['the guard of a reading', /query \(max_over_time\(DCGM_FI_DEV_GPU_TEMP/, [`${gpu}.tempC`]],
  ['the tail of a reading', /query DCGM_FI_DEV_POWER_USAGE\{/, [`${gpu}.powerW`]],
  [
    'a counter at the start',
    /query last_over_time\(DCGM_FI_DEV_PCIE_REPLAY_COUNTER\{[^}]*\}\[[23]\d{5}ms/,
    [`${gpu}.errors.pcieReplay`],
  ],
  ['the falls of a counter', /query resets\(DCGM_FI_DEV_ECC_SBE/, [`${gpu}.errors.eccSbe`]],
  ['one of two parts of a sum', /query last_over_time\(DCGM_FI_DEV_NVLINK_CRC_DATA/, [`${gpu}.errors.linkCrc`]],
  ['a timer', /query last_over_time\(DCGM_FI_DEV_THERMAL_VIOLATION/, [`${gpu}.throttle.thermalS`]],
  ['the fault events', /query .*changes\(DCGM_FI_DEV_XID/, [`${gpu}.errors.xid`, `${gpu}.errors.xidCodes`]],
  [
    'the heartbeats that say who was there',
    /query count_over_time\(DCGM_FI_DEV_GPU_TEMP/,
    [`${gpu}.errors.xid`, `${gpu}.errors.xidCodes`],
  ],
  ['the clock events', /query last_over_time\(DCGM_FI_DEV_CLOCKS_EVENT/, [`${gpu}.throttle.clockEvents`]],
];

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([{ name: 'aurora', series: wholeCluster() }]);
});
afterAll(() => fleet?.close());

/** An answer without these fields. */
function nulled(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => nulled(each, rest));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: nulled(object[key], rest) };
}
const patternOf = (path: readonly (string | number)[]): string =>
  path
    .slice(1)
    .map((key) => (typeof key === 'number' ? '*' : key))
    .join('.');

test('while all is well, everything is answered', async () => {
  const { data, errors } = await (await fleet.gateway()).query(document);
  expect(errors).toBeUndefined();
  expect(data.cluster.nodes.nodes[0]).toMatchObject({
    state: 'READY',
    healthEpisodes: [{ kind: 'THERMAL' }],
    host: { loadPerCore: { last: 1.5 }, cpuBusyPct: { max: 25 } },
  });
  expect(data.cluster.nodes.nodes[0].gpus[1]).toMatchObject({
    errors: { linkCrc: 0, pcieReplay: 0, eccSbe: 0, xid: 0, xidCodes: [] },
    throttle: { thermalS: 0, clockEvents: [] },
  });
  expect(data.cluster.reference.tempP95C).toBeGreaterThan(0);
  expect(data.cluster.coverage.missing).not.toContain('GPU_TEMP');
});

test.each(parts)('where %s fails, just its fields are null, each with its error', async (_what, request, fields) => {
  const whole = await (await fleet.gateway()).query(document);
  failing(fleet.north, request, status(500));
  const gateway = await fleet.gateway();
  const { data, errors, status: http } = await gateway.query(document);
  const failed = new Set(errors?.map(({ path }) => patternOf(path!)));
  expect([...failed].sort()).toEqual([...fields].sort());
  const expected = fields.reduce<unknown>((rest, field) => nulled(rest, field.split('.')), whole.data.cluster);
  expect(data.cluster).toEqual(expected);
  expect(new Set(errors!.map(({ extensions }) => `${extensions.code} ${extensions.status}`))).toEqual(
    new Set(['METRICS_UNAVAILABLE 503']),
  );
  const places = fields.map((field) => 2 ** field.split('*').length / 2).reduce((all, count) => all + count);
  expect([errors!.length, http]).toEqual([places, 200]);
});

test.each(parts)('once %s answers again, so does everything, of the same gateway', async (_what, request) => {
  const gateway = await fleet.gateway();
  fleet.north.always(({ path, parameters }) =>
    request.test(`${path} ${parameters.get('query') ?? parameters.getAll('match[]').join(' ')}`)
      ? status(500)
      : undefined,
  );
  const first = await gateway.query(document);
  fleet.north.always(() => undefined);
  const second = await gateway.query(document);
  expect(first.errors!.length).toBeGreaterThan(0);
  expect(second.errors).toBeUndefined();
  expect(second.data).toEqual((await (await fleet.gateway()).query(document)).data);
});

test.each([
  ['note of a node', 'nodes { nodes { name note } }', [0, 1].map((at) => ['cluster', 'nodes', 'nodes', at, 'note'])],
  ['note of a cluster', 'note', [['cluster', 'note']]],
])('the %s is an error where its coverage cannot be told, never half a note', async (_which, selection, places) => {
  failing(fleet.north, /label_replace\(count by/, status(500));
  const { data, errors } = await (await fleet.gateway()).query(`{ cluster(name: "aurora") { name ${selection} } }`);
  expect(errors!.map(({ path }) => path)).toEqual(places);
  expect(data.cluster.name).toBe('aurora');
});
