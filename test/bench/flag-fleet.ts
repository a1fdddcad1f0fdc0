import type { LoadedSeries } from '../../src/embedded/store.ts';
import type { Labels } from '../../src/domain/series.ts';
import { dcgmLabels } from '../support/fleet/dcgm.ts';
import { nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { machineCounter } from '../support/fleet/node-exporter.ts';
import { fraction } from '../support/fleet/wobble.ts';
import { faultOfGpu, faultOfHost, serialOf, withFault } from './flag-faults.ts';
import { gpusPerNode, nodeName, scrapeS } from './fleet.ts';

/**
 * Clusters of the same nodes. They share every series that is the same in them, and each series carries a label for
 * every cluster it belongs to: a second cluster costs the series that differ, not a second load.
 *
 * - `healthy`: at work, and nothing breaks a rule
 * - `faulty`: one GPU in a hundred and one host in a hundred have had a fault
 * - `half`: the first half of the nodes of `healthy`
 * - `strained`: as healthy, but as busy fleets are: the power timer creeps, power capping comes and goes, and jobs stop
 *   for a checkpoint of two minutes every two hours. Nothing lasts as long as a rule asks.
 */
export type Variant = 'healthy' | 'faulty' | 'half' | 'strained';

export interface FlagFleet {
  readonly nodes: number;
  readonly variants: readonly Variant[];
  /** Samples lie in `(end - spanS, end]`. */
  readonly end: number;
  readonly spanS: number;
}

/** What a cluster's series carry. */
export const labelOf = (variant: Variant): string => `in_${variant}`;
export const matchOf = (variant: Variant): Record<string, string> => ({ [labelOf(variant)]: 'yes' });

const totalMib = 81_559;

/** Makes the values at `times`; one series' differ from the next's by `seed`. */
type Make = (seed: number, times: Float64Array) => Float64Array;

const ofGpu: Readonly<Record<string, Make>> = {
  DCGM_FI_DEV_GPU_TEMP: wander(55, 78, 0),
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: wander(0.3, 0.6, 6),
  DCGM_FI_DEV_FB_USED: wander(56_000, 58_200, 0, 20),
  DCGM_FI_DEV_FB_TOTAL: constant(totalMib),
  DCGM_FI_DEV_THERMAL_VIOLATION: constant(7_000_000_000),
  DCGM_FI_DEV_POWER_VIOLATION: constant(91_500_000_000),
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: constant(0),
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: constant(4),
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: constant(1),
  DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: constant(2),
  DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL: constant(3),
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: constant(5),
  DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: constant(1),
  DCGM_FI_DEV_XID_ERRORS: constant(0),
};

const strained: Readonly<Record<string, Make>> = {
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: checkpoints(ofGpu['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE']!),
  DCGM_FI_DEV_POWER_VIOLATION: rising(91_500_000_000, 2_000_000, 20_000_000, 0),
  // SW power cap, for some scrapes at a time.
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: (seed, times) =>
    wander(0, 2, 0, 5)(seed, times).map((value) => (value > 1 ? 4 : 0)),
};

const ofHost: Readonly<Record<string, Make>> = {
  node_load1: wander(20, 60, 2),
  node_pressure_cpu_waiting_seconds_total: rising(10_000, 0.03, 0.08, 6),
  node_pressure_memory_waiting_seconds_total: rising(100, 0, 0.005, 6),
  node_pressure_io_waiting_seconds_total: rising(5000, 0.01, 0.04, 6),
};

export const gpuMetrics = Object.keys(ofGpu);
export const hostMetrics = Object.keys(ofHost);

/** The fleet's series, made one by one as they are written. */
export function* flagFleet(fleet: FlagFleet): Generator<LoadedSeries> {
  const { nodes } = fleet;
  const has = (variant: Variant): boolean => fleet.variants.includes(variant);
  for (let node = 1; node <= nodes; node += 1) {
    const variants = fleet.variants.filter((variant) => variant !== 'half' || node <= nodes / 2);
    const name = nodeName(node);
    const [gpuTimes, hostTimes] = [scrapesOf(fleet, name, 1), scrapesOf(fleet, name, 2)];
    for (let index = 0; index < gpusPerNode; index += 1) {
      const at = serialOf(node, index);
      const labels = dcgmLabels({ node: name, index, pod: `train-${node}` });
      const fault = has('faulty') ? faultOfGpu(at) : null;
      for (const [which, [metric, make]] of Object.entries(ofGpu).entries()) {
        const seed = 1 + at * 16 + which;
        const own: Variant[] = [];
        if (fault?.metric === metric) own.push('faulty');
        if (has('strained') && strained[metric]) own.push('strained');
        const values = make(seed, gpuTimes);
        const series = { ...labels, __name__: metric };
        yield { labels: shared(series, variants, own), times: gpuTimes, values };
        for (const variant of own) {
          const others =
            variant === 'faulty' ? withFault(fault!, gpuTimes, values, fleet) : strained[metric]!(seed, gpuTimes);
          yield { labels: shared(series, [variant], []), times: gpuTimes, values: others };
        }
      }
    }
    const address = `10.20.${node >> 8}.${node & 255}`;
    const fault = has('faulty') ? faultOfHost(node) : null;
    for (const [which, [metric, make]] of Object.entries(ofHost).entries()) {
      const own: Variant[] = fault?.metric === metric ? ['faulty'] : [];
      const values = make(node * 16 + which, hostTimes);
      const { labels } = machineCounter({ address }, metric, [], []);
      yield { labels: shared(labels, variants, own), times: hostTimes, values };
      for (const variant of own)
        yield {
          labels: shared(labels, [variant], []),
          times: hostTimes,
          values: withFault(fault!, hostTimes, values, fleet),
        };
    }
    const known = nodeInfo(name, address, []).labels;
    yield { labels: shared(known, variants, []), times: hostTimes, values: constant(1)(0, hostTimes) };
  }
}

/** The labels of a series that belongs to these clusters, except those that have one of their own instead. */
const shared = (labels: Labels, variants: readonly Variant[], own: readonly Variant[]): Labels =>
  Object.assign({ ...labels }, ...variants.filter((variant) => !own.includes(variant)).map(matchOf)) as Labels;

/** Each target is scraped at a moment of its own within the interval, to the millisecond. */
function scrapesOf({ end, spanS }: FlagFleet, name: string, target: number): Float64Array {
  const last = end - Math.floor(fraction(name, target) * scrapeS * 1000) / 1000;
  const count = Math.floor(spanS / scrapeS);
  return Float64Array.from({ length: count }, (_, i) => Math.round((last - (count - 1 - i) * scrapeS) * 1000) / 1000);
}

/** Repeatable numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A walk within a range that turns at its ends; it takes a step every `hold` scrapes. */
function wander(low: number, high: number, digits: number, hold = 1): Make {
  const unit = 10 ** digits;
  return (seed, times) => {
    const next = random(seed);
    const values = new Float64Array(times.length);
    let at = low + ((seed * 0.618) % 1) * (high - low);
    for (let i = 0; i < values.length; i += 1) {
      if (i % hold === 0) {
        at += (next() - 0.5) * (high - low) * 0.2;
        if (at < low) at = 2 * low - at;
        if (at > high) at = 2 * high - at;
      }
      values[i] = Math.round(at * unit) / unit;
    }
    return values;
  };
}

function constant(value: number): Make {
  let held = new Float64Array();
  return (_, { length }) => (held.length === length ? held : (held = new Float64Array(length).fill(value)));
}

/** A counter that rises by between `low` and `high` a second. */
function rising(start: number, low: number, high: number, digits: number): Make {
  const unit = 10 ** digits;
  return (seed, times) => {
    const next = random(seed);
    let at = start;
    return times.map(() => {
      at += (low + next() * (high - low)) * scrapeS;
      return Math.round(at * unit) / unit;
    });
  };
}

/** Two minutes in every two hours without work, on all GPUs of a node at once. */
function checkpoints(usual: Make): Make {
  return (seed, times) => {
    const phase = Math.floor(seed / 16 / gpusPerNode) * 61;
    return usual(seed, times).map((value, i) => ((times[i]! + phase) % 7200 < 120 ? 0.01 : value));
  };
}
