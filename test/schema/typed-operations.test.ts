import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoTraining } from '../../src/commands/demo-training.ts';
import { demoConfig } from '../../src/demo/demo-config.ts';
import { history } from '../../src/demo/history.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import {
  ClustersDocument,
  type ClustersQuery,
  NodeReadingsDocument,
  type NodeReadingsQuery,
  SlowRunFlagsDocument,
  type SlowRunFlagsQuery,
  SlowRunShapeDocument,
  type SlowRunShapeQuery,
} from '../generated/graphql.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

// A client generated from the schema, over the demo's own history.
const t0 = 1_780_315_200;
let store: EmbeddedStore;
let gateway: Gateway;
let training: Awaited<ReturnType<typeof demoTraining>>;

beforeAll(async () => {
  store = await startStore();
  await store.load(history(t0, 7));
  training = await demoTraining(store.url, t0, () => t0);
  gateway = await startGateway({ config: demoConfig(store.url), now: () => t0 });
});
afterAll(async () => {
  await gateway.close();
  await training.stop();
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

test('two documents find the evidence for a slow run', async () => {
  const asked = await gateway.query(SlowRunFlagsDocument.toString(), { cluster: 'aurora-prod', job: 'train-llm' });
  expect(asked.errors).toBeUndefined();
  const { workload } = (asked.data as SlowRunFlagsQuery).cluster!;
  expect(workload?.placementSource).toBe('HISTORY');
  expect(workload?.placement?.map(({ pod, node, phase }) => [pod, node.name, phase])).toEqual([
    ['train-llm-0', 'aurora-prod-n1', 'RUNNING'],
    ['train-llm-1', 'aurora-prod-n2', 'RUNNING'],
  ]);
  const hot = workload?.flags?.flags.find(({ kind }) => kind === 'THERMAL_THROTTLE');
  expect(hot).toMatchObject({
    severity: 'HIGH',
    node: { name: 'aurora-prod-n2' },
    gpu: { index: 3 },
    evidence: { peakTempC: 91 },
  });
  expect(hot!.minutes).toBeGreaterThanOrEqual(41);
  expect(hot!.minutes).toBeLessThan(43);
  expect(hot!.episode?.to).not.toBeNull();
  expect(hot!.summary).toMatch(
    /^GPU 3 on aurora-prod-n2 held at or above 83 °C for 4[0-2](\.\d)? min.*peak 91 °C, reference p95 7/,
  );

  const shape = { cluster: 'aurora-prod', hot: hot!.node.name, gpu: hot!.gpu!.index, other: 'aurora-prod-n1' };
  const drawn = await gateway.query(SlowRunShapeDocument.toString(), shape);
  expect(drawn.errors).toBeUndefined();
  const { hot: curves, other } = (drawn.data as SlowRunShapeQuery).cluster!;
  const { tempC, smClockMhz, tensorActivePct } = curves!.gpu!;
  const hottest = tempC!.values!.indexOf(Math.max(...(tempC!.values as number[])));
  // Where it is hottest, the clock and the activity are far below their usual.
  expect(smClockMhz!.values![hottest]).toBeLessThan(0.85 * (smClockMhz!.values![0] as number));
  expect(tensorActivePct!.values![hottest]).toBeLessThan(0.85 * (tensorActivePct!.values![0] as number));
  expect(other?.flags?.clean).toBe(true);
});

test('every query of the README answers over the demo', async () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```graphql\n(.*?)```/gs)].map(([, text]) => text!);
  expect(documents.length).toBeGreaterThanOrEqual(2);
  for (const document of documents) {
    const { status, errors = [] } = await gateway.query(document);
    expect([status, errors]).toEqual([200, []]);
  }
});
