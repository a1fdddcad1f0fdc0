import { type Labels, type Series, series, type Value } from './series.ts';
import { around } from './wobble.ts';

export interface AmdGpu {
  readonly node: string;
  readonly id?: number;
  /** Empty in a guest too: then `gpu_id` is all there is. */
  readonly serial?: string;
  /** The partition's number inside its physical GPU. */
  readonly partition?: number;
  readonly mode?: 'spx' | 'dpx' | 'cpx';
  readonly prefix?: 'amd_' | '';
  /** Empty in a guest. */
  readonly model?: string;
  readonly pod?: string;
  readonly extra?: Labels;
}

export const MI355X = 'AMD Instinct MI355X';

export const amdLabels = (gpu: AmdGpu): Labels => {
  const { node, id = 0, mode = 'spx', partition = 0, model = MI355X } = gpu;
  const serial = gpu.serial ?? `SN-${node}-${id}`;
  return {
    instance: `${node}:5000`,
    job: 'device-metrics-exporter',
    hostname: node,
    gpu_id: String(id),
    gpu_partition_id: String(partition),
    gpu_compute_partition_type: mode,
    gpu_memory_partition_type: 'nps1',
    deployment_mode: 'container',
    ...(model === '' ? {} : { card_model: model }),
    ...(serial === '' ? {} : { serial_number: serial }),
    ...(gpu.pod === undefined ? {} : { pod: gpu.pod, namespace: 'default', container: 'main' }),
    ...gpu.extra,
  };
};

/** One GPU's (or partition's) series, a name without prefix to its value. */
export const amd = (gpu: AmdGpu, times: readonly number[], readings: Readonly<Record<string, Value>>): Series[] =>
  Object.entries(readings).map(([name, value]) =>
    series(`${gpu.prefix ?? 'amd_'}${name}`, amdLabels(gpu), times, value),
  );

/** One array metric: a value per index, each its own series. */
export const amdArray = (
  gpu: AmdGpu,
  times: readonly number[],
  name: string,
  index: string,
  values: readonly Value[],
  extra: Labels = {},
): Series[] =>
  values.flatMap((value, at) =>
    amd({ ...gpu, extra: { ...gpu.extra, ...extra, [index]: String(at) } }, times, { [name]: value }),
  );

/** Everything that the current exporter shows of an MI355X at work, profiler on. */
export const fullAmd = (gpu: AmdGpu, times: readonly number[]): Series[] => {
  const key = `${gpu.node}/${gpu.id ?? 0}`;
  return [
    ...amd(gpu, times, {
      gpu_junction_temperature: around(`${key} temp`, 66, 9),
      gpu_memory_temperature: around(`${key} memtemp`, 58, 5),
      gpu_gfx_activity: around(`${key} util`, 88, 11),
      gpu_umc_activity: around(`${key} umc`, 46, 20),
      gpu_prof_tensor_active_percent: around(`${key} tensor`, 38, 30, 3),
      gpu_prof_sm_active: around(`${key} sm`, 71, 25, 3),
      gpu_package_power: around(`${key} power`, 1050, 180),
      gpu_used_vram: around(`${key} vram`, 247_000, 3000),
      gpu_total_vram: 294_896,
      gpu_ecc_correct_total: 2,
      gpu_ecc_deferred_total: 1,
      gpu_ecc_uncorrect_total: 0,
      pcie_replay_count: 3,
      pcie_recovery_count: 1,
    }),
    ...amdArray(
      gpu,
      times,
      'gpu_clock',
      'clock_index',
      [0, 1, 2, 3].map((xcc) => around(`${key} xcc${xcc}`, 2100 + 20 * xcc, 120)),
      { clock_type: 'system' },
    ),
    ...amdArray(gpu, times, 'gpu_clock', 'clock_index', [around(`${key} mclk`, 1900, 30)], { clock_type: 'memory' }),
  ];
};
