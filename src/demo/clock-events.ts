import type { DemoGpu, GpuFamily } from './gpu-streams.ts';
import type { GpuIncident } from './incidents.ts';
import { isWithin } from './stream.ts';
import type { Span } from './stream.ts';

const during =
  (kind: GpuIncident['kind']) =>
  ({ incidents }: DemoGpu): Span[] =>
    incidents.filter((one) => one.kind === kind).map(({ from, forS }) => ({ from, to: from + forS }));

const untenanted = ({ tenancies }: DemoGpu): Span[] => tenancies.filter(({ profile }) => profile === null);

/** The bits of DCGM's clock event reasons that occur here, and when each is set. */
const reasons = [
  { bit: 0x1, event: 'gpu_idle', spans: untenanted },
  { bit: 0x4, event: 'power_cap', spans: during('powerCap') },
  { bit: 0x8, event: 'hw_slowdown', spans: during('thermalHold') },
  { bit: 0x20, event: 'sw_thermal', spans: during('thermalHold') },
  { bit: 0x40, event: 'hw_thermal', spans: during('thermalHold') },
] as const;

export const reasonBits = (gpu: DemoGpu, at: number): number =>
  reasons.filter(({ spans }) => isWithin(spans(gpu), at)).reduce((bits, { bit }) => bits | bit, 0);

/** Rising edges of each bit since the exporter started; a bit that was set then is no edge. No series before the first. */
export const clockEvents: readonly GpuFamily[] = reasons.map(({ event, spans }) => {
  const edges = (gpu: DemoGpu) => spans(gpu).filter(({ from }) => from > -Infinity);
  return {
    name: 'DCGM_EXP_CLOCK_EVENTS_TOTAL',
    type: 'counter',
    labels: () => ({ clock_event: event }),
    born: (gpu) => edges(gpu)[0]?.from ?? Infinity,
    read: (_, gpu, at) => edges(gpu).filter(({ from }) => from <= at).length,
  };
});
