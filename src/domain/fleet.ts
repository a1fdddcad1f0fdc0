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

/** What one GPU reading says about the device when several pods or instances share it. */
export type Sharing = 'EXCLUSIVE' | 'SHARED' | 'PARTITIONED';
export type NodeState = 'READY' | 'NOT_READY' | 'UNKNOWN';
