import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { now, seedNodes, seedSeries, seedTimes } from '../support/fleet/seed-example.ts';
import { seedHost } from '../support/fleet/seed-host.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { type McpClient, type Told, transports } from '../support/mcp.ts';

// Every example of the tools' page, told by the tools to a client of the SDK's.
let world: World;
beforeAll(async () => {
  const hosts = seedNodes.flatMap((node) => seedHost(node, seedTimes));
  world = await startWorld([{ name: 'aurora-prod', vendor: 'amd', series: [...seedSeries, ...hosts] }]);
});
afterAll(() => world?.close());

const cluster = { cluster: 'aurora-prod' };
const day = { ...cluster, start: '2026-09-21T12:00:00Z', end: '2026-09-21T18:00:00Z' };
const hour = { ...cluster, start: '2026-09-21T14:20:00Z', end: '2026-09-21T15:20:00Z' };
const job = { kind: 'Job', name: 'train-llm' };

const envelope = {
  cluster: 'aurora-prod',
  gpu_vendor: 'amd',
  gpu_model: 'MI355X',
  reference: { gpu_model: 'MI355X', temp_p95_c: 74.5, note: expect.stringMatching(/95th percentile.*shared pool/) },
  coverage: {
    present: expect.arrayContaining([
      'gpu_temp',
      'memory_temp',
      'tensor_active',
      'power',
      'hbm',
      'ecc',
      'link_errors',
      'host_pressure',
    ]),
    missing: ['north_south'],
  },
  note: expect.stringMatching(/./),
};
const wholeDay = { start: day.start, end: day.end, step_s: 450, points: 48 };
const episode = {
  kind: 'thermal',
  started: '2026-09-21T14:05:00Z',
  ended: '2026-09-21T14:46:00Z',
  detail: expect.stringContaining('GPUHighTemperature'),
};
const stats = { mean: expect.any(Number), min: expect.any(Number), max: expect.any(Number) };
const curve = { t0: 1_789_992_000, step_s: 450, values: expect.any(Array), ...stats };
const noThrottle = Object.fromEntries(
  ['thermal_s', 'power_s', 'board_limit_s', 'sync_boost_s', 'low_util_s', 'reliability_s', 'clock_events'].map(
    (key) => [key, null],
  ),
);
const errors = {
  link_crc: null,
  link_replay: null,
  link_recovery: null,
  pcie_replay: 0,
  pcie_recovery: 0,
  ecc_sbe: 0,
  ecc_dbe: 0,
  xid: null,
};
/** A GPU as the page has it, with `other` for the readings that keep no values in a summary. */
const gpu = (other: object) => ({
  temp_c: curve,
  peak_temp_c: expect.any(Number),
  memory_temp_c: other,
  sm_clock_mhz: other,
  mem_clock_mhz: other,
  util_pct: other,
  sm_active_pct: other,
  dram_active_pct: other,
  tensor_active_pct: curve,
  power_w: curve,
  hbm_used_gib: other,
  hbm_total_gib: 287.984,
  throttle: noThrottle,
  errors,
});
const host = (other: object) => ({
  cpu_busy_pct: other,
  load_per_core: other,
  pressure: { cpu: other, memory: other, io: other },
  nic: { rx_mbps: other, tx_mbps: other, errors: 0, drops: 0 },
  north_south: { ingress_mbps: null, egress_mbps: null },
});
const gpus = (other: object) => Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((index) => [index, gpu(other)]));

describe.each(transports)('over %s', (_transport, connect) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connect({ config: world.config(), now });
  });
  afterAll(() => mcp?.close());
  const read = async (args: object): Promise<Told['answer']> => {
    const { answer, structured, isError } = await mcp.call('metrics_read', args);
    expect(isError).toBe(false);
    expect(structured).toEqual(answer);
    return answer;
  };

  test('who asks: the organization, its clusters, its limits', async () => {
    const { answer, structured } = await mcp.call('grid_whoami');
    expect(answer).toEqual(structured);
    expect(answer).toEqual({
      organization: 'acme',
      clusters: [{ name: 'aurora-prod', island: 'north', gpu_vendor: 'amd', gpu_model: 'MI355X' }],
      limits: expect.objectContaining({
        window_days: 14,
        points: 96,
        query_characters: 4000,
        requests_left: expect.any(Number),
      }),
    });
  });

  test('action=node: every reading of the node, and nothing besides', async () => {
    const answer = await read({ ...day, action: 'node', node: 'aurora-prod-n2' });
    expect(answer).toEqual({
      ...envelope,
      window: wholeDay,
      node: { name: 'aurora-prod-n2', gpus: 8, state: 'ready' },
      gpus: gpus(curve),
      host: host(curve),
      health_episodes: [episode],
    });
    const { temp_c: temperature, peak_temp_c: peak } = answer.gpus['3'];
    expect([peak, temperature.max, temperature.min]).toEqual([91, 91, 71]);
    expect(temperature.values).toHaveLength(48);
    // 14:30 to 14:37:30: the episode is at its hottest.
    expect(temperature.values[20]).toBe(90.5);
    expect(answer.note).toMatch(/°C/);
  });

  test('action=node, detail=summary: values of temperature, tensor activity and power alone', async () => {
    const answer = await read({ ...day, action: 'node', node: 'aurora-prod-n2', detail: 'summary' });
    expect(answer.gpus).toEqual(gpus(stats));
    expect(answer.host).toEqual(host(stats));
  });

  test('action=workload: where it ran, and each node in summary', async () => {
    const placed = { from: '2026-09-21T12:03:00Z', to: null, phase: 'Running' };
    const answer = await read({ ...day, ...job, action: 'workload' });
    expect(answer).toEqual({
      ...envelope,
      window: wholeDay,
      workload: { kind: 'Job', namespace: 'default', name: 'train-llm' },
      placement: [
        { pod: 'train-llm-0', node: 'aurora-prod-n1', ...placed },
        { pod: 'train-llm-1', node: 'aurora-prod-n2', ...placed },
      ],
      placement_source: 'history',
      nodes: {
        'aurora-prod-n1': { gpus: gpus(stats), host: host(stats), health_episodes: [] },
        'aurora-prod-n2': { gpus: gpus(stats), host: host(stats), health_episodes: [episode] },
      },
    });
  });

  test('action=workload tells no values in full but where series are asked for', async () => {
    const answer = await read({ ...hour, ...job, action: 'workload', detail: 'series', points: 8 });
    expect(answer.nodes['aurora-prod-n1'].gpus['0'].sm_clock_mhz.values).toHaveLength(8);
    expect(answer.omitted).toBeUndefined();
  });

  test.each([
    ['the job', job, { workload: { ...job, namespace: 'default' }, placement: [expect.anything(), expect.anything()] }],
    ['the node', { node: 'aurora-prod-n2' }, { node: 'aurora-prod-n2' }],
  ])('action=flags of %s', async (_of, target, told) => {
    const answer = await read({ ...hour, ...target, action: 'flags' });
    expect(answer).toEqual({
      ...envelope,
      window: { start: hour.start, end: hour.end, step_s: 90, points: 40 },
      target: told,
      checked: ['thermal', 'utilization', 'comm', 'host', 'memory'],
      unavailable: ['throttle_violations', 'clock_events', 'xid'],
      clean: false,
      flags: [
        {
          kind: 'thermal_throttle',
          severity: 'high',
          node: 'aurora-prod-n2',
          gpu: '3',
          minutes: 26,
          from: '2026-09-21T14:20:00Z',
          to: '2026-09-21T14:46:00Z',
          clipped: { start: true, end: false },
          episode: { from: '2026-09-21T14:05:00Z', to: '2026-09-21T14:46:00Z' },
          evidence: { peak_temp_c: 91, reference_p95_c: 74.5 },
          summary: expect.stringMatching(
            /^GPU 3 on aurora-prod-n2 held at or above 83 °C for 26 min inside this window \(peak 91 °C, reference p95 74.5 °C\)/,
          ),
        },
      ],
    });
    expect(answer.note).toMatch(/clipped at the window start/i);
    expect(answer.note).toMatch(/throttle timers, clock events or XID events.*fabric link counters within link_errors/);
  });

  test('the sentence that the evidence supports: 41 minutes, and the other node clean', async () => {
    const { flags } = await read({ ...day, ...job, action: 'flags' });
    expect(flags).toHaveLength(1);
    expect(flags[0]).toMatchObject({ gpu: '3', minutes: 41, from: '2026-09-21T14:05:00Z' });
    expect(await read({ ...day, action: 'flags', node: 'aurora-prod-n1' })).toMatchObject({ clean: true, flags: [] });
  });

  test('metrics_query: names are found, a series stands on an inclusive grid, an instant has one value', async () => {
    const names = await mcp.call('metrics_query', {
      query: 'count by (__name__)({__name__=~"amd_gpu_.*temperature"})',
      instant: true,
    });
    expect(names.answer).toEqual({
      org: 'acme',
      query: 'count by (__name__)({__name__=~"amd_gpu_.*temperature"})',
      result_type: 'vector',
      window: wholeDay,
      series: [
        { labels: { __name__: 'amd_gpu_junction_temperature' }, value: 16 },
        { labels: { __name__: 'amd_gpu_memory_temperature' }, value: 16 },
      ],
      series_total: 2,
      truncated: false,
    });
    const hottest = await mcp.call('metrics_query', {
      query: 'max(amd_gpu_junction_temperature)',
      range: '6h',
      points: 12,
    });
    expect(hottest.answer).toMatchObject({ result_type: 'matrix', window: { step_s: 1800, points: 12 } });
    expect(hottest.answer.series[0].labels).toEqual({});
    expect(hottest.answer.series[0].values).toHaveLength(13);
    expect(hottest.structured).toEqual(hottest.answer);
  });

  test('metrics_query: a scalar carries its value alone, and nothing at all says so', async () => {
    const scalar = await mcp.call('metrics_query', { query: 'scalar(vector(7))', instant: true });
    expect(scalar.answer).toMatchObject({ result_type: 'scalar', value: 7, series: [] });
    const { answer } = await mcp.call('metrics_query', { query: 'amd_gpu_nothing', instant: true });
    expect(answer).toMatchObject({ series: [], series_total: 0, truncated: false });
    expect(answer.note).toMatch(/./);
  });
});
