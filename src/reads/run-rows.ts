import type { Matcher } from '../domain/matcher.ts';
import type { Row } from '../domain/series.ts';
import { Refusal } from '../errors.ts';
import { between } from '../samples/stream.ts';
import { oneOf, promql, select, span, type ScopedQuery } from '../scope/scope.ts';
import type { ClusterView } from './view.ts';

/** What is read of runs: a metric of theirs, and which series of it. */
export interface RunReading {
  /** A short name for it, which clients may see. */
  readonly what: string;
  readonly metric: string;
  readonly matchers?: readonly Matcher[];
  /** Samples that are read of it, of all its runs together; mostRunSamples where left out. */
  readonly most?: number;
}

/** A stretch of time, `(start, end]`, epoch seconds. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The rows of each run; a refusal of those that have too many samples. */
export type RunRows = ReadonlyMap<string, readonly Row[] | Refusal>;

/** Raw samples that one reading sends, of all its runs together: a step each second of 50 runs over a day, and some more. */
export const mostRunSamples = 5_000_000;
/** The same of what is told one by one, each as a thing of its own. */
export const mostTold = 150_000;
/** Counts that are read: series, times the pieces in which they have samples. Each label set takes a thousand bytes here. */
const mostCounts = 1_000_000;
/** Samples are counted in so many pieces: a store that looks at weeks at once holds all of them in memory. */
export const pieces = 8;
/** VictoriaMetrics takes no query longer than 16 KiB, and a dot in a name may take three characters. */
const charactersPerRequest = 4_000;

/**
 * How many samples each series has: one row a series, one value for each piece of the stretch that has any. What has no
 * sample in it has no row.
 *
 * Upstream: one request, whose answer grows with the series alone; very many names take several.
 *
 * @param runs  all of the cluster where left out
 */
export function countRunSamples(
  view: ClusterView,
  reading: RunReading,
  stretch: Stretch,
  runs?: readonly string[],
): Promise<readonly Row[]> {
  const { end } = reached(view, stretch);
  const length = pieceOf(reached(view, stretch));
  let counts = 0;
  return eachRequest(runs, async (names) => {
    // A piece that is closed at its left end too counts a sample too many; one that is short would hide it.
    const query = promql`count_over_time(${selectorOf(view, reading, names)}[${span(length)}])`;
    const rows = await view.rows(`${reading.what}: counted`, {
      kind: 'range',
      query,
      start: end - (pieces - 1) * length,
      end,
      step: length,
      most: mostCounts,
    });
    counts += rows.reduce((sum, { times }) => sum + times.length, 0);
    if (counts > mostCounts) throw tooManySeries();
    return rows;
  }).catch(told);
}

/**
 * The stretch without what is still to come: of a point that lies after its own now VictoriaMetrics tells what the point
 * before it says.
 */
export const reached = ({ newest }: ClusterView, { start, end }: Stretch): Stretch => ({
  start,
  end: newest > start ? Math.min(end, Math.floor(newest * 1000) / 1000) : end,
});

/** The length of a piece, in whole milliseconds, as stores reckon: the first may begin a little before the stretch. */
export const pieceOf = ({ start, end }: Stretch): number => Math.ceil(Math.round((end - start) * 1000) / pieces) / 1000;

/**
 * The raw samples of a reading of many runs. They are counted first, so that no store begins what cannot be read; runs with
 * the fewest come first, and those for which there is no room are refused one by one.
 *
 * Upstream: a count, and the samples, where there are any; each once for all runs, whose names may take several.
 */
export async function readRunRows(
  view: ClusterView,
  reading: RunReading,
  stretch: Stretch,
  runs: readonly string[],
): Promise<RunRows> {
  const counted = byRun(await countRunSamples(view, reading, stretch, runs));
  const sizes = [...counted].map(([run, rows]) => ({ run, size: sizeOf(rows) })).sort((a, b) => a.size - b.size);
  const found = new Map<string, readonly Row[] | Refusal>();
  const fitting: string[] = [];
  const { room: document } = view.upstream;
  const most = Math.min(reading.most ?? mostRunSamples, document.samples);
  let room = most;
  for (const { run, size } of sizes) {
    if (size > room) found.set(run, tooMany(run, size, most));
    else {
      room -= size;
      fitting.push(run);
    }
  }
  document.samples -= most - room;
  if (fitting.length === 0) return found;
  const rows = await eachRequest(fitting, (names) => {
    const query = promql`${selectorOf(view, reading, names)}[${span(stretch.end - stretch.start)}]`;
    return view.rows(reading.what, { kind: 'instant', query, time: stretch.end });
  });
  for (const [run, own] of byRun(rows.map((row) => inside(row, stretch)))) found.set(run, own);
  return found;
}

const selectorOf = (view: ClusterView, { metric, matchers = [] }: RunReading, runs?: readonly string[]): ScopedQuery =>
  select(view.cluster, metric, [...(runs ? [oneOf('run', runs)] : []), ...matchers]);

async function eachRequest(
  runs: readonly string[] | undefined,
  ask: (names?: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (runs === undefined) return ask();
  return (await Promise.all([...inRequests(runs)].map(ask))).flat();
}

/** In the order of their labels, so that of two series the same one comes first each time. */
export function byRun(rows: readonly Row[]): Map<string, Row[]> {
  const ordered = rows
    .filter(({ times }) => times.length > 0)
    .map((row) => ({ row, key: JSON.stringify(Object.entries(row.labels).sort(([a], [b]) => (a < b ? -1 : 1))) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
  return Map.groupBy(ordered, ({ labels }) => labels['run'] ?? '');
}

// Engines differ on whether a range holds its left end; a run's times are exact to the millisecond.
const inside = (row: Row, { start, end }: Stretch): Row => ({ labels: row.labels, ...between(row, start, end) });

const sizeOf = (counted: readonly Row[]): number =>
  counted.reduce((sum, { values }) => values.reduce((all, value) => all + value, sum), 0);

function* inRequests(runs: readonly string[]): Generator<readonly string[]> {
  let [names, length]: [string[], number] = [[], 0];
  for (const run of [...runs].sort()) {
    if (names.length > 0 && length + run.length > charactersPerRequest) {
      yield names;
      [names, length] = [[], 0];
    }
    names.push(run);
    length += run.length;
  }
  if (names.length > 0) yield names;
}

/** @throws Refusal, in words about runs */
function told(error: unknown): never {
  throw error instanceof Refusal && error.code === 'QUERY_TOO_LARGE' ? tooManySeries(error) : error;
}

const tooManySeries = (cause?: unknown): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    'The runs that are asked about have more series in the window than are read; narrow the window, name fewer runs or metrics, or report with fewer different names and metadata.',
    { cause },
  );

const tooMany = (run: string, size: number, most: number): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    `Run ${JSON.stringify(run)} has ${size.toLocaleString('en')} samples of it in the window, and no more than ${most.toLocaleString('en')} are read for all runs of a document; narrow the window, ask for fewer runs, or send several documents.`,
  );
