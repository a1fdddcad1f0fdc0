export const vendors = ['NVIDIA', 'AMD'] as const;
export type Vendor = (typeof vendors)[number];

export const families = [
  'GPU_TEMP',
  'MEMORY_TEMP',
  'SM_CLOCK',
  'MEM_CLOCK',
  'GPU_UTIL',
  'TENSOR_ACTIVE',
  'SM_ACTIVE',
  'DRAM_ACTIVE',
  'POWER',
  'HBM',
  'THROTTLE_VIOLATIONS',
  'CLOCK_EVENTS',
  'LINK_ERRORS',
  'ECC',
  'XID',
  'HOST_CPU',
  'HOST_PRESSURE',
  'HOST_NIC',
  'NORTH_SOUTH',
  'HEALTH_EPISODES',
] as const;
/** A group of readings that a client reasons about as one. */
export type Family = (typeof families)[number];

export const checks = ['THERMAL', 'POWER', 'UTILIZATION', 'COMM', 'HOST', 'MEMORY'] as const;
export type Check = (typeof checks)[number];

export const flagKinds = [
  'THERMAL_THROTTLE',
  'POWER_CAP',
  'UTILIZATION_COLLAPSE',
  'COMM_ERRORS',
  'HOST_PRESSURE',
  'MEMORY_PRESSURE',
] as const;
/** A condition that a rule looks for. */
export type FlagKind = (typeof flagKinds)[number];

export const severities = ['WARN', 'HIGH'] as const;
export type Severity = (typeof severities)[number];

/** What a host can wait for. */
export const hostResources = ['CPU', 'MEMORY', 'IO'] as const;
export type HostResource = (typeof hostResources)[number];

/** What one GPU reading says about the device when several pods or instances share it. */
export type Sharing = 'EXCLUSIVE' | 'SHARED' | 'PARTITIONED';
export type NodeState = 'READY' | 'NOT_READY' | 'UNKNOWN';
