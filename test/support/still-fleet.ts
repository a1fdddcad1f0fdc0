import { type AmdGpu, amd, amdArray } from './fleet/amd.ts';
import { ago, HOUR, scrapes } from './fleet/clock.ts';
import { fullList } from './fleet/dcgm-lists.ts';
import { dcgm } from './fleet/dcgm.ts';
import { type Series, type Value, valueAt } from './fleet/series.ts';

/** Six hours, and what a counter needs before them. */
export const sixHours = scrapes({ from: ago(6 * HOUR + 600) });
export const inSixHours = 720;
export const gpusPerNode = 8;
export const sizes = [1, 8, 64] as const;

export const nodeNames = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at + 1}`);

/** The clusters of a fleet are named for the number of their nodes. */
export const clusterOf = (nodes: number): string => `of-${nodes}`;

/** Every metric of a GPU that has them all, standing still: what is counted here does not depend on values. */
export const everyMetric: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(fullList('still') as Readonly<Record<string, Value>>).map(([metric, value]) => [
    metric,
    valueAt(value, ago(0)),
  ]),
);

export const metricsNamed = (pattern: RegExp): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(everyMetric).filter(([metric]) => pattern.test(metric)));

/** That many nodes with eight GPUs each. */
export const stillNodes = (
  nodes: number,
  metrics: Readonly<Record<string, number>>,
  times: readonly number[] = sixHours,
): Series[] =>
  nodeNames(nodes).flatMap((node) =>
    Array.from({ length: gpusPerNode }, (_, index) => dcgm({ node, index }, times, metrics)).flat(),
  );

/** One cluster for each size, each in full. */
export const stillClusters = (metrics: Readonly<Record<string, number>>) =>
  sizes.map((nodes) => ({ name: clusterOf(nodes), series: stillNodes(nodes, metrics) }));

/** The same of AMD's making: everything that its exporter shows and the gateway reads. */
export const stillAmd = (nodes: number, times: readonly number[] = sixHours): Series[] =>
  nodeNames(nodes).flatMap((node) =>
    Array.from({ length: gpusPerNode }, (_, id) => {
      const gpu: AmdGpu = { node, id };
      const clock = (type: string, mhz: number) =>
        amdArray(gpu, times, 'gpu_clock', 'clock_index', [mhz], { clock_type: type });
      return [...amd(gpu, times, amdMetrics), ...clock('system', 2100), ...clock('memory', 1900)];
    }).flat(),
  );

const amdMetrics = {
  gpu_junction_temperature: 66,
  gpu_memory_temperature: 58,
  gpu_gfx_activity: 88,
  gpu_umc_activity: 46,
  gpu_prof_tensor_active_percent: 38,
  gpu_prof_sm_active: 71,
  gpu_package_power: 1050,
  gpu_used_vram: 247_000,
  gpu_total_vram: 294_896,
  gpu_ecc_correct_total: 2,
  gpu_ecc_deferred_total: 1,
  gpu_ecc_uncorrect_total: 0,
  pcie_replay_count: 3,
  pcie_recovery_count: 1,
};
