import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyFlagField, everyGpuField, everyHostField } from '../support/every-field.ts';
import { NOW, scrapes } from '../support/fleet/clock.ts';
import { wholeSeries } from '../support/fleet/questions.ts';
import { now, on, seedNodes, seedSeries, seedTimes } from '../support/fleet/seed-example.ts';
import { seedHost } from '../support/fleet/seed-host.ts';
import type { Series } from '../support/fleet/series.ts';
import { host, lasting, nvidia } from '../support/fleet/situations.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { flush } from '../support/reported/mortal-store.ts';
import { expectMetrics } from '../support/reported/read-back.ts';
import type { Told } from '../support/reported/told.ts';
import { gpuFields, hostFields, readingNames } from './seed-names.ts';

/** A fleet of another time, as it would have been then. */
const moved = (all: readonly Series[], by: number): Series[] =>
  all.map((one) => ({ ...one, times: one.times.map((time) => time + by) }));

const [from, to] = lasting(10, 12);
const nvidiaReadings = {
  DCGM_FI_DEV_THERMAL_VIOLATION: (time: number) => 7e9 + 1e9 * Math.max(0, Math.min(time, to) - from),
  DCGM_FI_DEV_BOARD_LIMIT_VIOLATION: 0,
  DCGM_FI_DEV_SYNC_BOOST_VIOLATION: 0,
  DCGM_FI_DEV_LOW_UTIL_VIOLATION: 0,
  DCGM_FI_DEV_RELIABILITY_VIOLATION: 0,
  DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 0,
  DCGM_FI_DEV_MEMORY_TEMP: 71,
  DCGM_FI_DEV_SM_CLOCK: 1755,
  DCGM_FI_DEV_MEM_CLOCK: 2619,
  DCGM_FI_PROF_SM_ACTIVE: 0.62,
  DCGM_FI_PROF_DRAM_ACTIVE: 0.35,
  DCGM_FI_DEV_POWER_USAGE: 540,
};

let storeUrl = '';
let [world, gateway]: [World, Gateway] = [undefined!, undefined!];
beforeAll(async () => {
  const boreas = [...nvidia({ readings: nvidiaReadings })('b1'), ...host()('b1'), ...seedHost('b1', scrapes())];
  world = await startWorld([
    {
      name: 'aurora-prod',
      vendor: 'amd',
      series: [...seedSeries, ...seedNodes.flatMap((node) => seedHost(node, seedTimes))],
    },
    { name: 'boreas', series: moved(boreas, now - NOW) },
  ]);
  const config = JSON.parse(world.config());
  const [{ prometheus }] = config.islands;
  storeUrl = prometheus.url;
  prometheus.writeUrl = `${prometheus.url}/api/v1/write`;
  gateway = await startGateway({ config: JSON.stringify(config), now: () => now });
});
afterAll(async () => {
  await gateway?.close();
  await world?.close();
});

/** What a run may put beside a number: names that mean something to a store, an exporter or the gateway. */
const beside: readonly Record<string, string>[] = [
  {},
  { cluster: 'boreas', instance: 'aurora-prod-n2:5000', hostname: 'aurora-prod-n2', gpu_id: '3', serial_number: 'SN' },
  { run: 'another', metric: 'train/loss', metadata: '{}', __name__: 'amd_gpu_junction_temperature', job: 'x' },
];
/** Names that are not the seed's, and must not be mistaken for a series of the fleet or of the gateway. */
const strangers = [
  'amd_gpu_junction_temperature',
  'DCGM_FI_DEV_GPU_TEMP',
  'node_load1',
  'ALERTS',
  'gpuql_run_value',
  'gpuql_run_event',
  '__name__',
  'temp_c ',
  'Temp_C',
];
const at = on('14:30:00') * 1000;
const told: Told[] = [...readingNames, ...strangers].flatMap((name, nth) =>
  beside.flatMap((metadata, which) =>
    [0, 45_123].map((later, again) => ({
      kind: 'metric' as const,
      ts_ms: at + later,
      step: again,
      name,
      value: nth * 10 + which * 3 + again + 0.25,
      metadata,
    })),
  ),
);

const fleet = `
  amd: cluster(name: "aurora-prod", window: { start: "2026-09-21T12:00:00Z", end: "2026-09-21T18:00:00Z", points: 12 }) {
    gpuVendor gpuModel reference { gpuModel tempP95C } coverage { present missing }
    nodes { nodes { name state gpuCount note coverage { present missing } healthEpisodes { kind gpu started ended detail }
      gpus { ${everyGpuField} } ${everyHostField} } }
    workload(kind: JOB, name: "train-llm") { placementSource placement { pod node { name } from to phase } ${everyFlagField} RUNS }
    RUN
  }
  nv: cluster(name: "boreas", window: { range: LAST_1H, points: 12 }) {
    node(name: "b1") { note coverage { present missing } gpus { ${everyGpuField} } ${everyHostField} ${everyFlagField} }
    RUN
  }`;
const without = `{ ${fleet.replaceAll(/RUNS?/g, '')} }`;
const beside_ = `{ ${fleet.replaceAll('RUNS', 'runs { name }').replaceAll(
  'RUN',
  `run(name: "as-the-fleet") { workload { kind namespace name }
      metrics { name metadata series ${wholeSeries} findings { step value } } steps { last } stepSeconds { last } }`,
)} }`;

const answered = async (document: string) => {
  const { data, errors } = await gateway.query(document);
  expect(errors).toBeUndefined();
  return data;
};

test('a run that calls its own numbers as the fleet’s readings are called keeps them apart, in one document', async () => {
  const before = await answered(without);
  for (const cluster of ['aurora-prod', 'boreas'])
    for (let first = 0; first < told.length; first += 300) {
      const { data, errors } = await gateway.query(
        `mutation ($cluster: String!, $events: [RunEvent!], $workload: RunWorkloadInput) {
          reportRun(cluster: $cluster, run: "as-the-fleet", events: $events, workload: $workload) { written rejected { reason } note }
        }`,
        {
          cluster,
          events: told
            .slice(first, first + 300)
            .map((one) => ({ ...one, ...(cluster === 'boreas' && { value: -one.value! }) })),
          ...(cluster === 'aurora-prod' && { workload: { kind: 'JOB', name: 'train-llm' } }),
        },
      );
      expect(errors).toBeUndefined();
      const written = Math.min(300, told.length - first);
      expect(data.reportRun).toEqual({ written, rejected: [], note: null });
    }

  await flush(storeUrl);
  const { amd, nv } = await answered(beside_);
  const window = { start: on('12:00:00'), end: now, points: 12 };
  expectMetrics(told, amd.run.metrics, window);
  const lastHour = { start: now - 3600, end: now, points: 12 };
  expect([amd.run.stepSeconds, amd.run.steps.last, nv.run]).toEqual([null, 1, expect.anything()]);
  expect(lastHour.start).toBeGreaterThan(at / 1000);
  expect([amd.run.workload, nv.run.workload]).toEqual([{ kind: 'JOB', namespace: 'default', name: 'train-llm' }, null]);
  expect(amd.workload.runs).toEqual([{ name: 'as-the-fleet' }]);
  // The fleet's own readings are what they were, one for one.
  const { run: _run, workload: job, ...amdFleet } = amd;
  const { runs: _runs, ...workload } = job;
  const { run: _other, ...nvFleet } = nv;
  expect({ amd: { ...amdFleet, workload }, nv: nvFleet }).toEqual(before);
});

test('and each reading of the tables answers in it', async () => {
  const { amd, nv } = await answered(beside_);
  const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const reading = (of: Record<string, unknown>, path: string): unknown =>
    path
      .split('.')
      .map(camel)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], of);
  const [node] = amd.nodes.nodes;
  const [gpu, other] = [node.gpus[3], nv.node.gpus[0]];
  const silent = (of: Record<string, unknown>, fields: readonly string[]): string[] =>
    fields.filter((field) => reading(of, field) === null);
  expect(silent(gpu, gpuFields)).toEqual([]);
  expect(silent(other, gpuFields)).toEqual([]);
  expect(
    silent(
      node.host,
      hostFields.filter((field) => !field.startsWith('north_south')),
    ),
  ).toEqual([]);
  expect(reading(node.host, 'north_south')).toEqual({ ingressMbps: null, egressMbps: null });
  // What AMD has no reading of is null, field by field, and NVIDIA has it.
  for (const field of ['thermalS', 'powerS', 'boardLimitS', 'syncBoostS', 'lowUtilS', 'reliabilityS', 'clockEvents'])
    expect([field, gpu.throttle[field], other.throttle[field]]).toEqual([field, null, expect.anything()]);
  for (const field of ['linkCrc', 'linkReplay', 'linkRecovery', 'xid'])
    expect([field, gpu.errors[field], other.errors[field]]).toEqual([field, null, 0]);
  for (const field of ['pcieReplay', 'eccSbe', 'eccDbe'])
    expect([field, gpu.errors[field], other.errors[field]]).toEqual([field, 0, 0]);
  expect([gpu.errors.pcieRecovery, other.errors.pcieRecovery]).toEqual([0, null]);
});
