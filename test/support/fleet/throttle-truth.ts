import { holds, type Piece, rises, risingBits } from './flag-pieces.ts';
import { amountOf, flagsFrom, heldLong, lasted, peak, type Target, type TrueFlag, within } from './flag-shape.ts';
import { type GpuSamples } from './gpu-samples.ts';
import type { Series } from './series.ts';
import { boundsOf, insideOf, thermalEpisodes } from './thermal-episodes.ts';
import { sum, type Window } from './truth.ts';

/** The clock events among pieces, as the schema lists them; null where there are none. */
const clockEventsOf = (pieces: readonly Piece[]) => {
  const events = Map.groupBy(
    pieces.filter(({ field }) => field === 'clockEvents'),
    ({ what }) => what!,
  );
  const listed = [...events].map(([kind, of]) => ({ kind, count: sum(of.map(({ amount = 0 }) => amount)) }));
  return listed.length === 0 ? null : listed.sort((a, b) => (a.kind < b.kind ? -1 : 1));
};

const timer = (gpu: GpuSamples, metric: string, field: string, window: Window): Piece[] =>
  gpu
    .counters(metric)
    .flatMap(({ counts }) => rises(counts, gpu.seen, window))
    .map((rise) => ({ ...rise, amount: rise.amount / 1e9, held: false, field }));

const clockEvents = (gpu: GpuSamples, kinds: readonly string[], window: Window): Piece[] => {
  const counted = gpu
    .counters('DCGM_EXP_CLOCK_EVENTS_TOTAL', 'clock_event')
    .flatMap(({ what, counts }) =>
      rises(counts, gpu.seen, window).map((rise) => ({ ...rise, what: what.toUpperCase() })),
    );
  const masks = gpu.counters('DCGM_FI_DEV_CLOCKS_EVENT_REASONS').flatMap(({ counts }) => risingBits(counts, window));
  const hasCounter = gpu.counters('DCGM_EXP_CLOCK_EVENTS_TOTAL', 'clock_event').length > 0;
  return (hasCounter ? counted : masks)
    .filter(({ what }) => kinds.includes(what))
    .map((event) => ({ ...event, held: true, field: 'clockEvents' }));
};

export const thermal = (all: readonly Series[], gpu: GpuSamples, target: Target): TrueFlag[] => {
  const { window, now, vendor } = target;
  const episodes = thermalEpisodes(all, target.node);
  const pieces = [
    ...holds(gpu.tempC, (value) => value >= 83, 5, window, now),
    ...timer(gpu, 'DCGM_FI_DEV_THERMAL_VIOLATION', 'thermalThrottleS', window),
    ...clockEvents(gpu, ['SW_THERMAL', 'HW_THERMAL'], window),
    ...(vendor === 'amd' ? insideOf(episodes, gpu.index, window) : []),
  ];
  return flagsFrom(target, 'THERMAL_THROTTLE', gpu.index, pieces, (stretch, from, to) => {
    const thermalThrottleS = amountOf(stretch, 'thermalThrottleS');
    const alone = stretch.every(({ field }) => field === 'episode');
    return {
      episode: boundsOf(episodes, from, to, now),
      isHigh: heldLong(stretch) || (thermalThrottleS ?? 0) >= 600 || (alone && lasted(stretch)),
      evidence: {
        peakTempC: peak(within(gpu.tempC, from, to)),
        thermalThrottleS,
        clockEvents: clockEventsOf(stretch),
      },
    };
  });
};

export const power = (gpu: GpuSamples, target: Target): TrueFlag[] => {
  const pieces = [
    ...timer(gpu, 'DCGM_FI_DEV_POWER_VIOLATION', 'powerThrottleS', target.window),
    ...clockEvents(gpu, ['POWER_CAP', 'HW_POWER_BRAKE'], target.window),
  ];
  return flagsFrom(target, 'POWER_CAP', gpu.index, pieces, (stretch) => {
    const powerThrottleS = amountOf(stretch, 'powerThrottleS');
    return {
      isHigh: heldLong(stretch) || (powerThrottleS ?? 0) >= 600,
      evidence: { powerThrottleS, clockEvents: clockEventsOf(stretch) },
    };
  });
};

/** An episode that names no GPU is the node's. What its temperature was is left open. */
export const nodeEpisodes = (all: readonly Series[], target: Target): TrueFlag[] => {
  const episodes = thermalEpisodes(all, target.node);
  const pieces = target.vendor === 'amd' ? insideOf(episodes, null, target.window) : [];
  return flagsFrom(target, 'THERMAL_THROTTLE', null, pieces, (stretch, from, to) => ({
    episode: boundsOf(episodes, from, to, target.now),
    isHigh: lasted(stretch),
    evidence: { peakTempC: undefined },
  }));
};
