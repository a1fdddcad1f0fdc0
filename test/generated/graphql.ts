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

/** Whether a reading is one pod's or the device's. */
export type GpuSharing =
  /** At most one pod at a time. */
  | 'EXCLUSIVE'
  /** Cut into MIG instances or AMD partitions: a reading is of the whole device. */
  | 'PARTITIONED'
  /** Several pods at once: a reading is of all of them together. */
  | 'SHARED';

/** Who makes the GPUs of a cluster; it decides which readings can exist. */
export type GpuVendor =
  /** Read from AMD's device metrics exporter. */
  | 'AMD'
  /** Read from dcgm-exporter. */
  | 'NVIDIA';

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

export type ClustersQueryVariables = Exact<{ [key: string]: never; }>;


export type ClustersQuery = { organization: { name: string } | null, clusters: Array<{ name: string, island: string, gpuVendor: GpuVendor, gpuModel: string | null, nodes: { totalCount: number | null, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ name: string, state: NodeState | null }> } | null }> | null };

export type FreeQueryQueryVariables = Exact<{
  query: string;
  instant?: boolean;
}>;


export type FreeQueryQuery = { organization: { limits: { cost: number, requestsPerMinute: number, requestsLeft: number } } | null, metricsQuery: { resultType: ResultType, seriesTotal: number, truncated: boolean, note: string | null, series: Array<{ labels: Readonly<Record<string, string>>, value: number | null, values: readonly (number | null)[] | null }> } | null };

export type NodeReadingsQueryVariables = Exact<{
  cluster: string;
  node: string;
  window?: WindowInput | null | undefined;
}>;


export type NodeReadingsQuery = { cluster: { name: string, gpuVendor: GpuVendor, gpuModel: string | null, window: { start: string, end: string, stepS: number, points: number }, reference: { gpuModel: string, tempP95C: number, note: string } | null, node: { name: string, state: NodeState | null, gpuCount: number | null, note: string | null, coverage: { present: Array<MetricFamily>, missing: Array<MetricFamily> } | null, healthEpisodes: Array<{ kind: Check, gpu: number | null, started: string, ended: string | null, detail: string | null }> | null, gpus: Array<{ index: number, uuid: string | null, sharing: GpuSharing | null, peakTempC: number | null, hbmTotalGib: number | null, tempC: { t0: number, stepS: number, values: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, memoryTempC: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, tensorActivePct: { t0: number, stepS: number, values: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, powerW: { t0: number, stepS: number, values: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, hbmUsedGib: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, throttle: { thermalS: number | null, powerS: number | null, boardLimitS: number | null, syncBoostS: number | null, lowUtilS: number | null, reliabilityS: number | null, clockEvents: Array<{ kind: string, count: number }> | null }, errors: { linkCrc: number | null, linkReplay: number | null, linkRecovery: number | null, pcieReplay: number | null, pcieRecovery: number | null, eccSbe: number | null, eccDbe: number | null, xid: number | null, xidCodes: Array<number> | null } }> | null, host: { cpuBusyPct: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, loadPerCore: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, pressure: { cpu: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, memory: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, io: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null }, nic: { errors: number | null, drops: number | null, rxMbps: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, txMbps: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null }, northSouth: { ingressMbps: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null, egressMbps: { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null } | null } } } | null } | null };

export type SummaryFragment = { mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null };

export type WholeFragment = { t0: number, stepS: number, values: readonly (number | null)[] | null, mean: number | null, min: number | null, max: number | null, last: number | null, lastAt: string | null };

export type SlowRunFlagsQueryVariables = Exact<{
  cluster: string;
  job: string;
}>;


export type SlowRunFlagsQuery = { cluster: { workload: { placementSource: PlacementSource | null, placement: Array<{ pod: string, from: string, to: string | null, phase: PodPhase, node: { name: string } }> | null, flags: { clean: boolean, checked: Array<Check>, unavailable: Array<MetricFamily>, hiddenFlags: number, note: string, flags: Array<{ key: string, kind: FlagKind, severity: Severity, from: string, to: string, minutes: number, summary: string, node: { name: string }, gpu: { index: number } | null, clipped: { start: boolean, end: boolean }, episode: { from: string, to: string | null } | null, evidence: { peakTempC: number | null, referenceP95C: number | null, thermalThrottleS: number | null } }> } | null } | null } | null };

export type SlowRunShapeQueryVariables = Exact<{
  cluster: string;
  hot: string;
  gpu: number;
  other: string;
}>;


export type SlowRunShapeQuery = { cluster: { hot: { gpu: { tempC: { values: readonly (number | null)[] | null } | null, smClockMhz: { values: readonly (number | null)[] | null } | null, tensorActivePct: { values: readonly (number | null)[] | null } | null } | null } | null, other: { flags: { clean: boolean, note: string } | null } | null } | null };

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
export const SummaryFragmentDoc = new TypedDocumentString(`
    fragment Summary on Series {
  mean
  min
  max
  last
  lastAt
}
    `, {"fragmentName":"Summary"}) as unknown as TypedDocumentString<SummaryFragment, unknown>;
export const WholeFragmentDoc = new TypedDocumentString(`
    fragment Whole on Series {
  t0
  stepS
  values
  ...Summary
}
    fragment Summary on Series {
  mean
  min
  max
  last
  lastAt
}`, {"fragmentName":"Whole"}) as unknown as TypedDocumentString<WholeFragment, unknown>;
export const ClustersDocument = new TypedDocumentString(`
    query Clusters {
  organization {
    name
  }
  clusters(window: { range: LAST_1H }) {
    name
    island
    gpuVendor
    gpuModel
    nodes(first: 2) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        name
        state
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ClustersQuery, ClustersQueryVariables>;
export const FreeQueryDocument = new TypedDocumentString(`
    query FreeQuery($query: String!, $instant: Boolean! = true) {
  organization {
    limits {
      cost
      requestsPerMinute
      requestsLeft
    }
  }
  metricsQuery(query: $query, instant: $instant) {
    resultType
    seriesTotal
    truncated
    note
    series {
      labels
      value
      values
    }
  }
}
    `) as unknown as TypedDocumentString<FreeQueryQuery, FreeQueryQueryVariables>;
export const NodeReadingsDocument = new TypedDocumentString(`
    query NodeReadings($cluster: String!, $node: String!, $window: WindowInput) {
  cluster(name: $cluster, window: $window) {
    name
    gpuVendor
    gpuModel
    window {
      start
      end
      stepS
      points
    }
    reference {
      gpuModel
      tempP95C
      note
    }
    node(name: $node) {
      name
      state
      gpuCount
      note
      coverage {
        present
        missing
      }
      healthEpisodes {
        kind
        gpu
        started
        ended
        detail
      }
      gpus {
        index
        uuid
        sharing
        peakTempC
        hbmTotalGib
        tempC {
          ...Whole
        }
        memoryTempC {
          ...Summary
        }
        tensorActivePct {
          ...Whole
        }
        powerW {
          ...Whole
        }
        hbmUsedGib {
          ...Summary
        }
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
          xidCodes
        }
      }
      host {
        cpuBusyPct {
          ...Summary
        }
        loadPerCore {
          ...Summary
        }
        pressure {
          cpu {
            ...Summary
          }
          memory {
            ...Summary
          }
          io {
            ...Summary
          }
        }
        nic {
          rxMbps {
            ...Summary
          }
          txMbps {
            ...Summary
          }
          errors
          drops
        }
        northSouth {
          ingressMbps {
            ...Summary
          }
          egressMbps {
            ...Summary
          }
        }
      }
    }
  }
}
    fragment Summary on Series {
  mean
  min
  max
  last
  lastAt
}
fragment Whole on Series {
  t0
  stepS
  values
  ...Summary
}`) as unknown as TypedDocumentString<NodeReadingsQuery, NodeReadingsQueryVariables>;
export const SlowRunFlagsDocument = new TypedDocumentString(`
    query SlowRunFlags($cluster: String!, $job: String!) {
  cluster(name: $cluster, window: { range: LAST_6H }) {
    workload(kind: JOB, name: $job) {
      placementSource
      placement {
        pod
        node {
          name
        }
        from
        to
        phase
      }
      flags {
        clean
        checked
        unavailable
        hiddenFlags
        note
        flags {
          key
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
          }
          summary
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SlowRunFlagsQuery, SlowRunFlagsQueryVariables>;
export const SlowRunShapeDocument = new TypedDocumentString(`
    query SlowRunShape($cluster: String!, $hot: String!, $gpu: Int!, $other: String!) {
  cluster(name: $cluster, window: { range: LAST_6H, points: 24 }) {
    hot: node(name: $hot) {
      gpu(index: $gpu) {
        tempC {
          values
        }
        smClockMhz {
          values
        }
        tensorActivePct {
          values
        }
      }
    }
    other: node(name: $other) {
      flags(kinds: [THERMAL_THROTTLE]) {
        clean
        note
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SlowRunShapeQuery, SlowRunShapeQueryVariables>;