import { allocated } from './allocation.ts';
import { comm } from './comm-truth.ts';
import { holds } from './flag-pieces.ts';
import { flagsFrom, peak, type Target, type TrueFlag, within } from './flag-shape.ts';
import { type GpuSamples, gpusOf, isOf } from './gpu-samples.ts';
import type { Series } from './series.ts';
import { nodeEpisodes, power, thermal } from './throttle-truth.ts';
import { mean, percentile, ratesOf, type Sample, samplesOf, valuesOf } from './truth.ts';

const collapse = (all: readonly Series[], gpus: readonly GpuSamples[], gpu: GpuSamples, target: Target): TrueFlag[] => {
  const { node, window, now, own } = target;
  const counted = allocated(all, node, gpus, gpu, own);
  const inWindow = valuesOf(counted.filter(([time]) => time > window.start && time <= window.end));
  if (inWindow.length === 0) return [];
  const medianActivityPct = percentile(inWindow, 0.5);
  const pieces = holds(counted, (value) => value < medianActivityPct / 2, 10, window, now);
  return flagsFrom(target, 'UTILIZATION_COLLAPSE', gpu.index, pieces, (_stretch, from, to) => ({
    isHigh: false,
    evidence: {
      activityPct: mean(within(counted, from, to)),
      medianActivityPct,
      activityFamily: gpu.activityFamily,
    },
  }));
};

const memory = (gpu: GpuSamples, target: Target): TrueFlag[] => {
  const totals = new Map(gpu.totalGib);
  const shares = gpu.usedGib.flatMap(([time, used]): Sample[] =>
    totals.has(time) ? [[time, (100 * used) / totals.get(time)!]] : [],
  );
  const pieces = holds(shares, (value) => value >= 95, 5, target.window, target.now);
  return flagsFrom(target, 'MEMORY_PRESSURE', gpu.index, pieces, (_stretch, from, to) => ({
    isHigh: false,
    evidence: {
      peakHbmUsedGib: peak(within(gpu.usedGib, from, to)),
      hbmTotalGib: peak(within(gpu.totalGib, from, to)),
    },
  }));
};

const pressure = (all: readonly Series[], resource: 'CPU' | 'MEMORY' | 'IO', target: Target): TrueFlag[] => {
  const { node, window, now } = target;
  const metric = `node_pressure_${resource.toLowerCase()}_waiting_seconds_total`;
  const own = all.filter(({ labels }) => isOf(node, labels));
  const shares = ratesOf(samplesOf(own, metric, {}, 100));
  const pieces = holds(shares, (value) => value > 20, 5, window, now);
  return flagsFrom(target, 'HOST_PRESSURE', null, pieces, (_stretch, from, to) => ({
    isHigh: false,
    evidence: { resource, peakPressurePct: peak(within(shares, from, to)) },
  }));
};

/** Every flag that a node's samples call for. */
export const flagsOf = (all: readonly Series[], target: Target): TrueFlag[] => {
  const gpus = gpusOf(all, target.node);
  return [
    ...gpus.flatMap((gpu) => [
      ...thermal(all, gpu, target),
      ...(target.vendor === 'nvidia' ? power(gpu, target) : []),
      ...collapse(all, gpus, gpu, target),
      ...comm(gpu, target),
      ...memory(gpu, target),
    ]),
    ...nodeEpisodes(all, target),
    ...(['CPU', 'MEMORY', 'IO'] as const).flatMap((resource) => pressure(all, resource, target)),
  ];
};
