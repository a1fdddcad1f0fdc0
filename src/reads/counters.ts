import { gpuCounters, type GpuCounter } from '../readings/gpu-counters.ts';
import { type CounterSource, sourcesOf } from '../readings/reading.ts';
import { baselineReachS } from '../samples/increase.ts';
import { round6 } from '../samples/round.ts';
import { promql, since, type ScopedQuery } from '../scope/scope.ts';
import type { Window } from '../window/window.ts';
import { askByGpu, gpuKey, ofLowestRank } from './by-gpu.ts';
import { readRises } from './counter-rises.ts';
import { plainIncrease } from './counter-ends.ts';
import { inUse } from './discovery.ts';
import type { Step } from './gauge-plan.ts';
import type { Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/**
 * The increase of one counter over the window, for many GPUs.
 *
 * Upstream, for each source in use: its value at both edges, the series that were reset between, and the raw samples of
 * just the GPUs whose increase that does not settle.
 *
 * @returns by `gpuKey`, of each GPU that has a sample in the window: a whole number, or seconds for a throttle timer; an
 *          error where just this GPU's samples were needed and did not come
 */
export async function readCounter(
  view: ClusterView,
  name: GpuCounter,
  targets: Targets,
): Promise<ReadonlyMap<string, number | Error>> {
  const reading = gpuCounters[name];
  const { sources } = sourcesOf<CounterSource>(view.site, name, reading, view.cluster.vendor);
  const used = inUse(sources, await view.names());
  if (used.length === 0) return new Map();
  const answers = await askByGpu(view, name, used, targets, (selector) => endSteps(selector, view.window));

  const found = new Map<string, number | Error>();
  const unsettled = new Map<string, Set<number>>();
  for (const [node, indexes] of targets) {
    for (const index of indexes) {
      // Without a sample inside the window there is no reading, whatever was there before it.
      const own = ofLowestRank(answers.get(gpuKey(node, index)) ?? [], 'last');
      if (own.length === 0) continue;
      const increase = plainIncrease(own);
      if (increase !== null) found.set(gpuKey(node, index), increase);
      else unsettled.set(node, (unsettled.get(node) ?? new Set()).add(index));
    }
  }
  for (const [key, rise] of await readRises(view, name, used, unsettled)) found.set(key, rise);
  const rounded = reading.unit === 's' ? round6 : Math.round;
  const counts = new Map<string, number | Error>();
  for (const [key, value] of found) {
    // Beyond 2^53 a sum of doubles is no count any more.
    if (value instanceof Error) counts.set(key, value);
    else if (value <= Number.MAX_SAFE_INTEGER) counts.set(key, rounded(value));
    else view.discardOf(key, name, 1);
  }
  return counts;
}

const endSteps = (selector: ScopedQuery, { start, end }: Window): Step[] => [
  {
    answers: 'base',
    question: { kind: 'instant', query: promql`last_over_time(${selector}[${since(baselineReachS)}])`, time: start },
  },
  {
    answers: 'last',
    question: { kind: 'instant', query: promql`last_over_time(${selector}[${since(end - start)}])`, time: end },
  },
  {
    answers: 'resets',
    question: {
      kind: 'instant',
      query: promql`resets(${selector}[${since(end - start + baselineReachS)}]) > 0`,
      time: end,
    },
  },
];
