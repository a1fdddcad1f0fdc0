/** The names of the two documents that gpuql is made to, each copied from its tables by hand. */

/** Per GPU. */
export const gpuFields = [
  'temp_c',
  'memory_temp_c',
  'sm_clock_mhz',
  'mem_clock_mhz',
  'util_pct',
  'sm_active_pct',
  'dram_active_pct',
  'tensor_active_pct',
  'power_w',
  'peak_temp_c',
  'hbm_used_gib',
  'hbm_total_gib',
  'throttle',
  'errors',
] as const;

export const throttleFields = [
  'thermal_s',
  'power_s',
  'board_limit_s',
  'sync_boost_s',
  'low_util_s',
  'reliability_s',
  'clock_events',
] as const;

export const errorCounters = [
  'link_crc',
  'link_replay',
  'link_recovery',
  'pcie_replay',
  'pcie_recovery',
  'ecc_sbe',
  'ecc_dbe',
  'xid',
] as const;

export const hostFields = [
  'cpu_busy_pct',
  'load_per_core',
  'pressure.cpu',
  'pressure.memory',
  'pressure.io',
  'nic.rx_mbps',
  'nic.tx_mbps',
  'nic.errors',
  'nic.drops',
  'north_south.ingress_mbps',
  'north_south.egress_mbps',
] as const;

export const families = [
  'gpu_temp',
  'memory_temp',
  'sm_clock',
  'mem_clock',
  'gpu_util',
  'tensor_active',
  'sm_active',
  'dram_active',
  'power',
  'hbm',
  'throttle_violations',
  'clock_events',
  'link_errors',
  'ecc',
  'xid',
  'host_cpu',
  'host_pressure',
  'host_nic',
  'north_south',
  'health_episodes',
] as const;

export const flagKinds = [
  'thermal_throttle',
  'power_cap',
  'utilization_collapse',
  'comm_errors',
  'host_pressure',
  'memory_pressure',
] as const;

/** Every name of a reading, in the ways in which a run may write it. */
export const readingNames: readonly string[] = [
  ...new Set([
    ...gpuFields,
    ...throttleFields.flatMap((field) => [field, `throttle.${field}`, `throttle/${field}`]),
    'throttle.clock_events.HW_SLOWDOWN',
    ...errorCounters.flatMap((field) => [field, `errors.${field}`, `errors/${field}`]),
    ...hostFields.flatMap((field) => [field, field.replace('.', '/'), field.replace('.', '_')]),
    ...families,
    ...flagKinds,
    'reference.temp_p95_c',
  ]),
];

/** What a training system reports, by its tables, and which keys the runtime puts beside each. */
export const runSeries = [
  { name: 'train/objective', keys: ['split', 'stage'] },
  { name: 'train/loss', keys: ['split', 'stage'] },
  { name: 'probe/logit-rms', keys: ['layer', 'split', 'stage'] },
  { name: 'diagnostics/grad-norm', keys: ['param', 'split', 'stage'] },
  { name: 'counter/tokens', keys: ['split', 'stage'] },
  { name: 'rate/tokens', keys: ['split', 'stage'] },
  { name: 'runtime/step_seconds', keys: ['split', 'stage'] },
  { name: 'runtime/train_seconds', keys: ['split', 'stage'] },
  { name: 'runtime/peak_bytes', keys: ['split', 'stage'] },
  { name: 'eval/loss', keys: ['pass', 'split', 'stage'] },
  { name: 'runtime/eval_seconds', keys: ['pass', 'split', 'stage'] },
  { name: 'curriculum/stage', keys: ['pass', 'split', 'stage'] },
] as const;
