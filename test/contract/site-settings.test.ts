import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore, type EmbeddedStore } from '../../src/embedded/store.ts';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { configForStore } from '../../src/config.ts';
import { createStore } from '../../src/prometheus/store.ts';
import { createApp } from '../../src/server/app.ts';
import { amd } from '../support/fleet/amd.ts';
import { NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, H100 } from '../support/fleet/dcgm.ts';
import { labelled, series } from '../support/fleet/series.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

// What a site can say of its own telemetry, and what a gateway finds out where it says nothing.
const times = scrapes();
const temperature = (node: string, value: number) => dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: value });
let one: EmbeddedStore;
let other: EmbeddedStore;
const gateways: Gateway[] = [];

beforeAll(async () => {
  [one, other] = await Promise.all([startStore(), startStore()]);
  await one.load([
    ...labelled({ cluster: 'green' }, temperature('n1', 60)),
    ...labelled({ cluster: 'green' }, [
      series('board_millicelsius', { chip: '0', gpu: '0', Hostname: 'n1' }, times, 71_500),
      series('board_millicelsius', { chip: '1', gpu: '0', Hostname: 'n1' }, times, 99_000),
      series('edge_in_bits', { rack: 'n1' }, times, 4_000_000),
    ]),
    ...labelled({ cluster: 'red' }, amd({ node: 'm1' }, times, { gpu_junction_temperature: 65 })),
    ...labelled({ cluster: 'twin' }, temperature('t1', 50)),
  ]);
  await other.load([...temperature('alone', 55), ...labelled({ zone: 'east', tenant: 'acme' }, temperature('e1', 44))]);
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await Promise.all([one.close(), other.close()]);
});

const islands = () => [
  { name: 'north', prometheus: { url: one.url } },
  { name: 'south', prometheus: { url: other.url } },
];
const green = { name: 'green', island: 'north', vendor: 'nvidia' };

async function over(clusters: object[], settings: object = {}): Promise<Gateway> {
  const config = { islands: islands(), organizations: [{ name: 'acme', clusters }], ...settings };
  const gateway = await startGateway({ config: JSON.stringify(config), now: () => NOW });
  gateways.push(gateway);
  return gateway;
}

const hour = 'window: { range: LAST_1H }';

describe('the configuration can', () => {
  test('read a reading from another metric, by its labels, in its unit, within its own range', async () => {
    const sources = [{ metric: 'board_millicelsius', match: { chip: '0' }, scale: 0.001 }];
    const gateway = await over([green], { readings: { tempC: { nvidia: { sources, plausible: [0, 90] } } } });
    const { data } = await gateway.query(
      `{ cluster(name: "green", ${hour}) { node(name: "n1") { gpu(index: 0) { tempC { mean max } } } } }`,
    );
    expect(data.cluster.node.gpu.tempC).toEqual({ mean: 71.5, max: 71.5 });
  });

  test('say what is plausible here, and the rest is discarded and named', async () => {
    const gateway = await over([green], { readings: { tempC: { nvidia: { plausible: [0, 50] } } } });
    const { data } = await gateway.query(
      `{ cluster(name: "green", ${hour}) { node(name: "n1") { note gpu(index: 0) { tempC { mean } } } } }`,
    );
    expect(data.cluster.node.gpu.tempC).toBeNull();
    expect(data.cluster.node.note).toMatch(/120 samples of tempC of GPU 0/);
  });

  test('give traffic to the internet a source, and a label that names the node', async () => {
    const gateway = await over([green], {
      readings: { 'northSouth.ingressMbps': { host: { sources: [{ metric: 'edge_in_bits', scale: 1e-6 }] } } },
      labels: { nodeExporter: { node: ['rack', 'instance'] } },
    });
    const { data } = await gateway.query(
      `{ cluster(name: "green", ${hour}) { coverage { present } node(name: "n1") { host { northSouth { ingressMbps { mean } egressMbps { mean } } } } } }`,
    );
    expect(data.cluster.node.host.northSouth).toEqual({ ingressMbps: { mean: 4 }, egressMbps: null });
    expect(data.cluster.coverage.present).toContain('NORTH_SOUTH');
  });

  test('tell clusters apart by other labels than the cluster’s', async () => {
    const gateway = await over([{ ...green, name: 'east', island: 'south', match: { zone: 'east', tenant: 'acme' } }]);
    const { data } = await gateway.query(`{ cluster(name: "east", ${hour}) { nodes { nodes { name } } } }`);
    expect(data.cluster.nodes.nodes).toEqual([{ name: 'e1' }]);
  });
});

describe('a cluster name on two islands', () => {
  const twins = ['north', 'south'].map((island) => ({ name: 'twin', island, vendor: 'nvidia' }));

  test('is ambiguous, and the refusal lists the candidates', async () => {
    const gateway = await over(twins);
    const { data, errors, status } = await gateway.query('{ cluster(name: "twin") { name } organization { name } }');
    expect(data).toEqual({ cluster: null, organization: { name: 'acme' } });
    expect(errors?.[0]?.extensions).toEqual({
      code: 'AMBIGUOUS_CLUSTER',
      status: 409,
      candidates: [
        { name: 'twin', island: 'north' },
        { name: 'twin', island: 'south' },
      ],
    });
    expect(status).toBe(200);
  });

  test('is told apart by the island', async () => {
    const gateway = await over(twins);
    const { data } = await gateway.query(
      `{ cluster(name: "twin", island: "north", ${hour}) { island nodes { nodes { name } } } }`,
    );
    expect(data.cluster).toEqual({ island: 'north', nodes: { nodes: [{ name: 't1' }] } });
  });
});

describe('given a store’s address alone', () => {
  const ask = async (url: string, query: string) => {
    const store = createStore({ url, timeoutS: 20, concurrency: 4 });
    const config = configForStore(url);
    const log = () => undefined;
    const { schema, operation, warnings } = gatewayOver({
      config,
      askFor: (organization) => () => store.askFor(organization),
      now: () => NOW,
      log,
    });
    const app = createApp({ schema, operation, warnings, ready: () => store.ready(), log });
    const response = await app.fetch(`http://gpuql/graphql?query=${encodeURIComponent(query)}`);
    await store.close();
    return response.json();
  };

  test('clusters are found by their label, with their makers and models', async () => {
    const { data } = await ask(one.url, `{ clusters(${hour}) { name gpuVendor gpuModel nodes { totalCount } } }`);
    expect(data.clusters).toEqual([
      { name: 'green', gpuVendor: 'NVIDIA', gpuModel: H100, nodes: { totalCount: 1 } },
      { name: 'red', gpuVendor: 'AMD', gpuModel: expect.any(String), nodes: { totalCount: 1 } },
      { name: 'twin', gpuVendor: 'NVIDIA', gpuModel: H100, nodes: { totalCount: 1 } },
    ]);
  });

  test('a store without that label is one cluster', async () => {
    const { data } = await ask(
      other.url,
      `{ clusters(${hour}) { name nodes { nodes { name gpus { tempC { mean } } } } } }`,
    );
    expect(data.clusters).toEqual([
      {
        name: 'default',
        nodes: {
          nodes: [
            { name: 'alone', gpus: [{ tempC: { mean: 55 } }] },
            { name: 'e1', gpus: [{ tempC: { mean: 44 } }] },
          ],
        },
      },
    ]);
  });
});
