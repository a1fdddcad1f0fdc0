import { amd, names } from './names.ts';
import type { CounterReading } from './reading.ts';

const ns = 1e-9;
const throttle = { family: 'THROTTLE_VIOLATIONS', unit: 's' } as const;
const link = { family: 'LINK_ERRORS', unit: 'count' } as const;
const ecc = { family: 'ECC', unit: 'count' } as const;

// The reasons' own timers, in nanoseconds too, stand in where the violation timers are not exported; several add up.
const reasons = (...causes: readonly string[]) =>
  causes.flatMap((part) => names([`DCGM_FI_DEV_CLOCKS_EVENT_REASON_${part}_NS`], ns, 1, { part }));

/** What a GPU counts, by field name. Help texts of the violation timers say microseconds; the values are nanoseconds. */
export const gpuCounters = {
  thermalS: {
    ...throttle,
    describe: 'Time throttled by temperature',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_THERMAL_VIOLATION', 'dcgm_thermal_violation'], ns),
        ...reasons('SW_THERM_SLOWDOWN', 'HW_THERM_SLOWDOWN'),
      ],
    },
  },
  powerS: {
    ...throttle,
    describe: 'Time throttled by the power limit',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_POWER_VIOLATION', 'dcgm_power_violation'], ns),
        ...reasons('SW_POWER_CAP', 'HW_POWER_BRAKE_SLOWDOWN'),
      ],
    },
  },
  boardLimitS: {
    ...throttle,
    describe: 'Time throttled by the board limit',
    from: { NVIDIA: names(['DCGM_FI_DEV_BOARD_LIMIT_VIOLATION', 'dcgm_board_limit_violation'], ns) },
  },
  syncBoostS: {
    ...throttle,
    describe: 'Time held back to keep step with other GPUs',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_SYNC_BOOST_VIOLATION', 'dcgm_sync_boost_violation'], ns),
        ...reasons('SYNC_BOOST'),
      ],
    },
  },
  lowUtilS: {
    ...throttle,
    describe: 'Time at low clocks for want of work; it grows on an idle GPU and is no fault',
    from: { NVIDIA: names(['DCGM_FI_DEV_LOW_UTIL_VIOLATION', 'dcgm_low_util_violation'], ns) },
  },
  reliabilityS: {
    ...throttle,
    describe: 'Time throttled by the reliability limit',
    from: { NVIDIA: names(['DCGM_FI_DEV_RELIABILITY_VIOLATION', 'dcgm_reliability_violation'], ns) },
  },
  linkCrc: {
    ...link,
    describe: 'NVLink CRC errors, flits and data (NVLink 5: packets received with errors)',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL'], 1, 0, {
          part: 'flit',
        }),
        ...names(['DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_TOTAL'], 1, 0, {
          part: 'data',
        }),
        ...names(['DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS'], 1, 1),
      ],
    },
  },
  linkReplay: {
    ...link,
    describe: 'NVLink replays',
    from: {
      NVIDIA: names(['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL']),
    },
  },
  linkRecovery: {
    ...link,
    describe: 'NVLink recoveries',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL']),
        ...names(['DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS', 'DCGM_FI_DEV_NVLINK_RECOVERY_EVENT_TOTAL'], 1, 1),
      ],
    },
  },
  pcieReplay: {
    ...link,
    describe: 'PCIe replays',
    from: {
      NVIDIA: names(['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 'DCGM_FI_DEV_PCIE_REPLAY_TOTAL', 'dcgm_pcie_replay_counter']),
      AMD: amd('pcie_replay_count'),
    },
  },
  pcieRecovery: {
    ...link,
    describe: 'PCIe link recoveries',
    from: { AMD: amd('pcie_recovery_count') },
  },
  eccSbe: {
    ...ecc,
    describe: 'Memory errors that ECC corrected (AMD: and deferred ones)',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', 'dcgm_ecc_sbe_volatile_total']),
        ...names(['DCGM_FI_DEV_ECC_SBE_AGG_TOTAL', 'dcgm_ecc_sbe_aggregate_total'], 1, 1, { lifelong: true }),
      ],
      AMD: [
        ...amd('gpu_ecc_correct_total', 1, 0, { part: 'corrected' }),
        ...amd('gpu_ecc_deferred_total', 1, 0, { part: 'deferred' }),
      ],
    },
  },
  eccDbe: {
    ...ecc,
    describe: 'Memory errors that ECC could not correct',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', 'dcgm_ecc_dbe_volatile_total']),
        ...names(['DCGM_FI_DEV_ECC_DBE_AGG_TOTAL', 'dcgm_ecc_dbe_aggregate_total'], 1, 1, { lifelong: true }),
      ],
      AMD: amd('gpu_ecc_uncorrect_total'),
    },
  },
} as const satisfies Record<string, CounterReading>;

export type GpuCounter = keyof typeof gpuCounters;

/** Things that happen, each with a code or a kind: a counter per code, else a gauge that keeps showing the last one. */
export const gpuEvents = {
  xid: {
    family: 'XID',
    unit: 'count',
    describe: 'GPU fault (XID) events',
    codeLabel: 'xid',
    plausible: [0, 65_534],
    from: {
      NVIDIA: [
        ...names(['DCGM_EXP_XID_ERRORS_TOTAL']),
        ...names(['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR', 'dcgm_xid_errors'], 1, 1, {
          events: 'sticky-code',
        }),
        ...names(['DCGM_EXP_XID_ERRORS_COUNT'], 1, 2, { events: 'sliding-count' }),
      ],
    },
  },
  clockEvents: {
    family: 'CLOCK_EVENTS',
    unit: 'count',
    describe: 'Clock events by kind',
    codeLabel: 'clock_event',
    plausible: [0, 65_534],
    from: {
      NVIDIA: [
        ...names(['DCGM_EXP_CLOCK_EVENTS_TOTAL']),
        ...names(['DCGM_FI_DEV_CLOCKS_EVENT_REASONS', 'DCGM_FI_DEV_CLOCK_THROTTLE_REASONS'], 1, 1, {
          events: 'bitmask',
        }),
        ...names(['DCGM_EXP_CLOCK_EVENTS_COUNT'], 1, 2, { events: 'sliding-count' }),
      ],
    },
  },
} as const satisfies Record<string, CounterReading & { codeLabel: string; plausible: readonly [number, number] }>;

export type GpuEvents = keyof typeof gpuEvents;

/** DCGM's bits of the clock event reasons, lowest first, in the words of its event counter. */
export const clockEventBits = [
  'GPU_IDLE',
  'CLOCKS_SETTING',
  'POWER_CAP',
  'HW_SLOWDOWN',
  'SYNC_BOOST',
  'SW_THERMAL',
  'HW_THERMAL',
  'HW_POWER_BRAKE',
  'DISPLAY_CLOCKS',
] as const;
