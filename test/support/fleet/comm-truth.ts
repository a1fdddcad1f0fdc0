import { newCodes, type Piece, rises } from './flag-pieces.ts';
import { amountOf, flagsFrom, type Target, type TrueFlag } from './flag-shape.ts';
import type { GpuSamples } from './gpu-samples.ts';
import type { Window } from './truth.ts';

const counters: readonly (readonly [field: string, nvidia: readonly string[], amd: readonly string[]])[] = [
  ['linkCrc', ['DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL'], []],
  ['linkReplay', ['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL'], []],
  ['linkRecovery', ['DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL'], []],
  ['pcieReplay', ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER'], ['amd_pcie_replay_count']],
  ['pcieRecovery', [], ['amd_pcie_recovery_count']],
  ['eccDbe', ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL'], ['amd_gpu_ecc_uncorrect_total']],
];

const faults = (gpu: GpuSamples, window: Window): Piece[] => {
  const totals = gpu.counters('DCGM_EXP_XID_ERRORS_TOTAL', 'xid');
  const events =
    totals.length > 0
      ? totals.flatMap(({ what, counts }) => rises(counts, gpu.seen, window).map((rise) => ({ ...rise, what })))
      : gpu.counters('DCGM_FI_DEV_XID_ERRORS').flatMap(({ counts }) => newCodes(counts, gpu.seen, window));
  return events.map((event) => ({ ...event, held: true, field: 'xid' }));
};

export const comm = (gpu: GpuSamples, target: Target): TrueFlag[] => {
  const { window, vendor } = target;
  const pieces = counters.flatMap(([field, nvidia, amd]) =>
    (vendor === 'nvidia' ? nvidia : amd)
      .flatMap((metric) => gpu.counters(metric))
      .flatMap(({ counts }) => rises(counts, gpu.seen, window))
      .map((rise): Piece => ({ ...rise, held: false, field })),
  );
  // What a board has kept for its life says nothing about when, but where it grows it does.
  const hasVolatile = gpu.counters('DCGM_FI_DEV_ECC_DBE_VOL_TOTAL').length > 0;
  const kept = hasVolatile ? [] : gpu.counters('DCGM_FI_DEV_ECC_DBE_AGG_TOTAL');
  const lifelong = kept
    .flatMap(({ counts }) => rises(counts, gpu.seen, window, true))
    .map((rise): Piece => ({ ...rise, held: false, field: 'eccDbe' }));
  const found = vendor === 'nvidia' ? faults(gpu, window) : [];
  return flagsFrom(target, 'COMM_ERRORS', gpu.index, [...pieces, ...lifelong, ...found], (stretch) => {
    const codes = new Set(stretch.filter(({ field }) => field === 'xid').map(({ what }) => Number(what)));
    const rose = Object.fromEntries([...counters.map(([field]) => field), 'xid'].map((f) => [f, amountOf(stretch, f)]));
    return {
      isHigh: stretch.some(({ field }) => field === 'eccDbe' || field === 'xid'),
      evidence: { ...rose, xidCodes: codes.size === 0 ? null : [...codes].sort((a, b) => a - b) },
    };
  });
};
