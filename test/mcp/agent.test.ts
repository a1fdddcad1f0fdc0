import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoConfig } from '../../src/demo/demo-config.ts';
import { history } from '../../src/demo/history.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { type McpClient, overStdio } from '../support/mcp.ts';

// An agent over the demo, as a script: each call is made of what the ones before it told.
const t0 = 1_780_315_200;
let store: EmbeddedStore;
let mcp: McpClient;
beforeAll(async () => {
  store = await startStore();
  await store.load(history(t0, 7));
  mcp = await overStdio({ config: demoConfig(store.url), now: t0 });
});
afterAll(async () => {
  await mcp?.close();
  await store?.close();
});

interface Flag {
  readonly kind: string;
  readonly node: string;
  readonly gpu: string | null;
  readonly from: string;
  readonly to: string;
  readonly evidence: Record<string, number>;
  readonly summary: string;
}

test('which GPU slowed train-llm, when, how hot, and was anything else wrong: in at most 4 calls', async () => {
  let calls = 0;
  const call = async (tool: string, args: object = {}) => {
    calls += 1;
    const { answer, isError } = await mcp.call(tool, args);
    expect(isError).toBe(false);
    return answer;
  };

  // Where can it run? The vendors tell the clusters apart no better than the report does: ask the first that has it.
  const { clusters } = await call('grid_whoami');
  const [{ name: cluster }] = clusters;
  const job = { cluster, kind: 'Job', name: 'train-llm' };

  // What fired, on which GPU, when, how hot?
  const report = await call('metrics_read', { ...job, action: 'flags' });
  const flags = report.flags as Flag[];
  const heat = flags.find(({ kind }) => kind === 'thermal_throttle')!;
  expect([heat.node, heat.gpu]).toEqual(['aurora-prod-n2', '3']);
  expect((Date.parse(heat.to) - Date.parse(heat.from)) / 60_000).toBeGreaterThan(40);
  expect(heat.evidence['peak_temp_c']).toBe(91);
  expect(heat.evidence['reference_p95_c']).toBeLessThan(75);

  // Anything else? Two more, on the other node; and what was looked at in all.
  expect(
    flags
      .filter((flag) => flag !== heat)
      .map(({ kind, node, gpu }) => [kind, node, gpu])
      .sort(),
  ).toEqual([
    ['memory_pressure', 'aurora-prod-n1', '7'],
    ['power_cap', 'aurora-prod-n1', '0'],
  ]);
  expect(report.checked).toEqual(['thermal', 'power', 'utilization', 'comm', 'host', 'memory']);

  // Did it slow the work? The flagged GPU's curves, in the hours that the flag names.
  const { gpus } = await call('metrics_read', { cluster, action: 'node', node: heat.node });
  const { temp_c: temperature, sm_clock_mhz: clock, tensor_active_pct: activity } = gpus[heat.gpu!];
  const hottest = temperature.values.indexOf(Math.max(...temperature.values));
  const instant = (temperature.t0 + hottest * temperature.step_s) * 1000;
  expect(instant).toBeGreaterThan(Date.parse(heat.from) - temperature.step_s * 1000);
  expect(instant).toBeLessThan(Date.parse(heat.to));
  expect(clock.values[hottest]).toBeLessThan(0.85 * clock.values[0]);
  expect(activity.values[hottest]).toBeLessThan(0.85 * activity.values[0]);
  const neighbour = gpus['2'];
  expect(neighbour.sm_clock_mhz.values[hottest]).toBeGreaterThan(0.95 * neighbour.sm_clock_mhz.values[0]);

  expect(heat.summary).toMatch(/^GPU 3 on aurora-prod-n2 held at or above 83 °C for 4\d(\.\d)? min .*peak 91 °C/);
  expect(calls).toBeLessThanOrEqual(4);
});
