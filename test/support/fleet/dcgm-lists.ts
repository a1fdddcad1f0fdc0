import type { Value } from './series.ts';
import { around } from './wobble.ts';

type Readings = Readonly<Record<string, Value>>;

/** What the exporter's own list carries (no violations, no ECC, no SM_ACTIVE, no FB_TOTAL), for a GPU at work. */
export const stockList = (key: string): Readings => {
  const used = around(`${key} fb`, 61_000, 4000);
  return {
    DCGM_FI_DEV_GPU_TEMP: around(`${key} temp`, 64, 9),
    DCGM_FI_DEV_MEMORY_TEMP: around(`${key} memtemp`, 71, 6),
    DCGM_FI_DEV_SM_CLOCK: around(`${key} smclock`, 1755, 90),
    DCGM_FI_DEV_MEM_CLOCK: around(`${key} memclock`, 2619, 4),
    DCGM_FI_DEV_GPU_UTIL: around(`${key} util`, 84, 15),
    DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: around(`${key} tensor`, 0.41, 0.3, 6),
    DCGM_FI_PROF_DRAM_ACTIVE: around(`${key} dram`, 0.35, 0.2, 6),
    DCGM_FI_DEV_POWER_USAGE: around(`${key} power`, 540, 120, 3),
    DCGM_FI_DEV_FB_USED: used,
    DCGM_FI_DEV_FB_FREE: (time) => 81_559 - 450 - used(time),
    DCGM_FI_DEV_FB_RESERVED: 450,
    DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 4,
  };
};

/** What a site gets that switched everything on. */
export const fullList = (key: string): Readings => ({
  ...stockList(key),
  DCGM_FI_PROF_SM_ACTIVE: around(`${key} sm`, 0.62, 0.3, 6),
  DCGM_FI_DEV_FB_TOTAL: 81_559,
  DCGM_FI_DEV_THERMAL_VIOLATION: 7_000_000_000,
  DCGM_FI_DEV_POWER_VIOLATION: 91_500_000_000,
  DCGM_FI_DEV_BOARD_LIMIT_VIOLATION: 0,
  DCGM_FI_DEV_SYNC_BOOST_VIOLATION: 0,
  DCGM_FI_DEV_LOW_UTIL_VIOLATION: 0,
  DCGM_FI_DEV_RELIABILITY_VIOLATION: 0,
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 0,
  DCGM_FI_DEV_XID_ERRORS: 0,
  DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: 0,
  DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL: 0,
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: 0,
  DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 0,
});
