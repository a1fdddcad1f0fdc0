import { other, telling, type Detail } from './detail.ts';
import type { EpisodesFragment, NodeBlockFragment } from './generated/graphql.ts';
import { lower } from './names.ts';

type GraphGpu = NonNullable<NodeBlockFragment['gpus']>[number];

/** One node's readings; `gpus` and `host` are null where they did not answer. */
export const nodeBlock = (node: NodeBlockFragment, detail: Detail, isShown: (gpu: number) => boolean = () => true) => ({
  gpus: node.gpus && gpusOf(node.gpus, detail, isShown),
  host: hostOf(node.host, detail),
  health_episodes: episodesOf(node),
});

export const episodesOf = ({ healthEpisodes }: EpisodesFragment) =>
  healthEpisodes &&
  healthEpisodes.map(({ kind, started, ended, detail }) => ({ kind: lower(kind), started, ended, detail }));

const gpusOf = (gpus: readonly GraphGpu[], detail: Detail, isShown: (gpu: number) => boolean) =>
  Object.fromEntries(gpus.filter(({ index }) => isShown(index)).map((gpu) => [gpu.index, gpuOf(gpu, detail)]));

const gpuOf = ({ throttle, errors, ...gpu }: GraphGpu, detail: Detail) => ({
  temp_c: telling(gpu.tempC, detail),
  peak_temp_c: gpu.peakTempC,
  memory_temp_c: other(gpu.memoryTempC, detail),
  sm_clock_mhz: other(gpu.smClockMhz, detail),
  mem_clock_mhz: other(gpu.memClockMhz, detail),
  util_pct: other(gpu.utilPct, detail),
  sm_active_pct: other(gpu.smActivePct, detail),
  dram_active_pct: other(gpu.dramActivePct, detail),
  tensor_active_pct: telling(gpu.tensorActivePct, detail),
  power_w: telling(gpu.powerW, detail),
  hbm_used_gib: other(gpu.hbmUsedGib, detail),
  hbm_total_gib: gpu.hbmTotalGib,
  throttle: {
    thermal_s: throttle.thermalS,
    power_s: throttle.powerS,
    board_limit_s: throttle.boardLimitS,
    sync_boost_s: throttle.syncBoostS,
    low_util_s: throttle.lowUtilS,
    reliability_s: throttle.reliabilityS,
    clock_events: countsOf(throttle.clockEvents),
  },
  errors: {
    link_crc: errors.linkCrc,
    link_replay: errors.linkReplay,
    link_recovery: errors.linkRecovery,
    pcie_replay: errors.pcieReplay,
    pcie_recovery: errors.pcieRecovery,
    ecc_sbe: errors.eccSbe,
    ecc_dbe: errors.eccDbe,
    xid: errors.xid,
  },
});

const hostOf = ({ cpuBusyPct, loadPerCore, pressure, nic, northSouth }: NodeBlockFragment['host'], detail: Detail) => ({
  cpu_busy_pct: other(cpuBusyPct, detail),
  load_per_core: other(loadPerCore, detail),
  pressure: {
    cpu: other(pressure.cpu, detail),
    memory: other(pressure.memory, detail),
    io: other(pressure.io, detail),
  },
  nic: {
    rx_mbps: other(nic.rxMbps, detail),
    tx_mbps: other(nic.txMbps, detail),
    errors: nic.errors,
    drops: nic.drops,
  },
  north_south: {
    ingress_mbps: other(northSouth.ingressMbps, detail),
    egress_mbps: other(northSouth.egressMbps, detail),
  },
});

/** `{ HW_SLOWDOWN: 2 }` */
export const countsOf = (events: readonly { kind: string; count: number }[] | null) =>
  events && Object.fromEntries(events.map(({ kind, count }) => [kind, count]));
