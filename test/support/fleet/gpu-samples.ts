import type { Labels, Series } from './series.ts';
import { mean, plausible, type Sample, sum, together } from './truth.ts';

/** One sample of a counter, with the board that it was counted on. */
export type Count = readonly [time: number, value: number, board: string];
/** A counter is told apart by what was counted: a kind of event, the code of a fault. */
export interface Counted {
  readonly what: string;
  readonly counts: readonly Count[];
}

/** All that the generated series say of one GPU: merged, converted, without what cannot be. */
export interface GpuSamples {
  readonly index: number;
  readonly seen: readonly number[];
  readonly tempC: readonly Sample[];
  readonly activity: readonly Sample[];
  readonly activityFamily: 'TENSOR_ACTIVE' | 'GPU_UTIL';
  readonly usedGib: readonly Sample[];
  readonly totalGib: readonly Sample[];
  /** When a series of it carried a workload's pod, by the pod's name. */
  readonly pods: ReadonlyMap<string, ReadonlySet<number>>;
  counters(metric: string, label?: string): Counted[];
}

const hostLabels = ['Hostname', 'hostname'];
export const isOf = (node: string, labels: Labels): boolean =>
  hostLabels.some((label) => labels[label] === node) || labels['instance']?.replace(/:\d+$/, '') === node;

const podOf = (labels: Labels): string | undefined =>
  labels['exported_pod'] ?? (labels['job'] === 'nvidia-dcgm-exporter' ? undefined : labels['pod']);
const instanceOf = (labels: Labels): string => labels['GPU_I_ID'] ?? labels['gpu_partition_id'] ?? '';

/** No counter of the corpus comes near the first; the others are the 32-bit and the 64-bit blanks. */
const isBlank = (value: number): boolean =>
  value >= 9e18 || (value >= 2_147_483_632 && value <= 2_147_483_635) || value === 4_294_967_295;

/** At each instant the device's own series, else any pod's: they say the same. */
const merged = (all: readonly Series[]): Sample[] => {
  const found = new Map<number, number>();
  const ordered = all.toSorted((a, b) => Number(!podOf(a.labels)) - Number(!podOf(b.labels)));
  for (const { times, values } of ordered) times.forEach((time, at) => found.set(time, values[at]!));
  return [...found].sort(([a], [b]) => a - b);
};

const gpuOf = (all: readonly Series[], index: number): GpuSamples => {
  const named = (...names: string[]): Series[] => {
    const name = names.find((one) => all.some(({ labels }) => labels['__name__'] === one));
    return all.filter(({ labels }) => labels['__name__'] === name);
  };
  const scaled = (samples: readonly Sample[], scale: number): Sample[] =>
    samples.map(([time, value]): Sample => [time, value * scale]);
  const byInstance = (series: readonly Series[], low: number, high: number, scale: number): Sample[][] =>
    [...Map.groupBy(series, ({ labels }) => instanceOf(labels)).values()].map((one) =>
      scaled(plausible(merged(one), low, high), scale),
    );
  const board = (names: string[], low: number, high: number): Sample[] => plausible(merged(named(...names)), low, high);
  const mib = (...names: string[]): Sample[] => together(byInstance(named(...names), 0, 10_000_000, 1 / 1024), sum);

  const tensorNv = byInstance(named('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE'), 0, 1.01, 100);
  const tensorAmd = byInstance(named('amd_gpu_prof_tensor_active_percent'), 0, 101, 1);
  const tensor = together([...tensorNv, ...tensorAmd], mean);
  const util = together(byInstance(named('DCGM_FI_DEV_GPU_UTIL', 'amd_gpu_gfx_activity'), 0, 101, 1), mean);
  const whole = mib('DCGM_FI_DEV_FB_TOTAL', 'amd_gpu_total_vram');
  const free = mib('DCGM_FI_DEV_FB_FREE');
  const parts = free.length === 0 ? [] : [mib('DCGM_FI_DEV_FB_USED'), free, mib('DCGM_FI_DEV_FB_RESERVED')];

  const pods = new Map<string, Set<number>>();
  for (const { labels, times } of all) {
    const pod = podOf(labels);
    if (pod !== undefined) pods.set(pod, new Set([...(pods.get(pod) ?? []), ...times]));
  }
  return {
    index,
    seen: [...new Set(all.flatMap(({ times }) => times))].sort((a, b) => a - b),
    tempC: board(
      [
        'DCGM_FI_DEV_GPU_TEMP',
        'DCGM_FI_DEV_GPU_TEMP_CELSIUS',
        'amd_gpu_junction_temperature',
        'amd_gpu_edge_temperature',
      ],
      1,
      130,
    ),
    activity: tensor.length > 0 ? tensor : util,
    activityFamily: tensor.length > 0 ? 'TENSOR_ACTIVE' : 'GPU_UTIL',
    usedGib: mib('DCGM_FI_DEV_FB_USED', 'amd_gpu_used_vram'),
    totalGib: whole.length > 0 ? whole : together(parts, sum),
    pods,
    counters: (metric, label) => {
      // Two exporters count from different starts: one of them is enough.
      const series = named(metric);
      const replica = series.find(({ labels }) => labels['replica_of'] !== undefined)?.labels['replica_of'];
      const one = series.filter(({ labels }) => labels['replica_of'] === replica);
      return [...Map.groupBy(one, ({ labels }) => (label === undefined ? '' : (labels[label] ?? '')))].map(
        ([what, lives]) => {
          const found = new Map<number, Count>();
          for (const { labels, times, values } of lives) {
            times.forEach((time, at) => {
              const value = values[at]!;
              if (!isBlank(value)) found.set(time, [time, value, labels['UUID'] ?? labels['serial_number'] ?? '']);
            });
          }
          return { what, counts: [...found.values()].sort(([a], [b]) => a - b) };
        },
      );
    },
  };
};

/** A node's GPUs: on NVIDIA by index, on AMD by serial number, numbered by the lowest id. */
export const gpusOf = (all: readonly Series[], node: string): GpuSamples[] => {
  const own = all.filter(({ labels }) => isOf(node, labels) && !labels['__name__']!.startsWith('ALERTS'));
  const nvidia = Map.groupBy(
    own.filter(({ labels }) => labels['gpu'] !== undefined),
    ({ labels }) => labels['gpu']!,
  );
  const amd = Map.groupBy(
    own.filter(({ labels }) => labels['gpu_id'] !== undefined),
    ({ labels }) => labels['serial_number'] ?? labels['gpu_id']!,
  );
  return [
    ...[...nvidia].map(([index, series]) => gpuOf(series, Number(index))),
    ...[...amd.values()].map((series) =>
      gpuOf(series, Math.min(...series.map(({ labels }) => Number(labels['gpu_id'])))),
    ),
  ].sort((a, b) => a.index - b.index);
};
