import { gpuGauges, type GpuGauge } from '../readings/gpu-gauges.ts';
import { modelName } from '../reads/reference.ts';
import type { Part } from '../reads/gauge-plan.ts';
import { describedReading } from './describe.ts';
import { GpuSharingEnum } from './enums.ts';
import { keyOf } from './gpu-key.ts';
import { memoryTotal } from './memory-total.ts';
import { GpuErrorsRef, GpuRef, NodeRef, SeriesRef, ThrottleRef } from './refs.ts';
import { partsBelow } from './selection.ts';

/** Readings that are shown as a series; the others make up `hbmTotalGib`. */
const seriesFields = [
  'tempC',
  'memoryTempC',
  'smClockMhz',
  'memClockMhz',
  'utilPct',
  'smActivePct',
  'dramActivePct',
  'tensorActivePct',
  'powerW',
  'hbmUsedGib',
] as const satisfies readonly GpuGauge[];

const onlyMax: ReadonlySet<Part> = new Set(['max']);

GpuRef.implement({
  description: 'One physical GPU of a node, under the window of the cluster above it.',
  fields: (t) => ({
    index: t.int({ nullable: false, description: "The GPU's index on its node.", resolve: ({ entry }) => entry.index }),
    uuid: t.string({
      description:
        'UUID (AMD: serial number) of the device, of the newest where it was replaced; null where no label has it.',
      resolve: async (gpu) => (await gpu.node.of.load.device(keyOf(gpu)))?.uuid,
    }),
    model: t.string({
      description: 'Model name; null where no label has it and the configuration names none.',
      resolve: async (gpu) => {
        const { view, load } = gpu.node.of;
        const label = (await load.device(keyOf(gpu)))?.modelLabel;
        return label ? modelName(view.site, label) : view.cluster.model;
      },
    }),
    sharing: t.field({
      type: GpuSharingEnum,
      description: "Whether a reading is one pod's or the device's; null where the GPU was not seen.",
      resolve: async (gpu) => (await gpu.node.of.load.device(keyOf(gpu)))?.sharing,
    }),
    node: t.field({
      type: NodeRef,
      nullable: false,
      description: 'The node that it is in.',
      resolve: ({ node }) => node,
    }),
    ...Object.fromEntries(
      seriesFields.map((name) => [
        name,
        t.field({
          type: SeriesRef,
          description: describedReading(gpuGauges[name]),
          resolve: (gpu, _args, _context, info) => {
            return gpu.node.of.load.gauge(name, { ...keyOf(gpu), parts: partsBelow(info) });
          },
        }),
      ]),
    ),
    peakTempC: t.float({
      description:
        'The highest temperature in the window, °C; equals tempC.max. Null where the store holds no reading.',
      resolve: async (gpu) => (await gpu.node.of.load.gauge('tempC', { ...keyOf(gpu), parts: onlyMax }))?.max,
    }),
    hbmTotalGib: t.float({
      description:
        'GPU memory in all, GiB: as reported, else used, free and reserved memory added up. Null where none of these is there.',
      resolve: (gpu) => memoryTotal(gpu),
    }),
    throttle: t.field({
      type: ThrottleRef,
      nullable: false,
      description: 'Throttle seconds and clock events in the window.',
      resolve: (gpu) => gpu,
    }),
    errors: t.field({
      type: GpuErrorsRef,
      nullable: false,
      description: 'How far error counters rose in the window.',
      resolve: (gpu) => gpu,
    }),
  }),
});
