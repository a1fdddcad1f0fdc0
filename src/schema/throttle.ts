import { type GpuCounter, gpuCounters, gpuEvents } from '../readings/gpu-counters.ts';
import { clockEventsOf } from './clock-events.ts';
import { describedReading } from './describe.ts';
import { keyOf } from './gpu-key.ts';
import { ClockEventRef, ThrottleRef } from './refs.ts';

const timers = [
  'thermalS',
  'powerS',
  'boardLimitS',
  'syncBoostS',
  'lowUtilS',
  'reliabilityS',
] as const satisfies readonly GpuCounter[];

ThrottleRef.implement({
  description: 'How long and why the GPU was held back. Seconds gained over the window, never lifetime totals.',
  fields: (t) => ({
    ...Object.fromEntries(
      timers.map((name) => [
        name,
        t.float({
          description: describedReading(gpuCounters[name]),
          resolve: (gpu) => gpu.node.of.load.counter(name, keyOf(gpu)),
        }),
      ]),
    ),
    clockEvents: t.field({
      type: [ClockEventRef],
      nullable: { list: true, items: false },
      description: `${describedReading(gpuEvents.clockEvents)} Empty where there were none.`,
      resolve: clockEventsOf,
    }),
  }),
});

ClockEventRef.implement({
  description: 'How often one kind of clock event occurred in the window.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      nullable: false,
      description: "DCGM's word for it in upper case, like HW_SLOWDOWN.",
    }),
    count: t.field({ type: 'Count', nullable: false, description: 'Number of events.', resolve: ({ count }) => count }),
  }),
});
