import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fullAmd } from '../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { fullList, stockList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { growing, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askCluster, askNode, lastHour } from '../support/fleet/questions.ts';
import { except, type Series, type Value } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();

const host = (node: string, address: string): Series[] => {
  const machine = { address };
  return [
    nodeInfo(node, address, times),
    ...['idle', 'user'].map((mode) =>
      machineCounter(machine, 'node_cpu_seconds_total', times, growing(times, 0.5), { cpu: '0', mode }),
    ),
    machineGauge(machine, 'node_load1', times, 1),
    machineCounter(machine, 'node_pressure_cpu_waiting_seconds_total', times, growing(times, 0.1)),
    machineCounter(machine, 'node_network_receive_bytes_total', times, growing(times, 1e6), { device: 'eth0' }),
  ];
};
const gpuFamilies = [
  'GPU_TEMP',
  'MEMORY_TEMP',
  'SM_CLOCK',
  'MEM_CLOCK',
  'GPU_UTIL',
  'TENSOR_ACTIVE',
  'DRAM_ACTIVE',
  'POWER',
  'HBM',
  'LINK_ERRORS',
];
const hostFamilies = ['HOST_CPU', 'HOST_PRESSURE', 'HOST_NIC'];
const optIn = ['SM_ACTIVE', 'THROTTLE_VIOLATIONS', 'CLOCK_EVENTS', 'ECC'];
const never = ['NORTH_SOUTH'];

/** The stock list with one family's metric replaced. */
const spoilt = (metric: string, value: Value): Series[] =>
  dcgm({ node: 'n1' }, times, { ...stockList('n1'), [metric]: value });

const clusters: [name: string, behaviour: string, series: Series[], present: string[], missing: string[]][] = [
  [
    'full',
    'an NVIDIA fleet that exports everything',
    [...dcgm({ node: 'n1' }, times, fullList('n1')), ...host('n1', '10.4.0.1')],
    [...gpuFamilies, ...optIn, 'XID', ...hostFamilies],
    ['HEALTH_EPISODES', ...never],
  ],
  [
    'stock',
    'the exporter’s own list and no host, no alerts',
    dcgm({ node: 'n1' }, times, stockList('n1')),
    gpuFamilies,
    [...optIn, 'XID', ...hostFamilies, 'HEALTH_EPISODES', ...never],
  ],
  [
    'no-sensor',
    'a memory temperature of 0 throughout is no family',
    spoilt('DCGM_FI_DEV_MEMORY_TEMP', 0),
    gpuFamilies.filter((family) => family !== 'MEMORY_TEMP'),
    ['MEMORY_TEMP', ...optIn, 'XID', ...hostFamilies, 'HEALTH_EPISODES', ...never],
  ],
  [
    'garbage',
    'a family of which every sample is implausible is missing',
    spoilt('DCGM_FI_DEV_GPU_UTIL', 4_294_967_295),
    gpuFamilies.filter((family) => family !== 'GPU_UTIL'),
    ['GPU_UTIL', ...optIn, 'XID', ...hostFamilies, 'HEALTH_EPISODES', ...never],
  ],
  [
    'some-garbage',
    'a family with one plausible sample is present',
    spoilt('DCGM_FI_DEV_GPU_UTIL', except(4_294_967_295, 50, [ago(20 * MINUTE), ago(20 * MINUTE) + 30]) as Value),
    gpuFamilies,
    [...optIn, 'XID', ...hostFamilies, 'HEALTH_EPISODES', ...never],
  ],
];
const amdPresent = [
  'GPU_TEMP',
  'MEMORY_TEMP',
  'SM_CLOCK',
  'MEM_CLOCK',
  'GPU_UTIL',
  'TENSOR_ACTIVE',
  'SM_ACTIVE',
  'DRAM_ACTIVE',
  'POWER',
  'HBM',
  'LINK_ERRORS',
  'ECC',
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...clusters.map(([name, , series]) => ({ name, series })),
    { name: 'red', vendor: 'amd', series: [...fullAmd({ node: 'm1' }, times), ...host('m1', '10.4.1.1')] },
    {
      name: 'mixed',
      series: [
        ...dcgm({ node: 'n1' }, times, { ...fullList('n1') }),
        ...dcgm({ node: 'n2' }, times, stockList('n2')),
        ...host('n2', '10.4.2.2'),
        nodeInfo('n3', '10.4.2.3', times),
      ],
    },
    {
      name: 'ended', // an hour and a half ago it exported everything, since then only temperatures
      series: [
        ...dcgm({ node: 'n1' }, scrapes({ from: ago(3 * HOUR), to: ago(90 * MINUTE) }), fullList('n1')),
        ...dcgm({ node: 'n1' }, scrapes({ from: ago(90 * MINUTE) }), { DCGM_FI_DEV_GPU_TEMP: 60 }),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const lists = 'coverage { present missing }';
const sorted = ({ present, missing }: { present: string[]; missing: string[] }) => ({
  present: [...present].sort(),
  missing: [...missing].sort(),
});

describe('coverage tells, of every family that the maker has, whether there is a reading', () => {
  test.each(clusters.map(([name, behaviour, , present, missing]) => [name, behaviour, present, missing] as const))(
    '%s: %s',
    async (name, _behaviour, present, missing) => {
      const gateway = await world.gateway();
      const { coverage, node } = await askCluster(gateway, name, `${lists} node(name: "n1") { ${lists} }`);
      expect(sorted(coverage), 'cluster.coverage').toEqual(sorted({ present, missing }));
      expect(sorted(node.coverage), 'node.coverage').toEqual(sorted({ present, missing }));
    },
  );

  test('red: what AMD lacks is in neither list', async () => {
    const { coverage, node } = await askCluster(await world.gateway(), 'red', `${lists} node(name: "m1") { ${lists} }`);
    const expected = sorted({ present: [...amdPresent, ...hostFamilies], missing: ['NORTH_SOUTH', 'HEALTH_EPISODES'] });
    expect(sorted(coverage), 'cluster.coverage').toEqual(expected);
    expect(sorted(node.coverage), 'node.coverage').toEqual(expected);
  });

  test.each([
    ['n1', ['ECC', 'SM_ACTIVE', 'THROTTLE_VIOLATIONS'], ['HOST_CPU', 'HOST_NIC']],
    ['n2', ['HOST_CPU', 'HOST_NIC', 'GPU_TEMP'], ['ECC', 'SM_ACTIVE', 'THROTTLE_VIOLATIONS']],
    ['n3', [], ['GPU_TEMP', 'HOST_CPU', 'ECC']],
  ])('mixed: %s has the families of its own exporters only', async (name, present, missing) => {
    const { coverage } = await askNode(await world.gateway(), 'mixed', name, lists);
    expect(coverage.present, 'present').toEqual(expect.arrayContaining(present));
    expect(coverage.missing, 'missing').toEqual(expect.arrayContaining(missing));
    expect(coverage.present.filter((family: string) => coverage.missing.includes(family))).toEqual([]);
  });

  test('mixed: the cluster has what any of its nodes has', async () => {
    const { coverage } = await askCluster(await world.gateway(), 'mixed', lists);
    expect(coverage.present).toEqual(expect.arrayContaining(['ECC', 'HOST_CPU', 'SM_ACTIVE', 'GPU_TEMP']));
  });

  test('ended: and is present in a longer window', async () => {
    const { coverage } = await askNode(await world.gateway(), 'ended', 'n1', lists, { range: 'LAST_6H' });
    expect(coverage.present).toEqual(expect.arrayContaining(['POWER', 'HBM', 'ECC', 'THROTTLE_VIOLATIONS', 'XID']));
  });

  test('ended: what was read only before the window is missing in it', async () => {
    const { coverage } = await askNode(await world.gateway(), 'ended', 'n1', lists);
    expect(coverage.present).toContain('GPU_TEMP');
    expect(coverage.missing).toEqual(expect.arrayContaining(['POWER', 'HBM', 'ECC', 'THROTTLE_VIOLATIONS']));
  });
});

test.each(['', 'gpus { tempC { mean } }', 'gpus { powerW { values } throttle { thermalS } } host { nic { errors } }'])(
  'coverage is the same whatever stands beside it: { %s }',
  async (beside) => {
    const alone = await askNode(await world.gateway(), 'full', 'n1', lists);
    const { coverage } = await askNode(await world.gateway(), 'full', 'n1', `${beside} ${lists}`);
    expect(sorted(coverage)).toEqual(sorted(alone.coverage));
  },
);

test('the note says that the exporter’s list can turn on what it leaves out', async () => {
  const { note } = await askNode(await world.gateway(), 'stock', 'n1', `note ${lists}`);
  expect(note).toMatch(/list|csv|config|counters/i);
  expect(note).toMatch(/SM_ACTIVE|THROTTLE_VIOLATIONS|ECC/i);
});

test.each([
  ['a cluster', 'nodes { nodes { name } }', 'nodes { nodes { name } } coverage { present missing }'],
  ['a page of nodes', 'nodes { nodes { name } }', 'nodes { nodes { name coverage { present missing } } }'],
])('coverage of %s costs at most 4 requests', async (_target, without, withIt) => {
  const cost = async (selection: string): Promise<number> => {
    const gateway = await world.gateway();
    await askCluster(gateway, 'mixed', selection, lastHour);
    return gateway.requests().length;
  };
  expect((await cost(withIt)) - (await cost(without))).toBeLessThanOrEqual(4);
});
