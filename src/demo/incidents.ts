import { HOUR, MINUTE } from './shapes.ts';
import { podGroups } from './workloads.ts';

/** When and where, in seconds since the demo started. A single moment has `forS: 0`. */
interface Place {
  readonly node: string;
  readonly gpu: number;
  readonly from: number;
  readonly forS: number;
}

/** The counters that an incident can raise. */
export type Risen = 'eccCorrectable' | 'eccUncorrectable' | 'pcieReplay';

export type GpuIncident = Place &
  (
    | { readonly kind: 'thermalHold'; readonly holdC: number; readonly peakC: number }
    /** `starved`: it waits for data, which no instrument of the platform sees. */
    | { readonly kind: 'powerCap' | 'collapse' | 'fullMemory' | 'silence' | 'starved' }
    | { readonly kind: 'rise'; readonly counter: Risen; readonly by: number }
    | { readonly kind: 'xid'; readonly code: number; readonly message: string }
  );

/** The training job waits for its data: all of its GPUs do. */
const starved = podGroups
  .filter(({ top }) => top[1] === 'train-llm')
  .flatMap(({ pods }) => pods.flatMap(({ node, gpus }) => gpus.map((gpu) => ({ node, gpu }))))
  .map((place) => ({ kind: 'starved', ...place, from: -340 * MINUTE, forS: 12 * MINUTE }) as const);

/** What went wrong before the demo started. The last six hours hold all of it, the last hour some. */
const script: readonly GpuIncident[] = [
  ...starved,
  { kind: 'rise', counter: 'eccUncorrectable', by: 1, node: 'borealis-train-n1', gpu: 2, from: -5 * HOUR, forS: 0 },
  {
    kind: 'rise',
    counter: 'eccCorrectable',
    by: 40,
    node: 'borealis-train-n1',
    gpu: 2,
    from: -5 * HOUR,
    forS: 10 * MINUTE,
  },
  { kind: 'powerCap', node: 'aurora-prod-n1', gpu: 0, from: -4 * HOUR, forS: 25 * MINUTE },
  { kind: 'fullMemory', node: 'aurora-prod-n1', gpu: 7, from: -200 * MINUTE, forS: 20 * MINUTE },
  {
    kind: 'xid',
    code: 79,
    message: 'GPU has fallen off the bus',
    node: 'aurora-prod-n3',
    gpu: 5,
    from: -3 * HOUR,
    forS: 0,
  },
  {
    kind: 'thermalHold',
    holdC: 85,
    peakC: 85,
    node: 'borealis-train-n2',
    gpu: 3,
    from: -160 * MINUTE,
    forS: 8 * MINUTE,
  },
  { kind: 'collapse', node: 'aurora-prod-n4', gpu: 2, from: -2 * HOUR, forS: 15 * MINUTE },
  { kind: 'thermalHold', holdC: 84, peakC: 91, node: 'aurora-prod-n2', gpu: 3, from: -100 * MINUTE, forS: 41 * MINUTE },
  { kind: 'rise', counter: 'pcieReplay', by: 12, node: 'aurora-prod-n4', gpu: 6, from: -90 * MINUTE, forS: 0 },
  { kind: 'silence', node: 'borealis-train-n2', gpu: 7, from: -50 * MINUTE, forS: Infinity },
];

/** Comes back while the demo runs, so that a window of the last hours never goes dull. */
const recurring = {
  everyS: 2 * HOUR,
  incident: { kind: 'thermalHold', holdC: 84, peakC: 87, node: 'aurora-prod-n2', gpu: 3, from: HOUR, forS: 7 * MINUTE },
} as const;

/** The GPU incidents that have begun or are about to by `until`. */
export function gpuIncidents(until: number): readonly GpuIncident[] {
  const { everyS, incident } = recurring;
  // One round ahead: the temperature climbs before the hold begins.
  const rounds = Math.max(0, Math.ceil((until - incident.from) / everyS) + 1);
  return [...script, ...Array.from({ length: rounds }, (_, i) => ({ ...incident, from: incident.from + i * everyS }))];
}

/** A host that waited: the share of time is its pressure on top of the usual. */
export const hostPressure = [
  { kind: 'io', node: 'aurora-prod-n3', gpu: null, share: 0.41, from: -150 * MINUTE, forS: 12 * MINUTE },
] as const;

/** An exporter that was not there for a while. A driver reload restarts the board's volatile counters, an exporter's restart does not. */
export const outages = [
  { node: 'aurora-prod-n3', from: -8 * HOUR, forS: 90, driverReload: true },
  { node: 'aurora-prod-n4', from: -7 * HOUR, forS: 120, driverReload: false },
] as const;
