import { afterAll, beforeAll, expect, test } from 'vitest';

import { NOW, scrapes } from '../support/fleet/clock.ts';
import { now, seedNodes, seedSeries, seedTimes } from '../support/fleet/seed-example.ts';
import { seedHost } from '../support/fleet/seed-host.ts';
import { lasting, nvidia, host } from '../support/fleet/situations.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { type McpClient, overHttp } from '../support/mcp.ts';

// Every key that the tools' page shows or names, in one list: a path into the answer, `*` for any key or item.
const words = (text: string): string[] => text.split(' ');
const envelope = [
  ...words('cluster gpu_vendor gpu_model window.start window.end window.step_s window.points'),
  ...words('reference.gpu_model reference.temp_p95_c reference.note coverage.present coverage.missing note'),
];
const series = ['t0', 'step_s', 'values', 'mean', 'min', 'max'];
const stats = ['mean', 'min', 'max'];
const gpuCurves = ['temp_c', 'tensor_active_pct', 'power_w'];
const gpuReadings = words(
  'memory_temp_c sm_clock_mhz mem_clock_mhz util_pct sm_active_pct dram_active_pct hbm_used_gib',
);
const gpuNumbers = words('peak_temp_c hbm_total_gib errors.pcie_replay errors.ecc_sbe errors.ecc_dbe');
const gpuLackedByAmd = [
  ...words('thermal_s power_s board_limit_s sync_boost_s low_util_s reliability_s clock_events').map(
    (key) => `throttle.${key}`,
  ),
  ...words('link_crc link_replay link_recovery xid').map((key) => `errors.${key}`),
];
const hostReadings = words(
  'cpu_busy_pct load_per_core pressure.cpu pressure.memory pressure.io nic.rx_mbps nic.tx_mbps',
);
const hostNumbers = ['nic.errors', 'nic.drops'];
const hostWithoutSource = ['north_south.ingress_mbps', 'north_south.egress_mbps'];
const episode = ['kind', 'started', 'ended', 'detail'];
const placement = ['pod', 'node', 'from', 'to', 'phase'];
const workload = ['kind', 'namespace', 'name'];
const flag = [
  ...words('kind severity node gpu minutes from to clipped.start clipped.end episode.from'),
  ...words('episode.to evidence.peak_temp_c evidence.reference_p95_c summary'),
];
const under = (prefix: string, keys: readonly string[]): string[] => keys.map((key) => `${prefix}.${key}`);
const each = (prefixes: readonly string[], keys: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => under(prefix, keys));

/** What lies at a path, under every key that `*` stands for; undefined where some of it is not there. */
function at(value: unknown, path: readonly string[]): unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [undefined];
  if (step !== '*') return at((value as Record<string, unknown>)[step], rest);
  const within = Object.values(value);
  return within.length > 0 ? within.flatMap((one) => at(one, rest)) : [undefined];
}
const absent = (answer: unknown, paths: readonly string[]): string[] =>
  paths.filter((path) => at(answer, path.split('.')).includes(undefined));
const notNull = (answer: unknown, paths: readonly string[]): string[] =>
  paths.filter((path) => at(answer, path.split('.')).some((one) => one !== null));
const isNull = (answer: unknown, paths: readonly string[]): string[] =>
  paths.filter((path) => at(answer, path.split('.')).includes(null));

const burst = lasting(10, 12);
let [amd, nv]: [World, World] = [undefined!, undefined!];
let [onAmd, onNvidia]: [McpClient, McpClient] = [undefined!, undefined!];
beforeAll(async () => {
  const hosts = seedNodes.flatMap((node) => seedHost(node, seedTimes));
  amd = await startWorld([{ name: 'aurora-prod', vendor: 'amd', series: [...seedSeries, ...hosts] }]);
  const readings = {
    DCGM_FI_DEV_THERMAL_VIOLATION: (time: number) => 7e9 + 1e9 * Math.max(0, Math.min(time, burst[1]) - burst[0]),
    DCGM_FI_DEV_BOARD_LIMIT_VIOLATION: 0,
    DCGM_FI_DEV_SYNC_BOOST_VIOLATION: 0,
    DCGM_FI_DEV_LOW_UTIL_VIOLATION: 0,
    DCGM_FI_DEV_RELIABILITY_VIOLATION: 0,
    DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 0,
    DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 0,
  };
  nv = await startWorld([
    { name: 'boreas', series: [...nvidia({ readings })('b1'), ...host()('b1'), ...seedHost('b1', scrapes())] },
  ]);
  onAmd = await overHttp({ config: amd.config(), now });
  onNvidia = await overHttp({ config: nv.config(), now: NOW });
});
afterAll(async () => {
  await onAmd?.close();
  await onNvidia?.close();
  await amd?.close();
  await nv?.close();
});

const day = { cluster: 'aurora-prod', start: '2026-09-21T12:00:00Z', end: '2026-09-21T18:00:00Z' };
const job = { kind: 'Job', name: 'train-llm' };
const answerOf = async (mcp: McpClient, args: object) => (await mcp.call('metrics_read', args)).answer;

test('action=node', async () => {
  const answer = await answerOf(onAmd, { ...day, action: 'node', node: 'aurora-prod-n2' });
  const there = [
    ...envelope,
    ...under('node', ['name', 'gpus', 'state']),
    ...under('gpus.*', [...each([...gpuCurves, ...gpuReadings], series), ...gpuNumbers, 'errors.pcie_recovery']),
    ...under('host', [...each(hostReadings, series), ...hostNumbers]),
    ...under('health_episodes.*', episode),
  ];
  const lacked = [...under('gpus.*', gpuLackedByAmd), ...under('host', hostWithoutSource)];
  expect(absent(answer, [...there, ...lacked])).toEqual([]);
  expect(isNull(answer, there)).toEqual([]);
  expect(notNull(answer, lacked)).toEqual([]);
});

test('action=node of a maker that has throttle timers, events and links', async () => {
  const answer = await answerOf(onNvidia, { cluster: 'boreas', action: 'node', node: 'b1', range: '1h' });
  expect(isNull(answer, under('gpus.*', gpuLackedByAmd))).toEqual([]);
  expect(answer.gpus['0'].throttle.thermal_s).toBeGreaterThan(600);
  expect(notNull(answer, ['gpus.*.errors.pcie_recovery'])).toEqual([]);
});

test('action=workload', async () => {
  const answer = await answerOf(onAmd, { ...day, ...job, action: 'workload' });
  const there = [
    ...envelope,
    ...under('workload', workload),
    ...under('placement.*', placement),
    'placement_source',
    ...under('nodes.*.gpus.*', [...each(gpuCurves, series), ...each(gpuReadings, stats), ...gpuNumbers]),
    ...under('nodes.*.host', [...each(hostReadings, stats), ...hostNumbers]),
    ...under('nodes.aurora-prod-n2.health_episodes.*', episode),
    'nodes.aurora-prod-n1.health_episodes',
  ];
  expect(absent(answer, there)).toEqual([]);
  expect(isNull(answer, there)).toEqual(['placement.*.to']);
});

test('action=flags', async () => {
  const answer = await answerOf(onAmd, { ...day, ...job, action: 'flags' });
  const there = [
    ...envelope,
    ...under('target', [...under('workload', workload), ...under('placement.*', placement)]),
    ...words('checked unavailable clean flags'),
    ...under('flags.*', flag),
  ];
  expect(absent(answer, there)).toEqual([]);
  expect(isNull(answer, there)).toEqual(['target.placement.*.to']);
});

test('metrics_query', async () => {
  const ask = async (args: object) => (await onAmd.call('metrics_query', args)).answer;
  const keys = ['org', 'query', 'result_type', 'window.step_s', 'series', 'series_total', 'truncated'];
  const over = await ask({ query: 'amd_gpu_junction_temperature{gpu_id="3"}' });
  expect(
    absent(over, [...keys, ...under('series.*', ['labels.cluster', 'labels.instance', 'labels.gpu_id', 'values'])]),
  ).toEqual([]);
  const instant = await ask({ query: 'amd_gpu_junction_temperature', instant: true });
  expect(absent(instant, [...keys, ...under('series.*', ['labels', 'value'])])).toEqual([]);
  expect(absent(await ask({ query: 'scalar(vector(1))', instant: true }), [...keys, 'value'])).toEqual([]);
  expect(absent(await ask({ query: 'nothing_at_all' }), [...keys, 'note'])).toEqual([]);
});

test('the arguments are those of the page, island besides, and every tool only reads', async () => {
  const { tools } = await onAmd.client.listTools();
  const argumentsOf = (name: string) => {
    const { properties = {}, required } = tools.find((tool) => tool.name === name)!.inputSchema;
    return [Object.keys(properties).sort(), required];
  };
  const window = ['range', 'start', 'end', 'points'];
  const read = ['action', 'cluster', 'node', 'kind', 'name', 'namespace', 'detail', 'island', ...window];
  expect(argumentsOf('metrics_read')).toEqual([read.sort(), ['action', 'cluster']]);
  expect(argumentsOf('metrics_query')).toEqual([['query', 'instant', 'island', ...window].sort(), ['query']]);
  expect(tools.map(({ name }) => name)).toEqual(['grid_whoami', 'metrics_read', 'metrics_query', 'graphql']);
  for (const { annotations, outputSchema, description } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(outputSchema).toMatchObject({ type: 'object' });
    expect(description).toMatch(/./);
  }
});
