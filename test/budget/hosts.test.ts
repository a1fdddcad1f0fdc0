import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { costIn } from '../support/cost.ts';
import { cpu, growing, machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import type { Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { clusterOf, metricsNamed, nodeNames, sixHours, sizes, stillNodes } from '../support/still-fleet.ts';

const counted = growing(sixHours, 1);
const perDevice = ['receive_bytes', 'transmit_bytes', 'receive_errs', 'transmit_errs', 'receive_drop', 'transmit_drop'];
const host = (node: string, cores: number): Series[] => [
  ...cpu({ address: node }, sixHours, cores, () => ({ user: 0.5 })),
  machineGauge({ address: node }, 'node_load1', sixHours, 2),
  ...['cpu', 'memory', 'io'].map((resource) =>
    machineCounter({ address: node }, `node_pressure_${resource}_waiting_seconds_total`, sixHours, counted),
  ),
  ...perDevice.flatMap((what) =>
    ['eth0', 'eth1'].map((device) =>
      machineCounter({ address: node }, `node_network_${what}_total`, sixHours, counted, { device }),
    ),
  ),
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...sizes.map((nodes) => ({
      name: clusterOf(nodes),
      series: [
        ...stillNodes(nodes, metricsNamed(/GPU_TEMP$/), sixHours.slice(-20)),
        ...nodeNames(nodes).flatMap((node) => host(node, 1)),
      ],
    })),
    { name: 'many-cores', series: host('n1', 16) },
    {
      name: 'bonded',
      series: [
        ...host('n1', 1),
        machineGauge({ address: 'n1' }, 'node_bonding_slaves', sixHours, 2, { master: 'bond0' }),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const all = '{ values mean min max last lastAt }';
const everyField = `cpuBusyPct ${all} loadPerCore ${all} pressure { cpu ${all} memory ${all} io ${all} }
  nic { rxMbps ${all} txMbps ${all} errors drops } northSouth { ingressMbps ${all} egressMbps ${all} }`;
const ofHosts = (cluster: string, selection: string, range = 'LAST_6H') =>
  `{ cluster(name: "${cluster}", window: { range: ${range} }) { nodes(first: 1000) { nodes { host { ${selection} } } } } }`;

/** The list; processors on a grid and when each was sampled; load and cores; three of pressure; six of the network. */
const pinned = 1 + 2 + 2 + 3 + 6;

describe.each(['LAST_1H', 'LAST_6H'])('every host field over %s', (range) => {
  test.each(sizes)(`costs ${pinned} requests for %i nodes`, async (nodes) => {
    const cost = await costIn(world, ofHosts(clusterOf(nodes), everyField, range));
    expect([cost.requests, cost.lists]).toEqual([pinned, 1]);
    expect(cost.asked.slice(1).filter((query) => query.includes('DCGM'))).toEqual([]);
    expect(cost.data.cluster.nodes.nodes.at(-1).host.cpuBusyPct.max).toBeCloseTo(50, 1);
  });
});

test('the samples of processors do not grow with the cores', async () => {
  const busy = (cluster: string) => costIn(world, ofHosts(cluster, 'cpuBusyPct { max }'));
  const [few, many] = [await busy('of-1'), await busy('many-cores')];
  expect(many.samples).toBe(few.samples);
});

test.each([
  ['pressure { cpu { max } }', /node_pressure_cpu/, 1],
  ['nic { errors }', /node_network_(receive|transmit)_err/, 2],
  ['northSouth { ingressMbps { max } }', /./, 0],
])('{ %s } asks for its own metrics alone', async (selection, pattern, requests) => {
  const { asked } = await costIn(world, ofHosts('of-8', selection));
  expect(asked.slice(1)).toEqual(Array.from({ length: requests }, () => expect.stringMatching(pattern)));
});

test('what the bonds are is asked once for all that is read of the network', async () => {
  const { asked } = await costIn(world, ofHosts('bonded', `nic { rxMbps ${all} txMbps ${all} errors drops }`));
  expect(asked.filter((query) => query.includes('node_bonding_slaves{'))).toHaveLength(1);
  expect(asked.slice(1)).toHaveLength(6 + 1);
});
