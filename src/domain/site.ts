import type { Check, Family, Vendor } from './fleet.ts';
import type { Matcher } from './matcher.ts';

/** The kinds of exporter that readings come from. */
export const exporters = ['dcgm', 'amd', 'nodeExporter', 'kubeStateMetrics', 'alerts'] as const;
export type Exporter = (typeof exporters)[number];

/** How one kind of exporter is scraped here, and which labels of its series name the node, first present wins. */
export interface ExporterSite {
  readonly nodeLabels: readonly string[];
  readonly scrapeIntervalS: number;
}

/** Where one reading comes from: a metric, what turns its value into the reading's unit, and its place in the order of preference. */
export interface Source {
  readonly metric: string;
  readonly match?: readonly Matcher[];
  /** reading = value × scale */
  readonly scale: number;
  /** Sources of one rank are one reading under several names; a higher rank serves only GPUs that no lower rank serves. */
  readonly rank: number;
  /** The name tells not whether the values are 0..1 or 0..100. */
  readonly ratioOrPercent?: true;
  /** A counter that keeps its history for the life of the device: its first value is no rise. */
  readonly lifelong?: true;
  /** How events are read from it; a counter where left out. */
  readonly events?: 'sticky-code' | 'bitmask' | 'sliding-count';
}

/** One cluster of an organization, and how its series are told apart in the island's store. */
export interface ClusterSite {
  readonly name: string;
  readonly island: string;
  readonly vendor: Vendor;
  readonly model: string | null;
  /** Never empty, unless the store serves this cluster alone. */
  readonly matchers: readonly Matcher[];
  /** Families that the exporter is known to have even while it shows no series. */
  readonly exported: readonly Family[];
}

/** A cluster whose GPUs the island lends for comparison only; `model` narrows it to one model. */
export interface PoolMember {
  readonly matchers: readonly Matcher[];
  readonly model: string | null;
}

/** One site's replacement for the sources and the plausible range of a reading; what it leaves out stays. */
export interface ReadingOverride {
  readonly sources?: readonly Source[];
  /** In the reading's unit, both ends included. */
  readonly plausible?: readonly [number, number];
}

/** What the configuration says about how this site's telemetry looks. */
export interface Site {
  readonly clusterLabel: string;
  readonly exporters: Readonly<Record<Exporter, ExporterSite>>;
  /** Model labels to the names used; the first pattern that matches the whole label wins. */
  readonly models: readonly { readonly pattern: RegExp; readonly name: string }[];
  /** Keyed by the reading's field name, then by vendor (`NVIDIA`, `AMD`) or `HOST`. */
  readonly readings: Readonly<Record<string, Readonly<Partial<Record<Vendor | 'HOST', ReadingOverride>>>>>;
  /** Alert names to checks, tried in order before the words of the name are looked at. */
  readonly alerts: readonly { readonly pattern: RegExp; readonly check: Check | null }[];
  /**
   * A throttle timer counts towards a flag where it rose for at least this share of the time between two samples, in
   * percent; 0: any rise counts.
   */
  readonly minThrottledPct: number;
  /** Network devices that are neither bond masters nor physical. RE2 and JavaScript alike. */
  readonly virtualDevices: string;
}

/** One island: its store's manner, and the pool it lends. */
export interface Island {
  readonly name: string;
  readonly ingestLagS: number;
  /** The store holds one organization alone, so its own words may be passed on. */
  readonly exclusive: boolean;
  readonly sharedPool: readonly PoolMember[];
}

/** One organization and its clusters. */
export interface Organization {
  readonly name: string;
  readonly clusters: readonly ClusterSite[];
}
