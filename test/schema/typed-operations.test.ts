import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoConfig } from '../../src/demo/demo-config.ts';
import { history } from '../../src/demo/history.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import {
  ClustersDocument,
  type ClustersQuery,
  NodeReadingsDocument,
  type NodeReadingsQuery,
} from '../generated/graphql.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

// A client generated from the schema, over the demo's own history.
const t0 = 1_780_315_200;
let store: EmbeddedStore;
let gateway: Gateway;

beforeAll(async () => {
  store = await startStore();
  await store.load(history(t0, 7));
  gateway = await startGateway({ config: demoConfig(store.url), now: () => t0 });
});
afterAll(async () => {
  await gateway.close();
  await store.close();
});

test('a generated operation lists the clusters of the demo, a page of nodes each', async () => {
  const { data, errors } = await gateway.query(ClustersDocument.toString());
  expect(errors).toBeUndefined();
  const { clusters }: ClustersQuery = data;
  expect(
    clusters?.map(({ name, gpuVendor, nodes }) => [name, gpuVendor, nodes?.totalCount, nodes?.nodes.length]),
  ).toEqual([
    ['aurora-prod', 'NVIDIA', 4, 2],
    ['borealis-train', 'AMD', 2, 2],
  ]);
});

test('a generated operation reads a node whole: the hot GPU, its throttle time, its episode', async () => {
  const variables = { cluster: 'aurora-prod', node: 'aurora-prod-n2', window: { range: 'LAST_6H' } };
  const { data, errors } = await gateway.query(NodeReadingsDocument.toString(), variables);
  expect(errors).toBeUndefined();
  const { cluster }: NodeReadingsQuery = data;
  const gpus = cluster?.node?.gpus ?? [];
  expect(gpus).toHaveLength(8);
  expect(gpus.filter(({ peakTempC }) => (peakTempC ?? 0) >= 83).map(({ index }) => index)).toEqual([3]);
  expect(gpus[3]?.peakTempC).toBe(91);
  expect(gpus[3]?.throttle.thermalS).toBeGreaterThan(600);
  expect(cluster?.node?.healthEpisodes?.map(({ kind, gpu }) => [kind, gpu])).toEqual([['THERMAL', 3]]);
  expect(cluster?.reference?.tempP95C).toBeGreaterThanOrEqual(70);
  expect(cluster?.reference?.tempP95C).toBeLessThanOrEqual(75);
});

test('what AMD does not have is null, and in neither list of coverage', async () => {
  const variables = { cluster: 'borealis-train', node: 'borealis-train-n1' };
  const { data } = await gateway.query(NodeReadingsDocument.toString(), variables);
  const node = (data as NodeReadingsQuery).cluster?.node;
  expect(Object.values(node?.gpus?.[2]?.throttle ?? {})).toEqual(Array.from({ length: 7 }, () => null));
  expect(node?.gpus?.[2]?.errors).toMatchObject({ xid: null, linkCrc: null, eccDbe: 1 });
  const listed = [...(node?.coverage?.present ?? []), ...(node?.coverage?.missing ?? [])];
  expect(listed).not.toEqual(expect.arrayContaining(['XID']));
});
