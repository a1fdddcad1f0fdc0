import DataLoader from 'dataloader';
import type { Row } from '../domain/series.ts';
import type { WorkloadId } from '../domain/workload.ts';
import { type RunEvents, runEventsOf } from '../reads/run-events.ts';
import {
  annotationsOf,
  findingsOf,
  metricsOf,
  type RunAnnotation,
  type RunFinding,
  type RunMetric,
} from '../reads/run-metrics.ts';
import { longestPauseS, pausesOf, type RunPause } from '../reads/run-pauses.ts';
import { type MetricFilter, metricReadings, rateOf, runReadings } from '../reads/run-readings.ts';
import { byRun, countRunSamples, readRunRows, type RunReading } from '../reads/run-rows.ts';
import { type RunStage, stagesOf } from '../reads/run-stages.ts';
import { readRunStates, type RunState } from '../reads/run-status.ts';
import { knownRuns, readRuns } from '../reads/runs.ts';
import type { ClusterView } from '../reads/view.ts';
import { Refusal } from '../errors.ts';
import type { SlowRule } from '../rules/slowdown.ts';
import { merged } from '../samples/merged.ts';
import { type Resume, resumes } from '../samples/resumes.ts';
import { empty, type Stream } from '../samples/stream.ts';
import { batched, type Rhythm, type WholeRhythm } from './batch.ts';

/** One view's training runs: each reading is fetched for all runs that a document asks about at once. */
export class RunLoaders {
  readonly #view: ClusterView;
  readonly #whole: WholeRhythm;
  readonly #settled: Rhythm;
  readonly #held = new Map<string, DataLoader<string, unknown, string>>();
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #rules = new Map<string, Set<string>>();
  readonly #known: DataLoader<string, boolean, string>;
  readonly #events: DataLoader<string, RunEvents | null, string>;
  #listed: Promise<ReadonlyMap<string, readonly WorkloadId[]>> | undefined;

  /** @param settled  what batches of readings wait for */
  constructor(view: ClusterView, operation: WholeRhythm, settled: Rhythm) {
    this.#view = view;
    this.#whole = operation;
    this.#settled = settled;
    this.#known = new DataLoader(async (names) => {
      const known = await knownRuns(view, names);
      return names.map((name) => known.has(name));
    });
    this.#events = new DataLoader<string, RunEvents | null, string>(async (names) => {
      const rows = await readRunRows(view, runReadings.events, view.window, names);
      return names.map((name) => {
        const own = rows.get(name);
        return own instanceof Error ? own : runEventsOf(own ?? []);
      });
    });
  }

  /** The runs of the window, with the workloads that they were reported for. */
  listed(): Promise<ReadonlyMap<string, readonly WorkloadId[]>> {
    this.#listed ??= this.#whole.structure.track(readRuns(this.#view));
    return this.#listed;
  }

  /** Whether it reported in the window or in the last 14 days. */
  isKnown(run: string): Promise<boolean> {
    return this.#whole.structure.track(this.#known.load(run));
  }

  /** Null where it reported nothing in the window. They tell of its workload, and that of nodes: so they wait for nothing. */
  events(run: string): Promise<RunEvents | null> {
    return this.#whole.structure.track(this.#events.load(run));
  }

  /** What each training step took, seconds, at its end. Null where the window has none. */
  stepTimes(run: string): Promise<Stream | null> {
    return this.#stream(runReadings.stepSeconds, run);
  }

  /** The stages of its training steps, the fastest first; what they took is read once for this and `stepTimes`. */
  async stages(run: string): Promise<readonly RunStage[]> {
    return stagesOf(await this.#rows(runReadings.stepSeconds, run));
  }

  rate(counter: string, run: string): Promise<Stream | null> {
    return this.#stream(rateOf(counter), run);
  }

  pauses(run: string): Promise<readonly RunPause[]> {
    return this.#once(['pauses', run], () => this.#pausesOf(run));
  }

  async #pausesOf(run: string): Promise<readonly RunPause[]> {
    const after = Math.floor(Math.min(this.#view.newest, this.#view.window.end + longestPauseS));
    const until = Math.max(this.#view.window.end, after);
    const [evaluations, checkpoints] = await Promise.all([
      this.#rows(runReadings.evaluations, run, until),
      this.#rows(runReadings.checkpoints, run, until),
    ]);
    return pausesOf(evaluations, checkpoints, this.#view.window);
  }

  /** Without numbers they are only counted, which costs little in any window. */
  metrics(filter: MetricFilter & { numbers: boolean }, run: string): Promise<readonly RunMetric[]> {
    return this.#once(['metrics', run, filter], () => this.#metricsOf(filter, run));
  }

  async #metricsOf(
    { numbers, ...filter }: MetricFilter & { numbers: boolean },
    run: string,
  ): Promise<readonly RunMetric[]> {
    const { values, findings } = metricReadings(filter);
    const read = numbers ? this.#rows.bind(this) : this.#counts.bind(this);
    const [found, others] = await Promise.all([read(values, run), read(findings, run)]);
    return metricsOf(found, others);
  }

  findings(run: string): Promise<readonly RunFinding[]> {
    return this.#once(['findings', run], async () => findingsOf(await this.#rows(runReadings.findings, run)));
  }

  annotations(run: string): Promise<readonly RunAnnotation[]> {
    return this.#once(['annotations', run], async () => annotationsOf(await this.#rows(runReadings.annotations, run)));
  }

  resumes(run: string): Promise<readonly Resume[]> {
    return this.#once(['resumes', run], async () => {
      const [events, stepTimes] = await Promise.all([this.events(run), this.stepTimes(run)]);
      return events ? resumes(events.steps, stepTimes ?? empty) : [];
    });
  }

  /**
   * What a run comes to by a rule, once for each.
   *
   * @throws Refusal QUERY_TOO_LARGE: too many rules, each of which looks at all of its steps
   */
  async judged<V>(run: string, rule: SlowRule, judge: () => Promise<V>): Promise<V> {
    const rules = this.#rules.get(run) ?? new Set();
    this.#rules.set(run, rules.add(JSON.stringify(rule)));
    if (rules.size > mostRules) throw tooManyRules(run);
    return this.#once(['judged', run, rule], judge);
  }

  status(run: string): Promise<RunState | null> {
    return this.#load<RunState>('status', run, async (runs) => {
      const states = await readRunStates(this.#view, runs);
      return (each) => states.get(each) ?? null;
    });
  }

  #stream(reading: RunReading, run: string): Promise<Stream | null> {
    return this.#once(['stream', run, reading], async () => {
      const rows = await this.#rows(reading, run);
      return rows.length > 0 ? merged(rows) : null;
    });
  }

  /** However many aliases want it: a run can have millions of samples, and each making of something looks at all of them. */
  #once<V>(what: readonly unknown[], make: () => Promise<V>): Promise<V> {
    const key = JSON.stringify(what);
    const made = (this.#made.get(key) as Promise<V> | undefined) ?? make();
    this.#made.set(key, made);
    return made;
  }

  /** @param until  the window's end where left out */
  async #rows(reading: RunReading, run: string, until = this.#view.window.end): Promise<readonly Row[]> {
    const { start } = this.#view.window;
    const rows = await this.#load<readonly Row[]>(JSON.stringify([reading, until]), run, async (runs) => {
      const found = await readRunRows(this.#view, reading, { start, end: until }, runs);
      return (each) => found.get(each) ?? null;
    });
    return rows ?? [];
  }

  /** One row for each series that has a sample; what it holds is how many. */
  async #counts(reading: RunReading, run: string): Promise<readonly Row[]> {
    const rows = await this.#load<readonly Row[]>(JSON.stringify([reading, 'counted']), run, async (runs) => {
      const found = byRun(await countRunSamples(this.#view, reading, this.#view.window, runs));
      return (each) => found.get(each) ?? null;
    });
    return rows ?? [];
  }

  #load<V>(
    name: string,
    run: string,
    read: (runs: readonly string[]) => Promise<(run: string) => V | Error | null>,
  ): Promise<V | null> {
    const held = this.#held.get(name) as DataLoader<string, V | null, string> | undefined;
    if (held) return held.load(run);
    const made = batched<string, V>(this.#settled, name, (each) => each, read);
    this.#held.set(name, made as DataLoader<string, unknown, string>);
    return made.load(run);
  }
}

/** Ways to ask for the slowdowns of a run in one window. */
const mostRules = 10;

const tooManyRules = (run: string): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    `The document asks for the slowdowns of run ${JSON.stringify(run)} in more than ${mostRules} ways under one window; send several documents.`,
  );
