import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { tokensOf } from '../../src/mcp/tokens.ts';
import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { except, type Series, type Value } from '../support/fleet/series.ts';
import { seedHost } from '../support/fleet/seed-host.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';
import { type McpClient, overHttp } from '../support/mcp.ts';

// Fractions and noise everywhere, as in real readings: whole numbers that stand still would take half the room.
const readings = (key: string): Readonly<Record<string, Value>> => ({
  DCGM_FI_DEV_GPU_TEMP: around(`${key} temp`, 63, 8, 2),
  DCGM_FI_DEV_MEMORY_TEMP: around(`${key} memory`, 71, 6, 2),
  DCGM_FI_DEV_SM_CLOCK: around(`${key} clock`, 1700, 120, 2),
  DCGM_FI_DEV_MEM_CLOCK: around(`${key} memory clock`, 2500, 100, 2),
  DCGM_FI_DEV_GPU_UTIL: around(`${key} util`, 82, 15, 2),
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: around(`${key} tensor`, 0.41, 0.1, 5),
  DCGM_FI_PROF_SM_ACTIVE: around(`${key} sm`, 0.71, 0.1, 5),
  DCGM_FI_PROF_DRAM_ACTIVE: around(`${key} dram`, 0.31, 0.1, 5),
  DCGM_FI_DEV_POWER_USAGE: around(`${key} power`, 610, 60, 3),
  DCGM_FI_DEV_FB_USED: around(`${key} used`, 60_000, 900, 0),
  DCGM_FI_DEV_FB_TOTAL: 81_559,
  DCGM_FI_DEV_THERMAL_VIOLATION: 7e9,
  DCGM_FI_DEV_POWER_VIOLATION: 9.15e10,
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 0,
  DCGM_FI_DEV_XID_ERRORS: 0,
  DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 4,
  DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: 1,
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: 0,
});
const hot = { DCGM_FI_DEV_GPU_TEMP: except(64, 90, [ago(40 * MINUTE), ago(20 * MINUTE)]) };
const waiting = 'w-gpu-worker-007';

interface Job {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly gpus: number;
  readonly times: readonly number[];
}
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `${prefix}-gpu-worker-${String(nth).padStart(3, '0')}`);
const lately = scrapes({ from: ago(90 * MINUTE), every: 60 });
const jobs: readonly Job[] = [
  { name: 'one', nodes: names('one', 1), gpus: 8, times: scrapes({ from: ago(6.5 * HOUR) }) },
  { name: 'eight', nodes: names('eight', 8), gpus: 8, times: lately },
  { name: 'narrow', nodes: names('narrow', 12), gpus: 1, times: lately },
  { name: 'wide', nodes: names('w', 64), gpus: 8, times: lately },
];
/** Those that ran hot: one of eight nodes', three of 64 nodes'. */
const hotGpus = new Set(['eight-gpu-worker-003/5', 'w-gpu-worker-010/2', 'w-gpu-worker-011/7', 'w-gpu-worker-063/0']);

const nodeOf = ({ name, gpus, times }: Job, node: string): Series[] => [
  ...Array.from({ length: gpus }, (_, index) =>
    dcgm({ node, index, pod: `${name}-${node}` }, times, {
      ...readings(`${node}/${index}`),
      ...(hotGpus.has(`${node}/${index}`) ? hot : {}),
    }),
  ).flat(),
  ...seedHost(node, times),
  ...['cpu', 'memory', 'io'].map((resource) => {
    const share = node === waiting && resource === 'io' ? 0.4 : 0.013;
    const waited = growing(times, share);
    return machineCounter({ address: node }, `node_pressure_${resource}_waiting_seconds_total`, times, waited);
  }),
  ...podSeries(
    { name: `${name}-${node}`, node, owner: ['Job', name], gpus, created: times[0]!, running: times[0]! },
    times,
  ),
];

let world: World;
let mcp: McpClient;
beforeAll(async () => {
  const series = jobs.flatMap((job) => job.nodes.flatMap((node) => nodeOf(job, node)));
  world = await startWorld([{ name: 'aurora', series }]);
  mcp = await overHttp({ config: world.config({ scrapeIntervalS: 60 }), now: NOW });
});
afterAll(async () => {
  await mcp?.close();
  await world?.close();
});

const read = async (args: object) => {
  const { answer, text, isError } = await mcp.call('metrics_read', { cluster: 'aurora', ...args });
  expect([isError, isError ? text : '']).toEqual([false, '']);
  return { answer, tokens: tokensOf(text), characters: text.length };
};
interface Block {
  readonly gpus: Readonly<Record<string, { readonly temp_c: object }>>;
}
const node = { action: 'node', node: 'one-gpu-worker-000' };

describe('a node with 8 GPUs', () => {
  test('at its default, series of 48 points: under 25,000 tokens, nothing left out', async () => {
    const { answer, tokens, characters } = await read(node);
    expect(answer.omitted).toBeUndefined();
    expect(answer.gpus['7'].dram_active_pct.values).toHaveLength(48);
    expect(tokens).toBeLessThan(25_000);
    // It is a large answer all the same, or it would show nothing.
    expect(tokens).toBeGreaterThan(15_000);
    expect(characters / 3.5).toBeLessThan(tokens);
  });

  test('in summary: under 8,000', async () => {
    const { answer, tokens } = await read({ ...node, detail: 'summary' });
    expect(answer.gpus['0'].temp_c.values).toHaveLength(48);
    expect(answer.omitted).toBeUndefined();
    expect(tokens).toBeLessThan(8000);
  });

  test('with twice the points: what keeps it under 25,000 is left out, and said', async () => {
    const { answer, tokens } = await read({ ...node, points: 96 });
    expect(tokens).toBeLessThan(25_000);
    expect(answer.omitted).toMatch(/values of all but temperature, tensor activity and power were left out/);
    expect(answer.gpus['0'].power_w.values).toHaveLength(90);
    expect(answer.gpus['0'].util_pct).not.toHaveProperty('values');
  });
});

describe('a workload', () => {
  const workload = (name: string) => ({ action: 'workload', kind: 'Job', name, range: '1h' });

  test('over 64 nodes: the GPUs and the host with a flag, the others named as left out, under 25,000', async () => {
    const { answer, tokens } = await read(workload('wide'));
    expect(tokens).toBeLessThan(25_000);
    expect(Object.keys(answer.nodes)).toHaveLength(64);
    expect(answer.placement).toHaveLength(64);
    const told = (Object.entries(answer.nodes) as [string, Block][]).flatMap(([name, { gpus }]) =>
      Object.keys(gpus).map((index) => `${name}/${index}`),
    );
    expect(told.sort()).toEqual([...hotGpus].filter((gpu) => gpu.startsWith('w-')).sort());
    expect(answer.nodes['w-gpu-worker-010'].gpus['2'].temp_c).toEqual({ mean: expect.any(Number), min: 64, max: 90 });
    expect(answer.nodes[waiting].host.pressure.io.mean).toBe(40);
    expect(answer.nodes['w-gpu-worker-010']).not.toHaveProperty('host');
    expect(answer.omitted).toMatch(/64 nodes.*mean, min and max alone, and 509 of 512 GPUs were left out/);
    expect(answer.omitted).toMatch(/None of those left out has a flag/);
  });

  test('over 64 nodes, series asked for: the same', async () => {
    const { answer, tokens } = await read({ ...workload('wide'), detail: 'series' });
    expect(tokens).toBeLessThan(25_000);
    expect(answer.omitted).toMatch(/509 of 512/);
  });

  test('over 12 nodes with a GPU each: every GPU, with mean, min and max', async () => {
    const { answer, tokens } = await read(workload('narrow'));
    expect(tokens).toBeLessThan(25_000);
    expect(Object.keys(answer.nodes)).toHaveLength(12);
    for (const { gpus } of Object.values(answer.nodes) as Block[]) {
      expect(gpus['0']!.temp_c).toEqual({ mean: expect.any(Number), min: expect.any(Number), max: expect.any(Number) });
    }
    expect(answer.omitted).toMatch(/mean, min and max alone/);
  });

  test('over 8 full nodes: under 25,000, and the hot one is in it', async () => {
    const { answer, tokens } = await read(workload('eight'));
    expect(tokens).toBeLessThan(25_000);
    expect(answer.nodes['eight-gpu-worker-003'].gpus['5'].peak_temp_c).toBe(90);
    expect(answer.omitted).toMatch(/./);
  });

  test('its flags name the same, and need little room', async () => {
    const { answer, tokens } = await read({ ...workload('wide'), action: 'flags' });
    expect(answer.flags.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'host_pressure',
      ...Array.from({ length: 3 }, () => 'thermal_throttle'),
    ]);
    expect(tokens).toBeLessThan(8000);
  });
});

test('metrics_query: of too long an answer the first series, and how many there are', async () => {
  const { answer, text } = await mcp.call('metrics_query', {
    query: 'DCGM_FI_DEV_POWER_USAGE',
    range: '1h',
    points: 96,
  });
  expect(tokensOf(text)).toBeLessThanOrEqual(25_000);
  expect(answer).toMatchObject({ series_total: 596, truncated: true });
  expect(answer.series.length).toBeGreaterThan(20);
  expect(answer.note).toMatch(/too long: \d+ of 596 series/);
});

test('graphql: too long an answer is refused, with its length', async () => {
  const query = '{ clusters { nodes { nodes { gpus { tempC { values } powerW { values } } } } } }';
  const { isError, answer } = await mcp.call('graphql', { query });
  expect([isError, answer.code]).toEqual([true, 'query-too-large']);
  expect(answer.message).toMatch(/about \d+ tokens.*select fewer/);
});
