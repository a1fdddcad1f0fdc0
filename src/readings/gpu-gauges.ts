import { amd, names } from './names.ts';
import type { GaugeReading } from './reading.ts';

const mib = 1 / 1024;
// An exporter prints a fraction to six digits, so a full load may read a hair above 100.
const percent = { unit: 'percent', plausible: [0, 101] } as const;

/** What a GPU reads at each scrape, by field name. `hbmFree` and `hbmReserved` have no field: they make the total where nothing reports it. */
export const gpuGauges = {
  tempC: {
    family: 'GPU_TEMP',
    unit: '°C',
    describe: 'GPU temperature',
    plausible: [1, 130],
    across: 'same',
    from: {
      NVIDIA: names(['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_GPU_TEMP_CELSIUS', 'dcgm_gpu_temp']),
      AMD: [...amd('gpu_junction_temperature'), ...amd('gpu_edge_temperature', 1, 1)],
    },
  },
  memoryTempC: {
    family: 'MEMORY_TEMP',
    unit: '°C',
    describe: 'GPU memory temperature',
    // A board without the sensor prints 0.
    plausible: [1, 130],
    across: 'same',
    from: {
      NVIDIA: names(['DCGM_FI_DEV_MEMORY_TEMP', 'DCGM_FI_DEV_MEMORY_TEMP_CELSIUS', 'dcgm_memory_temp']),
      AMD: [...amd('gpu_memory_temperature'), ...amd('gpu_hbm_temperature', 1, 1)],
    },
  },
  smClockMhz: {
    family: 'SM_CLOCK',
    unit: 'MHz',
    describe: 'Core (SM, GFX) clock',
    plausible: [0, 10_000],
    across: 'same',
    from: {
      NVIDIA: [...names(['DCGM_FI_DEV_SM_CLOCK', 'dcgm_sm_clock']), ...names(['DCGM_FI_DEV_SM_CLOCK_HERTZ'], 1e-6)],
      AMD: amd('gpu_clock', 1, 0, {
        match: [{ label: 'clock_type', op: '=~', value: 'system|GPU_CLOCK_TYPE_SYSTEM' }],
      }),
    },
  },
  memClockMhz: {
    family: 'MEM_CLOCK',
    unit: 'MHz',
    describe: 'Memory clock',
    plausible: [0, 10_000],
    across: 'same',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_MEM_CLOCK', 'dcgm_memory_clock']),
        ...names(['DCGM_FI_DEV_MEMORY_CLOCK_HERTZ'], 1e-6),
      ],
      AMD: amd('gpu_clock', 1, 0, {
        match: [{ label: 'clock_type', op: '=~', value: 'memory|GPU_CLOCK_TYPE_MEMORY' }],
      }),
    },
  },
  utilPct: {
    family: 'GPU_UTIL',
    ...percent,
    describe: 'Share of time in which some kernel ran on the GPU',
    across: 'mean',
    from: {
      NVIDIA: [
        ...names(['DCGM_FI_DEV_GPU_UTIL', 'dcgm_gpu_utilization']),
        ...names(['DCGM_FI_DEV_GPU_UTIL_RATIO'], 1, 0, { ratioOrPercent: true }),
      ],
      AMD: amd('gpu_gfx_activity'),
    },
  },
  smActivePct: {
    family: 'SM_ACTIVE',
    ...percent,
    describe: 'How busy the cores (SMs) were',
    across: 'mean',
    from: {
      NVIDIA: names(['DCGM_FI_PROF_SM_ACTIVE', 'DCGM_FI_PROF_SM_UTIL_RATIO'], 100),
      AMD: amd('gpu_prof_sm_active'),
    },
  },
  dramActivePct: {
    family: 'DRAM_ACTIVE',
    ...percent,
    describe: 'How busy the GPU memory interface was',
    across: 'mean',
    from: {
      NVIDIA: names(['DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_PROF_DRAM_UTIL_RATIO'], 100),
      AMD: amd('gpu_umc_activity'),
    },
  },
  tensorActivePct: {
    family: 'TENSOR_ACTIVE',
    ...percent,
    describe: 'Tensor core activity, the reading that follows training work',
    across: 'mean',
    from: {
      NVIDIA: names(['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 'DCGM_FI_PROF_TENSOR_UTIL_RATIO'], 100),
      AMD: amd('gpu_prof_tensor_active_percent'),
    },
  },
  powerW: {
    family: 'POWER',
    unit: 'W',
    describe: 'Power draw of the board',
    zeroOnParts: 'unmeasured',
    plausible: [0, 5_000],
    across: 'same',
    from: {
      NVIDIA: names(['DCGM_FI_DEV_POWER_USAGE', 'DCGM_FI_DEV_BOARD_POWER_WATTS', 'dcgm_power_usage']),
      AMD: [...amd('gpu_package_power'), ...amd('gpu_average_package_power', 1, 1), ...amd('gpu_power_usage', 1, 2)],
    },
  },
  hbmUsedGib: {
    family: 'HBM',
    unit: 'GiB',
    describe: 'GPU memory in use',
    plausible: [0, 2_048],
    across: 'sum',
    from: { NVIDIA: names(['DCGM_FI_DEV_FB_USED', 'dcgm_fb_used'], mib), AMD: amd('gpu_used_vram', mib) },
  },
  hbmTotalGib: {
    family: 'HBM',
    unit: 'GiB',
    describe: 'GPU memory in all',
    plausible: [0.01, 2_048],
    across: 'sum',
    from: {
      NVIDIA: [...names(['DCGM_FI_DEV_FB_TOTAL'], mib), ...names(['DCGM_FI_DEV_FB_CAPACITY_BYTES'], mib ** 3)],
      AMD: amd('gpu_total_vram', mib),
    },
  },
  hbmFreeGib: {
    family: 'HBM',
    unit: 'GiB',
    describe: 'GPU memory that is free',
    plausible: [0, 2_048],
    across: 'sum',
    from: { NVIDIA: names(['DCGM_FI_DEV_FB_FREE', 'dcgm_fb_free'], mib), AMD: amd('gpu_free_vram', mib) },
  },
  hbmReservedGib: {
    family: 'HBM',
    unit: 'GiB',
    describe: 'GPU memory that the driver keeps for itself',
    plausible: [0, 2_048],
    across: 'sum',
    from: { NVIDIA: names(['DCGM_FI_DEV_FB_RESERVED'], mib) },
  },
} as const satisfies Record<string, GaugeReading>;

export type GpuGauge = keyof typeof gpuGauges;
