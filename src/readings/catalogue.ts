import type { Family, Vendor } from '../domain/fleet.ts';
import type { Matcher } from '../domain/matcher.ts';
import type { Site, Source } from '../domain/site.ts';
import { isCount, mostOf } from './blanks.ts';
import { gpuCounters, gpuEvents } from './gpu-counters.ts';
import { gpuGauges } from './gpu-gauges.ts';
import { hostReadings, type HostReadingName } from './host.ts';
import { podMetricNames } from './pods.ts';
import { type GaugeReading, sourcesOf } from './reading.ts';

// A host has a hundred series of processor time; one core's tell as much.
const oneCore = [
  { label: 'mode', op: '=', value: 'idle' },
  { label: 'cpu', op: '=', value: '0' },
] as const satisfies readonly Matcher[];

const gpuReadings = { ...gpuGauges, ...gpuCounters, ...gpuEvents };

/** Every name under which the configuration can override a reading. */
export const readingNames: readonly string[] = [...Object.keys(gpuReadings), ...Object.keys(hostReadings)];

/** Where a host reading comes from on this site. */
export function hostSources(site: Site, name: HostReadingName): readonly Source[] {
  const plain = hostReadings[name].metrics.map((metric) => ({ metric, scale: hostReadings[name].scale, rank: 0 }));
  return site.readings[name]?.HOST?.sources ?? plain;
}

/** What a GPU or host reading is, by its name. */
const readingOf = (name: string): { readonly family: Family; readonly of: 'gpu' | 'host' } =>
  name in hostReadings
    ? { family: hostReadings[name as HostReadingName].family, of: 'host' }
    : { family: gpuReadings[name as keyof typeof gpuReadings].family, of: 'gpu' };

export const familyOf = (name: string): Family => readingOf(name).family;

/** Where a reading comes from on this site, by its name. */
export const readingSources = (site: Site, vendor: Vendor, name: string): readonly Source[] =>
  readingOf(name).of === 'host'
    ? hostSources(site, name as HostReadingName)
    : sourcesOf<Source>(site, name, gpuReadings[name as keyof typeof gpuReadings] as GaugeReading, vendor).sources;

/** One way in which a family shows that it has a reading. */
export interface FamilySource extends Source {
  readonly family: Family;
  /** In the store's unit. */
  readonly plausible: readonly [number, number];
  readonly of: 'gpu' | 'host';
  /** A counter: values that are blanks are no readings either. */
  readonly counts?: true;
}

/** Every source of every family that the vendor's readings have; a family without one is structurally lacking. */
export function familySources(site: Site, vendor: Vendor): FamilySource[] {
  const gpu = Object.entries(gpuReadings).flatMap(([name, reading]) => {
    const { sources, plausible } = sourcesOf<Source>(site, name, reading as GaugeReading, vendor);
    const isCounter = name in gpuCounters;
    return sources.map((source) => ({
      ...source,
      family: reading.family,
      plausible: isCounter ? ([0, mostOf(source.scale)] as const) : scaled(plausible, source),
      of: 'gpu' as const,
      ...(isCounter && { counts: true as const }),
    }));
  });
  const host = (Object.keys(hostReadings) as HostReadingName[]).flatMap((name) => {
    const reading = hostReadings[name];
    // A rate's plausible range says nothing of its counter.
    const range = site.readings[name]?.HOST?.plausible ?? reading.plausible;
    const plausible = reading.kind === 'gauge' ? range : ([0, Number.MAX_SAFE_INTEGER] as const);
    return hostSources(site, name).map((source) => ({
      ...source,
      family: reading.family,
      plausible: reading.kind === 'gauge' ? scaled(plausible, source) : plausible,
      of: 'host' as const,
    }));
  });
  return [...gpu, ...host];
}

/** Whether a source can have this value, in the store's unit. */
export const isReading = ({ plausible: [low, high], counts, scale }: FamilySource, value: number): boolean =>
  value >= low && value <= high && !(counts && !isCount(value, scale));

/** A plausible range in the unit of the source. */
export const scaled = ([low, high]: readonly [number, number], { scale }: Source): [number, number] =>
  scale < 0 ? [high / scale, low / scale] : [low / scale, high / scale];

/** The reading by which a GPU shows that it lives: what every exporter prints for every GPU. */
export const heartbeatSources = (site: Site, vendor: Vendor): readonly Source[] =>
  sourcesOf<Source>(site, 'tempC', gpuGauges.tempC, vendor).sources;

/** Readings by which a host shows that it lives, one series each, the likeliest first. */
export const hostHeartbeats = (site: Site): readonly Source[] => [
  ...hostSources(site, 'loadPerCore'),
  ...hostSources(site, 'cpuBusyPct').map((source) => ({ ...source, match: oneCore })),
  ...hostSources(site, 'pressure.cpu'),
  ...hostSources(site, 'pressure.io'),
];

/** Metrics that show no series while all is well; that they were there says that somebody would tell. */
export const quietNames = (site: Site, vendor: Vendor): string[] =>
  sourcesOf<Source>(site, 'xid', gpuEvents.xid, vendor).sources.map(({ metric }) => metric);

/** Metrics whose series tell which GPUs and hosts there are; in a large fleet just those that every one of them has. */
export function tellingNames(
  site: Site,
  vendor: Vendor,
  isLarge: boolean,
): { gpu: readonly Source[]; host: readonly Source[] } {
  const sources = familySources(site, vendor);
  const of = (kind: 'gpu' | 'host') => sources.filter((source) => source.of === kind);
  const main = new Set<Family>(['GPU_TEMP', 'POWER']);
  const gpu = of('gpu').filter(({ family }) => !isLarge || main.has(family));
  const host = isLarge ? [...hostSources(site, 'loadPerCore')] : of('host');
  const cpu = new Set(hostSources(site, 'cpuBusyPct').map(({ metric }) => metric));
  return {
    gpu,
    host: host.map((source) => (cpu.has(source.metric) ? { ...source, match: oneCore } : source)),
  };
}

/** Metric names besides readings that the gateway looks for. */
const others = [
  'ALERTS',
  'kube_node_info',
  'kube_node_status_condition',
  'kube_node_status_allocatable',
  'node_bonding_slaves',
  ...podMetricNames,
];

export const catalogueNames = (site: Site, vendor: Vendor): string[] => [
  ...new Set([...familySources(site, vendor).map(({ metric }) => metric), ...others]),
];
