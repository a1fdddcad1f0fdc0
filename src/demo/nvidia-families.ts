import { boards } from './fleet.ts';
import { clockEvents, reasonBits } from './clock-events.ts';
import { risen, sinceDriverLoad, throttledS } from './gpu-counters.ts';
import type { Moment } from './gpu-physics.ts';
import type { DemoGpu, GpuFamily } from './gpu-streams.ts';
import { elapsed } from './shapes.ts';

const { totalMib, reservedMib } = boards.nvidia;
const share = (value: number) => Math.round(value * 1e6) / 1e6;
const usedMib = ({ memory }: Moment) => Math.round(memory * totalMib) + 4;

const gauge = (name: string, read: GpuFamily['read']): GpuFamily => ({ name, type: 'gauge', read });
const counter = (name: string, read: GpuFamily['read']): GpuFamily => ({ name, type: 'counter', read });

/** A timer in nanoseconds; `spent` is what this demo added, in seconds. */
const timer = (cause: string, belowS: number, spent: (gpu: DemoGpu, at: number) => number): GpuFamily =>
  counter(`DCGM_FI_DEV_${cause}_VIOLATION`, (_, gpu, at) => {
    const before = { name: `${gpu.name}/${cause}`, below: belowS };
    return Math.round(1e9 * sinceDriverLoad(gpu.node, before, (at) => spent(gpu, at), at));
  });

const errors = (name: string, below: number, more: (gpu: DemoGpu, at: number) => number = () => 0): GpuFamily =>
  counter(name, (_, gpu, at) =>
    sinceDriverLoad(gpu.node, { name: `${gpu.name}/${name}`, below }, (at) => more(gpu, at), at),
  );

/** Seconds without a tenant, of the last 30 days before the demo and since. */
const idleS = ({ tenancies }: DemoGpu, at: number) =>
  tenancies
    .filter(({ profile }) => profile === null)
    .reduce((seconds, { from, to }) => seconds + elapsed(at, Math.max(from, -30 * 86_400), to), 0);

const xidOf = ({ incidents }: DemoGpu) => incidents.find((incident) => incident.kind === 'xid');

/** What the shared pool shows. */
export const nvidiaPoolFamilies: readonly GpuFamily[] = [
  gauge('DCGM_FI_DEV_GPU_TEMP', ({ tempC }) => Math.round(tempC)),
  gauge('DCGM_FI_DEV_MEMORY_TEMP', ({ memoryTempC }) => Math.round(memoryTempC)),
  gauge('DCGM_FI_DEV_POWER_USAGE', ({ powerW }) => Math.round(powerW * 1000) / 1000),
];

/** A custom list of fields: the shipped one with the timers, ECC, NVLink errors, SM activity and reasons turned on. */
export const nvidiaFamilies: readonly GpuFamily[] = [
  ...nvidiaPoolFamilies,
  gauge('DCGM_FI_DEV_SM_CLOCK', ({ smMhz }) => Math.round(smMhz / 15) * 15),
  gauge('DCGM_FI_DEV_MEM_CLOCK', () => 2619),
  gauge('DCGM_FI_DEV_GPU_UTIL', ({ busy }) => Math.round(busy * 100)),
  gauge('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', ({ tensor }) => share(tensor)),
  gauge('DCGM_FI_PROF_SM_ACTIVE', ({ sm }) => share(sm)),
  gauge('DCGM_FI_PROF_DRAM_ACTIVE', ({ dram }) => share(dram)),
  gauge('DCGM_FI_DEV_FB_USED', usedMib),
  gauge('DCGM_FI_DEV_FB_FREE', (moment) => totalMib - reservedMib - usedMib(moment)),
  gauge('DCGM_FI_DEV_FB_RESERVED', () => reservedMib),
  timer('POWER', 7200, ({ incidents }, at) => throttledS(incidents, 'powerCap', at)),
  timer('THERMAL', 90, ({ incidents }, at) => throttledS(incidents, 'thermalHold', at)),
  timer('SYNC_BOOST', 1, () => 0),
  timer('BOARD_LIMIT', 1, () => 0),
  timer('LOW_UTIL', 40_000, idleS),
  timer('RELIABILITY', 1, () => 0),
  gauge('DCGM_FI_DEV_CLOCKS_EVENT_REASONS', (_, gpu, at) => reasonBits(gpu, at)),
  ...clockEvents,
  {
    ...gauge('DCGM_FI_DEV_XID_ERRORS', (_, gpu) => xidOf(gpu)?.code ?? 0),
    labels: (gpu) => ({ err_code: String(xidOf(gpu)?.code ?? 0), err_msg: xidOf(gpu)?.message ?? 'No Error' }),
    born: (gpu) => xidOf(gpu)?.from ?? Infinity,
  },
  errors('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 4, ({ incidents }, at) => risen(incidents, 'pcieReplay', at)),
  errors('DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', 6, ({ incidents }, at) => risen(incidents, 'eccCorrectable', at)),
  errors('DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', 1, ({ incidents }, at) => risen(incidents, 'eccUncorrectable', at)),
  errors('DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 9),
  errors('DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL', 3),
  errors('DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 3),
  errors('DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL', 1),
];
