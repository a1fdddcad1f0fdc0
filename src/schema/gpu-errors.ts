import { type GpuCounter, gpuCounters, gpuEvents } from '../readings/gpu-counters.ts';
import { describedReading } from './describe.ts';
import { keyOf } from './gpu-key.ts';
import { GpuErrorsRef } from './refs.ts';
import { xidOf } from './xid.ts';

const counters = [
  'linkCrc',
  'linkReplay',
  'linkRecovery',
  'pcieReplay',
  'pcieRecovery',
  'eccSbe',
  'eccDbe',
] as const satisfies readonly GpuCounter[];

GpuErrorsRef.implement({
  description: 'Increases over the window, never lifetime totals, and exact: a counter that went up by 3 reads 3.',
  fields: (t) => ({
    ...Object.fromEntries(
      counters.map((name) => [
        name,
        t.field({
          type: 'Count',
          description: describedReading(gpuCounters[name]),
          resolve: (gpu) => gpu.node.of.load.counter(name, keyOf(gpu)),
        }),
      ]),
    ),
    xid: t.field({
      type: 'Count',
      description: `${describedReading(gpuEvents.xid)} A code that a gauge goes on showing is no new event.`,
      resolve: async (gpu) => (await xidOf(gpu))?.count,
    }),
    xidCodes: t.field({
      type: ['Int'],
      nullable: { list: true, items: false },
      description: 'The XID codes of those events, lowest first, each once. Null where xid is.',
      resolve: async (gpu) => (await xidOf(gpu))?.codes,
    }),
  }),
});
