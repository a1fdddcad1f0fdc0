import type { Row } from '../domain/series.ts';
import { Refusal } from '../errors.ts';
import { stateOf } from '../runs/status.ts';
import { leafIn, stored } from '../runs/stored.ts';
import { between } from '../samples/stream.ts';
import { byRun, countRunSamples, pieceOf, reached, readRunRows, type RunReading } from './run-rows.ts';
import type { ClusterView } from './view.ts';

/** The state that a run's status file had, and when that was read, epoch seconds. */
export interface RunState {
  readonly at: number;
  readonly state: unknown;
}

const reading: RunReading = { what: 'runs: status', metric: stored.status };

/**
 * The last state of each run inside the window. Every report repeats every leaf, so only the piece of the window that holds
 * a run's last report is read.
 *
 * Upstream: one request that tells in which piece; then two for each piece that is the last of some, eight at most.
 */
export async function readRunStates(
  view: ClusterView,
  runs: readonly string[],
): Promise<ReadonlyMap<string, RunState | Refusal>> {
  const counted = byRun(await countRunSamples(view, reading, view.window, runs));
  const last = [...counted].map(([run, rows]) => ({ run, to: newestOf(rows) }));
  const length = pieceOf(reached(view, view.window));
  const found = await Promise.all(
    [...Map.groupBy(last, ({ to }) => to)].map(([end, own]) =>
      readRunRows(
        view,
        reading,
        // What a piece counts may lie at its very beginning.
        { start: Math.max(view.window.start, end - length - 0.001), end },
        own.map(({ run }) => run),
      ),
    ),
  );
  return new Map(
    found.flatMap((each) => [...each]).map(([run, rows]) => [run, rows instanceof Refusal ? rows : lastOf(rows)!]),
  );
}

/** A run can have more series than a call takes arguments. */
const newestOf = (rows: readonly Row[]): number =>
  rows.reduce((newest, { times }) => Math.max(newest, times.at(-1) ?? -Infinity), -Infinity);

/** All leaves of one report have its time. */
function lastOf(rows: readonly Row[]): RunState | null {
  const at = newestOf(rows);
  const leaves = rows
    .map((row) => ({ labels: row.labels, ...between(row, at - 0.0005, at) }))
    .filter(({ times }) => times.length > 0)
    .map(({ labels, values }) => leafIn(labels, values[0]!))
    .filter((leaf) => leaf !== null);
  return { at, state: stateOf(leaves) };
}
