import type { Family, HostResource } from '../domain/fleet.ts';
import type { Rise } from '../samples/increase.ts';
import type { Stream } from '../samples/stream.ts';
import type { Span } from './span.ts';

/** How often something happened between two samples (epoch seconds), in the exporter's word for it. */
export interface Event extends Span {
  readonly kind: string;
  readonly count: number;
}

/** One cause of throttling: seconds gained by its timers, and its clock events. */
export interface ThrottleFacts {
  readonly rises: readonly Rise[];
  readonly events: readonly Event[];
}

export const faultCounters = ['linkCrc', 'linkReplay', 'linkRecovery', 'pcieReplay', 'pcieRecovery', 'eccDbe'] as const;
export type FaultCounter = (typeof faultCounters)[number];

/** While a pod, `namespace/name`, had a GPU, or ran where it may have had one. */
export interface Held extends Span {
  readonly pod: string;
}

/** How busy a GPU was, in percent, and which pods had it when. */
export interface ActivityFacts {
  readonly family: Extract<Family, 'TENSOR_ACTIVE' | 'GPU_UTIL'>;
  readonly stream: Stream;
  readonly held: readonly Held[];
}

/** Memory in use, and the total that held at each of its samples: a board may be replaced. */
export interface MemoryFacts {
  readonly usedGib: Stream;
  readonly totalGib: Float64Array;
}

/** What the rules need of one GPU; empty where there is nothing that could break one. Streams reach beyond the window. */
export interface GpuFacts {
  readonly tempC: Stream;
  readonly thermal: ThrottleFacts;
  readonly power: ThrottleFacts;
  readonly counters: Readonly<Partial<Record<FaultCounter, readonly Rise[]>>>;
  readonly xids: readonly Event[];
  readonly activity: ActivityFacts | null;
  readonly memory: MemoryFacts | null;
}

/** Share of time that the host waited, in percent, by what for. */
export type HostFacts = Readonly<Partial<Record<HostResource, Stream>>>;

/** A condition that the site's own alerting recorded. */
export interface EpisodeFacts extends Span {
  readonly gpu: number | null;
}

export interface NodeFacts {
  readonly gpus: ReadonlyMap<number, GpuFacts>;
  readonly host: HostFacts;
  /** Thermal episodes that fire a flag of themselves: where the GPU maker reports no throttling. */
  readonly thermalEpisodes: readonly EpisodeFacts[];
}
