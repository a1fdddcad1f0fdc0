import type { Family, Vendor } from '../domain/fleet.ts';
import type { Site, Source } from '../domain/site.ts';

/** How the parts of one device that report apart (MIG instances, AMD partitions) make one reading of the device. */
export type Across = 'same' | 'mean' | 'sum';

/** A reading with a value at each scrape. */
export interface GaugeReading {
  readonly family: Family;
  readonly unit: string;
  readonly describe: string;
  /** In the reading's unit, both ends included: a value outside is no reading. */
  readonly plausible: readonly [number, number];
  readonly across: Across;
  /** A part of a device that prints 0 measures nothing; the primary part measures for all. */
  readonly zeroOnParts?: 'unmeasured';
  /** Only whole numbers are readings: codes and masks. */
  readonly whole?: true;
  readonly from: Readonly<Partial<Record<Vendor, readonly Source[]>>>;
}

/** A counter, read as its increase over the window. Sources of one rank and different `part` add up. */
export interface CounterReading {
  readonly family: Family;
  readonly unit: string;
  readonly describe: string;
  readonly from: Readonly<Partial<Record<Vendor, readonly CounterSource[]>>>;
}
export type CounterSource = Source & { readonly part?: string };

/** The sources of a reading on this site, and its plausible range there. */
export function sourcesOf<S extends Source>(
  site: Site,
  name: string,
  reading: {
    readonly from: Readonly<Partial<Record<Vendor, readonly S[]>>>;
    readonly plausible?: readonly [number, number];
  },
  vendor: Vendor,
): { sources: readonly S[]; plausible: readonly [number, number] } {
  const override = site.readings[name]?.[vendor];
  return {
    sources: (override?.sources as readonly S[] | undefined) ?? reading.from[vendor] ?? [],
    plausible: override?.plausible ?? reading.plausible ?? [0, Number.MAX_SAFE_INTEGER],
  };
}
