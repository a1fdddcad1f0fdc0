import { z } from 'zod';

const number = z.number().nullable();
const text = z.string().nullable();
const time = z.string();

const series = z
  .object({
    t0: z.number().optional(),
    step_s: z.number().optional(),
    values: z.array(number).nullable().optional(),
    mean: number,
    min: number,
    max: number,
  })
  .nullable()
  .meta({ id: 'series', description: 'Bucket i covers (t0 + i*step_s, t0 + (i+1)*step_s]. Null: no reading at all.' });

const keyed = <Value extends z.ZodType>(value: Value, keys: readonly string[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, value])));

const errorKeys = [
  'link_crc',
  'link_replay',
  'link_recovery',
  'pcie_replay',
  'pcie_recovery',
  'ecc_sbe',
  'ecc_dbe',
  'xid',
];

const gpu = z
  .object({
    ...keyed(series, ['temp_c', 'memory_temp_c', 'sm_clock_mhz', 'mem_clock_mhz', 'util_pct', 'sm_active_pct']).shape,
    ...keyed(series, ['dram_active_pct', 'tensor_active_pct', 'power_w', 'hbm_used_gib']).shape,
    peak_temp_c: number,
    hbm_total_gib: number,
    throttle: z.object({
      ...keyed(number, ['thermal_s', 'power_s', 'board_limit_s', 'sync_boost_s', 'low_util_s', 'reliability_s']).shape,
      clock_events: z.record(z.string(), z.number()).nullable(),
    }),
    errors: keyed(number, errorKeys),
  })
  .meta({ id: 'gpu' });

const gpus = z.record(z.string(), gpu).nullable().describe("By the GPU's index on the node.");
const host = z
  .object({
    cpu_busy_pct: series,
    load_per_core: series,
    pressure: keyed(series, ['cpu', 'memory', 'io']),
    nic: z.object({ rx_mbps: series, tx_mbps: series, errors: number, drops: number }),
    north_south: keyed(series, ['ingress_mbps', 'egress_mbps']),
  })
  .meta({ id: 'host' });

const healthEpisodes = z
  .array(z.object({ kind: z.string(), started: time, ended: text, detail: text }))
  .nullable()
  .meta({ id: 'health_episodes' });

const window = z.object({ start: time, end: time, step_s: z.number(), points: z.number() }).meta({ id: 'window' });
const workload = z.object({ kind: z.string(), namespace: z.string(), name: z.string() }).meta({ id: 'workload' });
const placement = z
  .array(z.object({ pod: z.string(), node: z.string(), from: time, to: text, phase: z.string() }))
  .meta({ id: 'placement' });

const flag = z.object({
  kind: z.string(),
  severity: z.string(),
  node: z.string(),
  gpu: text,
  minutes: z.number(),
  from: time,
  to: time,
  clipped: z.object({ start: z.boolean(), end: z.boolean() }),
  episode: z.object({ from: time, to: text }).nullable(),
  evidence: z.record(z.string(), z.unknown()),
  summary: z.string(),
});

const failed = z
  .array(z.object({ at: z.string(), code: z.string(), message: z.string() }))
  .optional()
  .describe('What did not answer: null there means failed, not no reading.');

const omitted = z.string().optional().describe('What was left out to keep the answer short.');

/** Of all three actions: a client wants one object, so what only one of them has is optional. */
export const readOutput = z.object({
  cluster: z.string(),
  gpu_vendor: z.string(),
  gpu_model: text,
  window,
  reference: z.object({ gpu_model: z.string(), temp_p95_c: z.number(), note: z.string() }).nullable(),
  coverage: z.object({ present: z.array(z.string()), missing: z.array(z.string()) }).nullable(),
  note: z.string(),
  failed,
  omitted,
  node: z.object({ name: z.string(), gpus: number, state: text }).optional(),
  gpus: gpus.optional(),
  host: host.optional(),
  health_episodes: healthEpisodes.optional(),
  workload: workload.optional(),
  placement: placement.optional(),
  placement_source: z.enum(['history', 'current-pods']).optional(),
  nodes: z.record(z.string(), z.object({ gpus, host: host.optional(), health_episodes: healthEpisodes })).optional(),
  target: z.union([z.object({ node: z.string() }), z.object({ workload, placement })]).optional(),
  checked: z.array(z.string()).optional(),
  unavailable: z.array(z.string()).optional(),
  clean: z.boolean().optional(),
  flags: z.array(flag).optional(),
});

export const queryOutput = z.object({
  org: z.string(),
  query: z.string(),
  result_type: z.string(),
  window,
  value: number.optional(),
  series: z.array(
    z.object({
      labels: z.record(z.string(), z.string()),
      values: z.array(number).optional(),
      value: number.optional(),
    }),
  ),
  series_total: z.number(),
  truncated: z.boolean(),
  note: z.string().optional(),
});

export const whoOutput = z.object({
  organization: z.string(),
  clusters: z.array(z.object({ name: z.string(), island: z.string(), gpu_vendor: z.string(), gpu_model: text })),
  limits: z.record(z.string(), z.number()),
  failed,
  omitted,
});

export const graphqlOutput = z.object({
  data: z.record(z.string(), z.unknown()).optional(),
  errors: z.array(z.unknown()).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
  schema: z.string().optional().describe('GraphQL schema language.'),
});
