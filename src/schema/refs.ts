import type { Check, Family, FlagKind } from '../domain/fleet.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Finding } from '../rules/finding.ts';
import type { Target } from '../rules/target.ts';
import type { Change } from '../live/changes.ts';
import type { Coverage } from '../reads/coverage.ts';
import type { Episode } from '../reads/episodes.ts';
import type { RunWritten } from '../reads/run-report.ts';
import type { GpuEntry } from '../reads/gpu-entry.ts';
import type { Inventory, NodeEntry } from '../reads/inventory.ts';
import type { QueryAnswer } from '../reads/query-answer.ts';
import type { AnswerSeries } from '../reads/query-series.ts';
import type { RunFinding, RunMetric, RunAnnotation } from '../reads/run-metrics.ts';
import type { RunPause } from '../reads/run-pauses.ts';
import type { SlowStretch } from '../rules/slowdown.ts';
import type { RunState } from '../reads/run-status.ts';
import type { Resume } from '../samples/resumes.ts';
import type { Placed, Placement } from '../reads/placement.ts';
import type { SeriesData } from '../reads/series-data.ts';
import type { WorkloadId } from '../domain/workload.ts';
import type { Limits, Standing } from '../domain/limits.ts';
import type { ClusterSite, Organization } from '../domain/site.ts';
import type { Window } from '../window/window.ts';
import { builder } from './builder.ts';
import type { Page } from './connection.ts';
import type { ClusterInWindow } from './operation.ts';

/** A node of a cluster under a window. */
export interface NodeInWindow {
  readonly of: ClusterInWindow;
  readonly entry: NodeEntry;
}
export interface GpuInWindow {
  readonly node: NodeInWindow;
  readonly entry: GpuEntry;
}

/** A workload of a cluster under a window. Its placement is read once, with those of others that a document asks about. */
export interface WorkloadInWindow {
  readonly of: ClusterInWindow;
  readonly id: WorkloadId;
  readonly placement: () => Promise<Placement>;
}

/** A training run of a cluster under a window; everything about it is read with that of others that a document asks about. */
export interface RunInWindow {
  readonly of: ClusterInWindow;
  readonly name: string;
}
/** A stretch in which a run was slow. What was seen of its nodes is read where somebody asks for it, once for all stretches. */
export interface SlowdownInWindow {
  readonly of: ClusterInWindow;
  readonly stretch: SlowStretch;
  readonly pauses: readonly RunPause[];
  readonly evidence: () => Promise<SlowEvidence>;
}
export interface RunMetricInWindow {
  readonly of: ClusterInWindow;
  readonly metric: RunMetric;
}

export interface PlacedInWindow {
  readonly node: NodeInWindow;
  readonly placed: Placed;
}

/** A node, and what of its time is judged. */
export interface NodeTarget extends Omit<Target, 'kinds'> {
  readonly node: NodeInWindow;
  /** GPUs of it were used, so that one which shows none was not seen. */
  readonly expectsGpus: boolean;
}

/** A node with what is known of it. */
export interface JudgedNode extends NodeTarget {
  readonly evidence: Evidence;
}

export interface FlagInWindow {
  readonly node: NodeInWindow;
  readonly finding: Finding;
  readonly target: Target;
  /** Where it is known already. */
  readonly key?: string;
}

export interface Report {
  readonly of: ClusterInWindow;
  readonly asked: ReadonlySet<FlagKind>;
  /** What of it the maker's readings can tell. */
  readonly checked: readonly Check[];
  readonly nodes: readonly JudgedNode[];
  /** All that fired, the worst first. */
  readonly fired: readonly FlagInWindow[];
  readonly shown: readonly FlagInWindow[];
  /** The store said of some answer that it left something out. */
  readonly partial: boolean;
}

/** What the platform saw on a run's nodes during a stretch. */
export interface SlowEvidence {
  /** The run's report, of the time that its workload was Running inside the stretch; null where nothing tells of its nodes. */
  readonly report: Report | null;
  readonly flags: readonly { readonly flag: FlagInWindow; readonly overlapS: number }[];
  /** Without a flag: those for which every check was answered throughout, and those for which that cannot be said. */
  readonly clean: readonly NodeInWindow[];
  readonly unsure: readonly NodeInWindow[];
  /** Those that answered throughout for some node. */
  readonly families: readonly Family[];
  /** Why it is not known, or not for sure, where the run was; in clauses. */
  readonly placementDoubts: readonly string[];
  /** Why nodes cannot be called clean; in clauses. */
  readonly nodeDoubts: readonly string[];
}

/** What happened to a flag, as a subscriber is told. */
export interface FlagChange extends Change<FlagInWindow> {
  readonly cursor: () => string;
}

/** A cluster in this moment, as a subscriber wants it. */
export interface LiveReadings {
  readonly of: ClusterInWindow;
  readonly inventory: Inventory;
  readonly names: readonly string[] | null;
}

/** An answer to a client's PromQL, with what was asked of whom. */
export interface QueryInWindow extends QueryAnswer {
  readonly query: string;
  readonly window: Window;
  readonly instant: boolean;
  readonly clusters: readonly ClusterSite[];
  /** All of the store was asked, whatever its series carry. */
  readonly exclusive: boolean;
}

/** What became of the events of a report. */
export interface ReportedRun extends RunWritten {
  readonly skipped: readonly { readonly kind: string; readonly count: number }[];
  /** By their places in the report, from 0. */
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
  /** The state was of a time that has not come. */
  readonly isStateAhead: boolean;
}

// Every type by name and shape, so that types which show each other need not import each other.
export const OrganizationRef = builder.objectRef<Organization>('Organization');
export const LimitsRef = builder.objectRef<{ limits: Limits; standing: Standing }>('Limits');
export const WindowRef = builder.objectRef<Window>('Window');
export const ClusterRef = builder.objectRef<ClusterInWindow>('Cluster');
export const ReferenceRef = builder.objectRef<{ gpuModel: string; tempP95C: number; note: string }>('Reference');
export const CoverageRef = builder.objectRef<Coverage>('Coverage');
export const NodeRef = builder.objectRef<NodeInWindow>('Node');
export const NodeConnectionRef = builder.objectRef<Page<NodeInWindow>>('NodeConnection');
export const NodeEdgeRef = builder.objectRef<{ cursor: string; node: NodeInWindow }>('NodeEdge');
export const PageInfoRef = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo');
export const GpuRef = builder.objectRef<GpuInWindow>('Gpu');
export const SeriesRef = builder.objectRef<SeriesData>('Series');
export const ThrottleRef = builder.objectRef<GpuInWindow>('Throttle');
export const ClockEventRef = builder.objectRef<{ kind: string; count: number }>('ClockEvent');
export const GpuErrorsRef = builder.objectRef<GpuInWindow>('GpuErrors');
export const HostRef = builder.objectRef<NodeInWindow>('Host');
export const HostPressureRef = builder.objectRef<NodeInWindow>('HostPressure');
export const HostNicRef = builder.objectRef<NodeInWindow>('HostNic');
export const NorthSouthRef = builder.objectRef<NodeInWindow>('NorthSouth');
export const HealthEpisodeRef = builder.objectRef<Episode>('HealthEpisode');
export const FlagReportRef = builder.objectRef<Report>('FlagReport');
export const FlagRef = builder.objectRef<FlagInWindow>('Flag');
export const ClippedRef = builder.objectRef<FlagInWindow['finding']['clipped']>('Clipped');
export const EpisodeBoundsRef = builder.objectRef<Episode>('EpisodeBounds');
export const EvidenceRef = builder.objectRef<FlagInWindow>('Evidence');
export const WorkloadRef = builder.objectRef<WorkloadInWindow>('Workload');
export const WorkloadConnectionRef = builder.objectRef<Page<WorkloadInWindow>>('WorkloadConnection');
export const WorkloadEdgeRef = builder.objectRef<{ cursor: string; node: WorkloadInWindow }>('WorkloadEdge');
export const MetricsQueryResultRef = builder.objectRef<QueryInWindow>('MetricsQueryResult');
export const QuerySeriesRef = builder.objectRef<AnswerSeries>('QuerySeries');
export const FlagChangeRef = builder.objectRef<FlagChange>('FlagChange');
export const ReadingsRef = builder.objectRef<LiveReadings>('Readings');
export const RunReportRef = builder.objectRef<ReportedRun>('RunReport');
export const RunSkippedRef = builder.objectRef<ReportedRun['skipped'][number]>('RunSkipped');
export const RunRejectedRef = builder.objectRef<ReportedRun['rejected'][number]>('RunRejected');
export const PlacementRef = builder.objectRef<PlacedInWindow>('Placement');
export const RunRef = builder.objectRef<RunInWindow>('Run');
export const RunConnectionRef = builder.objectRef<Page<RunInWindow>>('RunConnection');
export const RunEdgeRef = builder.objectRef<{ cursor: string; node: RunInWindow }>('RunEdge');
export const RunMetricRef = builder.objectRef<RunMetricInWindow>('RunMetric');
export const RunFindingRef = builder.objectRef<RunFinding>('RunFinding');
export const RunAnnotationRef = builder.objectRef<RunAnnotation>('RunAnnotation');
export const RunPauseRef = builder.objectRef<RunPause>('RunPause');
export const SlowdownRef = builder.objectRef<SlowdownInWindow>('Slowdown');
export const RunResumeRef = builder.objectRef<Resume>('RunResume');
export const RunStatusRef = builder.objectRef<RunState>('RunStatus');
