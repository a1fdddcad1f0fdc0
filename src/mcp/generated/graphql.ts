/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a condition is about. */
export type Check =
  /** Links, PCIe, memory errors and GPU faults. */
  | 'COMM'
  /** The host waiting for CPU, memory or disk. */
  | 'HOST'
  /** GPU memory running full. */
  | 'MEMORY'
  /** Power limits. */
  | 'POWER'
  /** Heat. */
  | 'THERMAL'
  /** GPUs that stopped working. */
  | 'UTILIZATION';

/** A condition that a rule looks for in the raw samples. */
export type FlagKind =
  /** A fabric link or PCIe error counter rose, an uncorrectable memory error or a GPU fault landed. HIGH for the last two. */
  | 'COMM_ERRORS'
  /** The host waited for CPU, memory or disk more than 20 % of the time for 5 minutes; one flag for each. */
  | 'HOST_PRESSURE'
  /** GPU memory in use held at or above 95 % of the total for 5 minutes. */
  | 'MEMORY_PRESSURE'
  /** Throttle time by the power limit rose, or a power clock event landed. HIGH from 10 minutes on. Never on AMD. */
  | 'POWER_CAP'
  /** Heat: throttle time by temperature rose, a thermal clock event landed, or the GPU held at or above 83 °C for 5 minutes. HIGH from 10 minutes on. */
  | 'THERMAL_THROTTLE'
  /** Activity stayed below half the window's median for 10 minutes while a pod had the GPU. Tensor core activity, else utilization. */
  | 'UTILIZATION_COLLAPSE';

/** Who makes the GPUs of a cluster; it decides which readings can exist. */
export type GpuVendor =
  /** Read from AMD's device metrics exporter. */
  | 'AMD'
  /** Read from dcgm-exporter. */
  | 'NVIDIA';

/** What a host can wait for. */
export type HostResource =
  /** A processor. */
  | 'CPU'
  /** A disk. */
  | 'IO'
  /** Memory. */
  | 'MEMORY';

/** A group of readings that answer together, or are missing together. */
export type MetricFamily =
  /** Clock events by kind. NVIDIA only. */
  | 'CLOCK_EVENTS'
  /** How busy the memory interface was. */
  | 'DRAM_ACTIVE'
  /** Memory errors. */
  | 'ECC'
  /** GPU temperature. */
  | 'GPU_TEMP'
  /** Share of time in which some kernel ran. */
  | 'GPU_UTIL'
  /** GPU memory in use and in all. */
  | 'HBM'
  /** The site's own alerting history; silent while all is well. */
  | 'HEALTH_EPISODES'
  /** Host processor time and load. */
  | 'HOST_CPU'
  /** Host network traffic, errors and drops. */
  | 'HOST_NIC'
  /** Time the host waited for CPU, memory or disk. */
  | 'HOST_PRESSURE'
  /** Fabric link (NVLink) and PCIe errors; on AMD PCIe alone. */
  | 'LINK_ERRORS'
  /** GPU memory temperature. */
  | 'MEMORY_TEMP'
  /** Memory clock. */
  | 'MEM_CLOCK'
  /** Traffic to and from the internet; no exporter has it unless the configuration names one. */
  | 'NORTH_SOUTH'
  /** Power draw. */
  | 'POWER'
  /** How busy the cores were. */
  | 'SM_ACTIVE'
  /** Core clock. */
  | 'SM_CLOCK'
  /** Tensor core activity. */
  | 'TENSOR_ACTIVE'
  /** Seconds of throttle by cause. NVIDIA only. */
  | 'THROTTLE_VIOLATIONS'
  /** GPU fault events. NVIDIA only; silent while all is well. */
  | 'XID';

/** Kubernetes' Ready condition of a node at the window's end. */
export type NodeState =
  /** Not ready. */
  | 'NOT_READY'
  /** Ready. */
  | 'READY'
  /** Kubernetes lost touch with it, or nothing recent tells. */
  | 'UNKNOWN';

/** Where a placement comes from. */
export type PlacementSource =
  /** The store holds nothing of it in the window: from the pods that exist now, which may not be all that there were. */
  | 'CURRENT_PODS'
  /** From what kube-state-metrics showed in the window. */
  | 'HISTORY';

/** Kubernetes' phase of a pod. */
export type PodPhase =
  /** Ended badly. */
  | 'FAILED'
  /** Waiting, for a node or for its containers. */
  | 'PENDING'
  /** Running. */
  | 'RUNNING'
  /** Ended well. */
  | 'SUCCEEDED'
  /** Kubernetes lost touch with it. */
  | 'UNKNOWN';

/** What a PromQL expression answers with. */
export type ResultType =
  /** Series of values over the window. */
  | 'MATRIX'
  /** One number without labels. */
  | 'SCALAR'
  /** Series of one value each. */
  | 'VECTOR';

/** How serious a flag is. */
export type Severity =
  /** Serious. */
  | 'HIGH'
  /** Worth a look. */
  | 'WARN';

/** Which stretch of time the readings below cover, at most 14 days. Give range for a window that ends now, or start and end. */
export type WindowInput = {
  /** Where it ends, included; now when left out. Refused without start. */
  end?: string | null | undefined;
  /** How many buckets a series is cut into, 1 to 96. */
  points?: number | null | undefined;
  /** A window that ends now; ignored when start is given. */
  range?: WindowRange | null | undefined;
  /** Where the window begins; this moment itself lies outside. */
  start?: string | null | undefined;
};

/** A window that ends now. */
export type WindowRange =
  /** The last hour. */
  | 'LAST_1H'
  /** The last 6 hours. */
  | 'LAST_6H'
  /** The last 7 days. */
  | 'LAST_7D'
  /** The last 24 hours. */
  | 'LAST_24H';

/** What made the pods of a workload. */
export type WorkloadKind =
  /** A Deployment, with the pods of its ReplicaSets. */
  | 'DEPLOYMENT'
  /** A Job. */
  | 'JOB'
  /** A JobSet, with the pods of its Jobs. */
  | 'JOB_SET'
  /** An MPIJob, its launcher and its workers. */
  | 'MPI_JOB'
  /** One pod. In lists, one that nothing of the other kinds made. */
  | 'POD'
  /** A StatefulSet. */
  | 'STATEFUL_SET';

export type FreeQueryQueryVariables = Exact<{
  query: string;
  island?: string | null | undefined;
  instant: boolean;
  window?: WindowInput | null | undefined;
}>;


export type FreeQueryQuery = { metricsQuery: { org: string, query: string, resultType: ResultType, value: number | null, seriesTotal: number, truncated: boolean, note: string | null, window: { start: string, end: string, stepS: number, points: number }, series: Array<{ labels: Readonly<Record<string, string>>, values: readonly (number | null)[] | null, value: number | null }> } | null };

export type ReadNodeQueryVariables = Exact<{
  cluster: string;
  island?: string | null | undefined;
  node: string;
  window?: WindowInput | null | undefined;
  some: boolean;
  all: boolean;
}>;


export type ReadNodeQuery = { cluster: { name: string, gpuVendor: GpuVendor, gpuModel: string | null, node: { gpuCount: number | null, state: NodeState | null, note: string | null, name: string, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, gpus: Array<{ index: number, peakTempC: number | null, hbmTotalGib: number | null, tempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memoryTempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, utilPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, dramActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, tensorActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, powerW: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, hbmUsedGib: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, throttle: { thermalS: number | null, powerS: number | null, boardLimitS: number | null, syncBoostS: number | null, lowUtilS: number | null, reliabilityS: number | null, clockEvents: Array<{ kind: string, count: number }> | null }, errors: { linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccSbe: number | null, eccDbe: number | null, xid: number | null } }> | null, host: { cpuBusyPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, loadPerCore: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, pressure: { cpu: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memory: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, io: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, nic: { errors: number | null, drops: number | null, rxMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, txMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, northSouth: { ingressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, egressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null } }, healthEpisodes: Array<{ kind: Check, started: string, ended: string | null, detail: string | null }> | null } | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null } | null };

export type ReadNodesQueryVariables = Exact<{
  cluster: string;
  island?: string | null | undefined;
  names: Array<string> | string;
  window?: WindowInput | null | undefined;
  some: boolean;
  all: boolean;
}>;


export type ReadNodesQuery = { cluster: { nodes: { nodes: Array<{ name: string, gpus: Array<{ index: number, peakTempC: number | null, hbmTotalGib: number | null, tempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memoryTempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, utilPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, dramActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, tensorActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, powerW: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, hbmUsedGib: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, throttle: { thermalS: number | null, powerS: number | null, boardLimitS: number | null, syncBoostS: number | null, lowUtilS: number | null, reliabilityS: number | null, clockEvents: Array<{ kind: string, count: number }> | null }, errors: { linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccSbe: number | null, eccDbe: number | null, xid: number | null } }> | null, host: { cpuBusyPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, loadPerCore: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, pressure: { cpu: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memory: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, io: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, nic: { errors: number | null, drops: number | null, rxMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, txMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, northSouth: { ingressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, egressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null } }, healthEpisodes: Array<{ kind: Check, started: string, ended: string | null, detail: string | null }> | null }> } | null } | null };

export type ReadPlacementQueryVariables = Exact<{
  cluster: string;
  island?: string | null | undefined;
  kind: WorkloadKind;
  namespace?: string | null | undefined;
  name: string;
  window?: WindowInput | null | undefined;
}>;


export type ReadPlacementQuery = { cluster: { name: string, gpuVendor: GpuVendor, gpuModel: string | null, workload: { placementSource: PlacementSource | null, note: string | null, kind: WorkloadKind, namespace: string, name: string, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, nodes: Array<{ name: string, gpuCount: number | null, healthEpisodes: Array<{ kind: Check, started: string, ended: string | null, detail: string | null }> | null }> | null, placement: Array<{ pod: string, from: string, to: string | null, phase: PodPhase, node: { name: string } }> | null } | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null } | null };

export type JudgeNodeQueryVariables = Exact<{
  cluster: string;
  island?: string | null | undefined;
  node: string;
  window?: WindowInput | null | undefined;
}>;


export type JudgeNodeQuery = { cluster: { name: string, gpuVendor: GpuVendor, gpuModel: string | null, node: { name: string, flags: { checked: Array<Check>, unavailable: Array<MetricFamily>, clean: boolean, note: string, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, flags: Array<{ kind: FlagKind, severity: Severity, from: string, to: string, minutes: number, summary: string, node: { name: string }, gpu: { index: number } | null, clipped: { start: boolean, end: boolean }, episode: { from: string, to: string | null } | null, evidence: { peakTempC: number | null, referenceP95C: number | null, thermalThrottleS: number | null, powerThrottleS: number | null, linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccDbe: number | null, xid: number | null, xidCodes: Array<number> | null, activityPct: number | null, medianActivityPct: number | null, activityFamily: MetricFamily | null, resource: HostResource | null, peakPressurePct: number | null, peakHbmUsedGib: number | null, hbmTotalGib: number | null, clockEvents: Array<{ kind: string, count: number }> | null } }> } | null } | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null } | null };

export type JudgeWorkloadQueryVariables = Exact<{
  cluster: string;
  island?: string | null | undefined;
  kind: WorkloadKind;
  namespace?: string | null | undefined;
  name: string;
  window?: WindowInput | null | undefined;
}>;


export type JudgeWorkloadQuery = { cluster: { name: string, gpuVendor: GpuVendor, gpuModel: string | null, workload: { kind: WorkloadKind, namespace: string, name: string, flags: { checked: Array<Check>, unavailable: Array<MetricFamily>, clean: boolean, note: string, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, flags: Array<{ kind: FlagKind, severity: Severity, from: string, to: string, minutes: number, summary: string, node: { name: string }, gpu: { index: number } | null, clipped: { start: boolean, end: boolean }, episode: { from: string, to: string | null } | null, evidence: { peakTempC: number | null, referenceP95C: number | null, thermalThrottleS: number | null, powerThrottleS: number | null, linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccDbe: number | null, xid: number | null, xidCodes: Array<number> | null, activityPct: number | null, medianActivityPct: number | null, activityFamily: MetricFamily | null, resource: HostResource | null, peakPressurePct: number | null, peakHbmUsedGib: number | null, hbmTotalGib: number | null, clockEvents: Array<{ kind: string, count: number }> | null } }> } | null, placement: Array<{ pod: string, from: string, to: string | null, phase: PodPhase, node: { name: string } }> | null } | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null } | null };

export type EnvelopeFragment = { name: string, gpuVendor: GpuVendor, gpuModel: string | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null };

export type ResolvedFragment = { start: string, end: string, stepS: number, points: number };

export type CoveredFragment = { present: Array<MetricFamily>, missing: Array<MetricFamily> };

export type PlacedFragment = { kind: WorkloadKind, namespace: string, name: string, placement: Array<{ pod: string, from: string, to: string | null, phase: PodPhase, node: { name: string } }> | null };

export type EpisodesFragment = { healthEpisodes: Array<{ kind: Check, started: string, ended: string | null, detail: string | null }> | null };

export type NodeBlockFragment = { name: string, gpus: Array<{ index: number, peakTempC: number | null, hbmTotalGib: number | null, tempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memoryTempC: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memClockMhz: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, utilPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, smActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, dramActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, tensorActivePct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, powerW: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, hbmUsedGib: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, throttle: { thermalS: number | null, powerS: number | null, boardLimitS: number | null, syncBoostS: number | null, lowUtilS: number | null, reliabilityS: number | null, clockEvents: Array<{ kind: string, count: number }> | null }, errors: { linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccSbe: number | null, eccDbe: number | null, xid: number | null } }> | null, host: { cpuBusyPct: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, loadPerCore: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, pressure: { cpu: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, memory: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, io: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, nic: { errors: number | null, drops: number | null, rxMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, txMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null }, northSouth: { ingressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null, egressMbps: { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null } | null } }, healthEpisodes: Array<{ kind: Check, started: string, ended: string | null, detail: string | null }> | null };

export type TellingFragment = { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null };

export type OtherFragment = { t0?: number, stepS?: number, values?: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null };

export type ReportFragment = { checked: Array<Check>, unavailable: Array<MetricFamily>, clean: boolean, note: string, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, flags: Array<{ kind: FlagKind, severity: Severity, from: string, to: string, minutes: number, summary: string, node: { name: string }, gpu: { index: number } | null, clipped: { start: boolean, end: boolean }, episode: { from: string, to: string | null } | null, evidence: { peakTempC: number | null, referenceP95C: number | null, thermalThrottleS: number | null, powerThrottleS: number | null, linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccDbe: number | null, xid: number | null, xidCodes: Array<number> | null, activityPct: number | null, medianActivityPct: number | null, activityFamily: MetricFamily | null, resource: HostResource | null, peakPressurePct: number | null, peakHbmUsedGib: number | null, hbmTotalGib: number | null, clockEvents: Array<{ kind: string, count: number }> | null } }> };

export type WhoAmIQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoAmIQuery = { organization: { name: string, clusters: Array<{ name: string, island: string, gpuVendor: GpuVendor, gpuModel: string | null }> | null, limits: { documentCharacters: number, documentTokens: number, depth: number, aliases: number, rootFields: number, fields: number, cost: number, requestsPerMinute: number, requestsLeft: number, requestsResetS: number, concurrency: number, concurrencyLeft: number, queryCharacters: number, windowDays: number, points: number, series: number } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const ResolvedFragmentDoc = new TypedDocumentString(`
    fragment Resolved on Window {
  start
  end
  stepS
  points
}
    `, {"fragmentName":"Resolved"}) as unknown as TypedDocumentString<ResolvedFragment, unknown>;
export const EnvelopeFragmentDoc = new TypedDocumentString(`
    fragment Envelope on Cluster {
  name
  gpuVendor
  gpuModel
  window {
    ...Resolved
  }
  reference {
    gpuModel
    tempP95C
    note
  }
}
    fragment Resolved on Window {
  start
  end
  stepS
  points
}`, {"fragmentName":"Envelope"}) as unknown as TypedDocumentString<EnvelopeFragment, unknown>;
export const PlacedFragmentDoc = new TypedDocumentString(`
    fragment Placed on Workload {
  kind
  namespace
  name
  placement {
    pod
    node {
      name
    }
    from
    to
    phase
  }
}
    `, {"fragmentName":"Placed"}) as unknown as TypedDocumentString<PlacedFragment, unknown>;
export const EpisodesFragmentDoc = new TypedDocumentString(`
    fragment Episodes on Node {
  healthEpisodes {
    kind
    started
    ended
    detail
  }
}
    `, {"fragmentName":"Episodes"}) as unknown as TypedDocumentString<EpisodesFragment, unknown>;
export const TellingFragmentDoc = new TypedDocumentString(`
    fragment Telling on Series {
  t0 @include(if: $some)
  stepS @include(if: $some)
  values @include(if: $some)
  mean
  min
  max
}
    `, {"fragmentName":"Telling"}) as unknown as TypedDocumentString<TellingFragment, unknown>;
export const OtherFragmentDoc = new TypedDocumentString(`
    fragment Other on Series {
  t0 @include(if: $all)
  stepS @include(if: $all)
  values @include(if: $all)
  mean
  min
  max
}
    `, {"fragmentName":"Other"}) as unknown as TypedDocumentString<OtherFragment, unknown>;
export const NodeBlockFragmentDoc = new TypedDocumentString(`
    fragment NodeBlock on Node {
  name
  ...Episodes
  gpus {
    index
    tempC {
      ...Telling
    }
    peakTempC
    memoryTempC {
      ...Other
    }
    smClockMhz {
      ...Other
    }
    memClockMhz {
      ...Other
    }
    utilPct {
      ...Other
    }
    smActivePct {
      ...Other
    }
    dramActivePct {
      ...Other
    }
    tensorActivePct {
      ...Telling
    }
    powerW {
      ...Telling
    }
    hbmUsedGib {
      ...Other
    }
    hbmTotalGib
    throttle {
      thermalS
      powerS
      boardLimitS
      syncBoostS
      lowUtilS
      reliabilityS
      clockEvents {
        kind
        count
      }
    }
    errors {
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccSbe
      eccDbe
      xid
    }
  }
  host {
    cpuBusyPct {
      ...Other
    }
    loadPerCore {
      ...Other
    }
    pressure {
      cpu {
        ...Other
      }
      memory {
        ...Other
      }
      io {
        ...Other
      }
    }
    nic {
      rxMbps {
        ...Other
      }
      txMbps {
        ...Other
      }
      errors
      drops
    }
    northSouth {
      ingressMbps {
        ...Other
      }
      egressMbps {
        ...Other
      }
    }
  }
}
    fragment Episodes on Node {
  healthEpisodes {
    kind
    started
    ended
    detail
  }
}
fragment Telling on Series {
  t0 @include(if: $some)
  stepS @include(if: $some)
  values @include(if: $some)
  mean
  min
  max
}
fragment Other on Series {
  t0 @include(if: $all)
  stepS @include(if: $all)
  values @include(if: $all)
  mean
  min
  max
}`, {"fragmentName":"NodeBlock"}) as unknown as TypedDocumentString<NodeBlockFragment, unknown>;
export const CoveredFragmentDoc = new TypedDocumentString(`
    fragment Covered on Coverage {
  present
  missing
}
    `, {"fragmentName":"Covered"}) as unknown as TypedDocumentString<CoveredFragment, unknown>;
export const ReportFragmentDoc = new TypedDocumentString(`
    fragment Report on FlagReport {
  checked
  unavailable
  clean
  coverage {
    ...Covered
  }
  note
  flags {
    kind
    severity
    node {
      name
    }
    gpu {
      index
    }
    from
    to
    minutes
    clipped {
      start
      end
    }
    episode {
      from
      to
    }
    evidence {
      peakTempC
      referenceP95C
      thermalThrottleS
      powerThrottleS
      clockEvents {
        kind
        count
      }
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccDbe
      xid
      xidCodes
      activityPct
      medianActivityPct
      activityFamily
      resource
      peakPressurePct
      peakHbmUsedGib
      hbmTotalGib
    }
    summary
  }
}
    fragment Covered on Coverage {
  present
  missing
}`, {"fragmentName":"Report"}) as unknown as TypedDocumentString<ReportFragment, unknown>;
export const FreeQueryDocument = new TypedDocumentString(`
    query FreeQuery($query: String!, $island: String, $instant: Boolean!, $window: WindowInput) {
  metricsQuery(query: $query, island: $island, instant: $instant, window: $window) {
    org
    query
    resultType
    window {
      start
      end
      stepS
      points
    }
    series {
      labels
      values
      value
    }
    value
    seriesTotal
    truncated
    note
  }
}
    `) as unknown as TypedDocumentString<FreeQueryQuery, FreeQueryQueryVariables>;
export const ReadNodeDocument = new TypedDocumentString(`
    query ReadNode($cluster: String!, $island: String, $node: String!, $window: WindowInput, $some: Boolean!, $all: Boolean!) {
  cluster(name: $cluster, island: $island, window: $window) {
    ...Envelope
    node(name: $node) {
      gpuCount
      state
      note
      coverage {
        ...Covered
      }
      ...NodeBlock
    }
  }
}
    fragment Envelope on Cluster {
  name
  gpuVendor
  gpuModel
  window {
    ...Resolved
  }
  reference {
    gpuModel
    tempP95C
    note
  }
}
fragment Resolved on Window {
  start
  end
  stepS
  points
}
fragment Covered on Coverage {
  present
  missing
}
fragment Episodes on Node {
  healthEpisodes {
    kind
    started
    ended
    detail
  }
}
fragment NodeBlock on Node {
  name
  ...Episodes
  gpus {
    index
    tempC {
      ...Telling
    }
    peakTempC
    memoryTempC {
      ...Other
    }
    smClockMhz {
      ...Other
    }
    memClockMhz {
      ...Other
    }
    utilPct {
      ...Other
    }
    smActivePct {
      ...Other
    }
    dramActivePct {
      ...Other
    }
    tensorActivePct {
      ...Telling
    }
    powerW {
      ...Telling
    }
    hbmUsedGib {
      ...Other
    }
    hbmTotalGib
    throttle {
      thermalS
      powerS
      boardLimitS
      syncBoostS
      lowUtilS
      reliabilityS
      clockEvents {
        kind
        count
      }
    }
    errors {
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccSbe
      eccDbe
      xid
    }
  }
  host {
    cpuBusyPct {
      ...Other
    }
    loadPerCore {
      ...Other
    }
    pressure {
      cpu {
        ...Other
      }
      memory {
        ...Other
      }
      io {
        ...Other
      }
    }
    nic {
      rxMbps {
        ...Other
      }
      txMbps {
        ...Other
      }
      errors
      drops
    }
    northSouth {
      ingressMbps {
        ...Other
      }
      egressMbps {
        ...Other
      }
    }
  }
}
fragment Telling on Series {
  t0 @include(if: $some)
  stepS @include(if: $some)
  values @include(if: $some)
  mean
  min
  max
}
fragment Other on Series {
  t0 @include(if: $all)
  stepS @include(if: $all)
  values @include(if: $all)
  mean
  min
  max
}`) as unknown as TypedDocumentString<ReadNodeQuery, ReadNodeQueryVariables>;
export const ReadNodesDocument = new TypedDocumentString(`
    query ReadNodes($cluster: String!, $island: String, $names: [String!]!, $window: WindowInput, $some: Boolean!, $all: Boolean!) {
  cluster(name: $cluster, island: $island, window: $window) {
    nodes(names: $names, first: 1000) {
      nodes {
        ...NodeBlock
      }
    }
  }
}
    fragment Episodes on Node {
  healthEpisodes {
    kind
    started
    ended
    detail
  }
}
fragment NodeBlock on Node {
  name
  ...Episodes
  gpus {
    index
    tempC {
      ...Telling
    }
    peakTempC
    memoryTempC {
      ...Other
    }
    smClockMhz {
      ...Other
    }
    memClockMhz {
      ...Other
    }
    utilPct {
      ...Other
    }
    smActivePct {
      ...Other
    }
    dramActivePct {
      ...Other
    }
    tensorActivePct {
      ...Telling
    }
    powerW {
      ...Telling
    }
    hbmUsedGib {
      ...Other
    }
    hbmTotalGib
    throttle {
      thermalS
      powerS
      boardLimitS
      syncBoostS
      lowUtilS
      reliabilityS
      clockEvents {
        kind
        count
      }
    }
    errors {
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccSbe
      eccDbe
      xid
    }
  }
  host {
    cpuBusyPct {
      ...Other
    }
    loadPerCore {
      ...Other
    }
    pressure {
      cpu {
        ...Other
      }
      memory {
        ...Other
      }
      io {
        ...Other
      }
    }
    nic {
      rxMbps {
        ...Other
      }
      txMbps {
        ...Other
      }
      errors
      drops
    }
    northSouth {
      ingressMbps {
        ...Other
      }
      egressMbps {
        ...Other
      }
    }
  }
}
fragment Telling on Series {
  t0 @include(if: $some)
  stepS @include(if: $some)
  values @include(if: $some)
  mean
  min
  max
}
fragment Other on Series {
  t0 @include(if: $all)
  stepS @include(if: $all)
  values @include(if: $all)
  mean
  min
  max
}`) as unknown as TypedDocumentString<ReadNodesQuery, ReadNodesQueryVariables>;
export const ReadPlacementDocument = new TypedDocumentString(`
    query ReadPlacement($cluster: String!, $island: String, $kind: WorkloadKind!, $namespace: String, $name: String!, $window: WindowInput) {
  cluster(name: $cluster, island: $island, window: $window) {
    ...Envelope
    workload(kind: $kind, namespace: $namespace, name: $name) {
      ...Placed
      placementSource
      note
      coverage {
        ...Covered
      }
      nodes {
        name
        gpuCount
        ...Episodes
      }
    }
  }
}
    fragment Envelope on Cluster {
  name
  gpuVendor
  gpuModel
  window {
    ...Resolved
  }
  reference {
    gpuModel
    tempP95C
    note
  }
}
fragment Resolved on Window {
  start
  end
  stepS
  points
}
fragment Covered on Coverage {
  present
  missing
}
fragment Placed on Workload {
  kind
  namespace
  name
  placement {
    pod
    node {
      name
    }
    from
    to
    phase
  }
}
fragment Episodes on Node {
  healthEpisodes {
    kind
    started
    ended
    detail
  }
}`) as unknown as TypedDocumentString<ReadPlacementQuery, ReadPlacementQueryVariables>;
export const JudgeNodeDocument = new TypedDocumentString(`
    query JudgeNode($cluster: String!, $island: String, $node: String!, $window: WindowInput) {
  cluster(name: $cluster, island: $island, window: $window) {
    ...Envelope
    node(name: $node) {
      name
      flags {
        ...Report
      }
    }
  }
}
    fragment Envelope on Cluster {
  name
  gpuVendor
  gpuModel
  window {
    ...Resolved
  }
  reference {
    gpuModel
    tempP95C
    note
  }
}
fragment Resolved on Window {
  start
  end
  stepS
  points
}
fragment Covered on Coverage {
  present
  missing
}
fragment Report on FlagReport {
  checked
  unavailable
  clean
  coverage {
    ...Covered
  }
  note
  flags {
    kind
    severity
    node {
      name
    }
    gpu {
      index
    }
    from
    to
    minutes
    clipped {
      start
      end
    }
    episode {
      from
      to
    }
    evidence {
      peakTempC
      referenceP95C
      thermalThrottleS
      powerThrottleS
      clockEvents {
        kind
        count
      }
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccDbe
      xid
      xidCodes
      activityPct
      medianActivityPct
      activityFamily
      resource
      peakPressurePct
      peakHbmUsedGib
      hbmTotalGib
    }
    summary
  }
}`) as unknown as TypedDocumentString<JudgeNodeQuery, JudgeNodeQueryVariables>;
export const JudgeWorkloadDocument = new TypedDocumentString(`
    query JudgeWorkload($cluster: String!, $island: String, $kind: WorkloadKind!, $namespace: String, $name: String!, $window: WindowInput) {
  cluster(name: $cluster, island: $island, window: $window) {
    ...Envelope
    workload(kind: $kind, namespace: $namespace, name: $name) {
      ...Placed
      flags {
        ...Report
      }
    }
  }
}
    fragment Envelope on Cluster {
  name
  gpuVendor
  gpuModel
  window {
    ...Resolved
  }
  reference {
    gpuModel
    tempP95C
    note
  }
}
fragment Resolved on Window {
  start
  end
  stepS
  points
}
fragment Covered on Coverage {
  present
  missing
}
fragment Placed on Workload {
  kind
  namespace
  name
  placement {
    pod
    node {
      name
    }
    from
    to
    phase
  }
}
fragment Report on FlagReport {
  checked
  unavailable
  clean
  coverage {
    ...Covered
  }
  note
  flags {
    kind
    severity
    node {
      name
    }
    gpu {
      index
    }
    from
    to
    minutes
    clipped {
      start
      end
    }
    episode {
      from
      to
    }
    evidence {
      peakTempC
      referenceP95C
      thermalThrottleS
      powerThrottleS
      clockEvents {
        kind
        count
      }
      linkCrc
      linkReplay
      linkRecovery
      pcieReplay
      pcieRecovery
      eccDbe
      xid
      xidCodes
      activityPct
      medianActivityPct
      activityFamily
      resource
      peakPressurePct
      peakHbmUsedGib
      hbmTotalGib
    }
    summary
  }
}`) as unknown as TypedDocumentString<JudgeWorkloadQuery, JudgeWorkloadQueryVariables>;
export const WhoAmIDocument = new TypedDocumentString(`
    query WhoAmI {
  organization {
    name
    clusters {
      name
      island
      gpuVendor
      gpuModel
    }
    limits {
      documentCharacters
      documentTokens
      depth
      aliases
      rootFields
      fields
      cost
      requestsPerMinute
      requestsLeft
      requestsResetS
      concurrency
      concurrencyLeft
      queryCharacters
      windowDays
      points
      series
    }
  }
}
    `) as unknown as TypedDocumentString<WhoAmIQuery, WhoAmIQueryVariables>;