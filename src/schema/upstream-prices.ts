import { baselineReachS } from '../samples/increase.ts';
import { type Part, wantsRaw } from '../reads/gauge-plan.ts';
import { pieces } from '../reads/run-rows.ts';
import { reachS } from '../rules/finding.ts';
import type { Window } from '../window/window.ts';

/** What a reading is read under. */
export interface Under {
  readonly window: Window;
  /** Seconds between samples of GPUs, and of hosts. */
  readonly gpuS: number;
  readonly hostS: number;
}

/** How many series of it one node has; those of a run are no node's. */
export type Series = 'gpu' | 'host' | 'device' | 'run';

/** What a reading costs the stores for each of its series: the points of each request, added up over its requests. */
export interface Price {
  readonly series: Series;
  readonly points: (parts: ReadonlySet<string>, under: Under) => number;
}

const daysOf = ({ start, end }: Window): number => Math.max(1, Math.ceil((end - start) / 86_400));
const span = ({ start, end }: Window): number => end - start;

/** Raw samples where few fall into a bucket; else one request a part, each looking at every bucket, and a guard. */
function ofGauge(parts: ReadonlySet<string>, { window, gpuS }: Under): number {
  const wanted = new Set([...parts].filter((part) => part !== '__typename')) as unknown as ReadonlySet<Part>;
  if (wantsRaw(wanted, window, gpuS)) return Math.ceil(span(window) / gpuS);
  const figures = (['values', 'mean', 'min', 'max'] as const).filter((part) => wanted.has(part)).length;
  const tail = wanted.has('last') || wanted.has('lastAt') || figures === 0 ? 1 : 0;
  const guard = figures > 0 && !(wanted.has('min') && wanted.has('max')) ? 1 : 0;
  const firstBucket = wanted.has('values') && window.t0 < window.start ? 1 : 0;
  return (figures + guard + tail + firstBucket) * Math.max(window.points, Math.ceil(tailS / gpuS));
}
const tailS = 300;

/** Of every host reading the raw samples are read, from before the window where it is a rate. */
const ofHost =
  (requests: number): Price['points'] =>
  (_parts, { window, hostS }) =>
    requests * Math.ceil((span(window) + baselineReachS) / hostS);

/** Requests of a report of a healthy fleet, by kind; what several kinds share counts for each. */
const flagRequests: Readonly<Record<string, number>> = {
  THERMAL_THROTTLE: 5,
  POWER_CAP: 3,
  UTILIZATION_COLLAPSE: 3,
  COMM_ERRORS: 12,
  HOST_PRESSURE: 6,
  MEMORY_PRESSURE: 3,
};

/** The store looks at each sample of the window, and at those that tell whether an edge cuts a condition. */
function ofFlags(parts: ReadonlySet<string>, window: Window, everyS: number): number {
  const requests = [...parts].reduce((sum, kind) => sum + (flagRequests[kind] ?? 0), 0);
  return requests * Math.ceil((span(window) + 2 * reachS) / everyS);
}

/** Silence shows in the samples themselves, where their number does not rule it out. */
const heartbeats = ({ window, gpuS }: Under): number => Math.ceil((span(window) + reachS) / gpuS);

const few =
  (requests: number, points = 2): Price['points'] =>
  () =>
    requests * points;
const gpu = (points: Price['points']): Price => ({ series: 'gpu', points });
const host = (points: Price['points']): Price => ({ series: 'host', points });
const device = (points: Price['points']): Price => ({ series: 'device', points });

const run = (points: Price['points']): Price => ({ series: 'run', points });

/** A run is taken to end a step so often, and to have so many series. */
const stepS = 5;
const seriesOfRun = 20;
/** Samples are counted in pieces before they are read. */
const ofRun =
  (series: number): Price['points'] =>
  (_parts, { window }) =>
    series * (pieces + Math.ceil(span(window) / stepS));

/** Families, each of which a look at what answered counts on its own. */
const looked = 20;
/** When pods ran is asked in so many pieces of each day, and what edges those have. */
const piecesOfDay = 44;

/** What each reading costs, by the name that loaders share. */
export const prices = {
  /** Label sets of what tells of nodes and GPUs, what Kubernetes knows, and which metrics there are. */
  inventory: gpu(few(6)),
  gauge: gpu(ofGauge),
  /** Both ends, and resets. */
  counter: gpu(few(3)),
  /** Several metrics, or several series to a GPU. */
  counters: gpu(few(6)),
  events: gpu(few(4)),
  /** A GPU that shows no fault has none only where it was heard. */
  faults: gpu((_parts, under) => 4 * 2 + heartbeats(under)),
  coverage: gpu(few(3, looked)),
  /** Coverage, codes that stand, and silences of GPUs and hosts. */
  note: gpu((_parts, under) => (3 + 4) * looked + 2 * heartbeats(under)),
  states: host(few(1)),
  episodes: host((_parts, { window }) => 3 * 15 * daysOf(window)),
  /** How often each temperature was read, on a grid. */
  reference: gpu(few(1, 300)),
  flags: gpu((kinds, { window, gpuS }) => ofFlags(kinds, window, gpuS)),
  hostFlags: host((kinds, { window, hostS }) => ofFlags(kinds, window, hostS)),
  /** Pods of a node are taken to be as many as its GPUs. */
  workloads: gpu((_parts, { window }) => 3 * piecesOfDay * daysOf(window)),
  placement: gpu((_parts, { window }) => 4 * piecesOfDay * daysOf(window)),
  /** Of each run, with its workload; and once more for one that the window does not hold. */
  runs: run(few(2, pieces)),
  runSeries: run(ofRun(1)),
  /** Every series, and what was no number of it. */
  runMetrics: run(ofRun(2 * seriesOfRun)),
  /** Every leaf of the piece of the window that holds the last report. */
  runStatus: run(ofRun(seriesOfRun / pieces)),
  /** On a grid twice as fine as the samples, and when each was taken. */
  processors: host(ofHost(2 * 2)),
  /** With the number of cores. */
  load: host(ofHost(2)),
  pressure: host(ofHost(1)),
  traffic: device(ofHost(1)),
  /** Both directions. */
  losses: device(ofHost(2)),
} as const satisfies Record<string, Price>;

export type Priced = keyof typeof prices;
