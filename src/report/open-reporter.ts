import { metadataFault } from '../runs/metadata.ts';
import { CannotReport } from './cannot-report.ts';
import { Course } from './course.ts';
import { openSink } from './open-sink.ts';
import { Pen } from './pen.ts';
import { Reporter } from './reporter.ts';
import { State } from './state.ts';
import { statusFile } from './status-file.ts';
import { type Environment, targetOf } from './target.ts';
import { wholeLines } from './whole-lines.ts';

export interface ReporterOptions {
  /** Stages of the curriculum, in their order; the run begins in the first. */
  readonly stages?: readonly string[];
  /** Counters that are reported from the first step on, with what they begin at: 0, or what a checkpoint has. */
  readonly counters?: Readonly<Record<string, number>>;
  /** Which diagnostics are reported, and on every how many steps: `{ 'grad-norm': 100 }`. The others cost nothing. */
  readonly diagnostics?: Readonly<Record<string, number>>;
  /** A file for the run's state, written again whole each time. */
  readonly status?: string;
  /** The command line without the program; `--metrics` and `--json` are read. */
  readonly argv?: readonly string[];
  readonly env?: Environment;
  /** Milliseconds since 1970. Where it is given, durations are measured with it too. */
  readonly now?: () => number;
  /** Takes a line that is to go to standard output. */
  readonly write?: (line: string) => void;
  /** Takes a line for people: standard error. */
  readonly say?: (line: string) => void;
  readonly fetch?: typeof fetch;
}

/**
 * Opens the reporter of a run, and says where its numbers go.
 *
 * @throws CannotReport: the target is none, or cannot be reached as it is told; the message says what to change
 */
export async function openReporter(options: ReporterOptions = {}): Promise<Reporter> {
  const { stages = [], counters = {}, diagnostics = {}, argv = process.argv.slice(2), env = process.env } = options;
  const { now = Date.now, say = console.error, write = wholeLines(1) } = options;
  // A wall clock can be set back, and a step would take less than no time.
  const elapsed = options.now ?? (() => performance.now());
  check({ stages, counters, diagnostics });
  const { target, json } = targetOf(argv, env);
  const file = options.status === undefined ? null : statusFile(options.status, say);
  const sink = await openSink(target, { say, write, ...(options.fetch && { fetch: options.fetch }) });
  say(`metrics: ${sink.place}`);
  const course = new Course({ pen: new Pen(sink, now), elapsed, stages, counters, diagnostics });
  return new Reporter(sink, course, new State(sink, { now, elapsed }, file), (summary) => {
    if (sink.tally.words !== null) say(`metrics: ${sink.tally.words}`);
    if (!json) return;
    try {
      write(JSON.stringify(summary));
    } catch (error) {
      say(`The summary could not be written: ${(error as Error).message}`);
    }
  });
}

function check({
  stages,
  counters,
  diagnostics,
}: Required<Pick<ReporterOptions, 'stages' | 'counters' | 'diagnostics'>>): void {
  for (const stage of stages) {
    const fault = typeof stage === 'string' ? metadataFault({ stage }) : 'it is no text';
    if (fault !== null) throw new CannotReport(`stage ${JSON.stringify(stage)}: ${fault}`);
  }
  if (new Set(stages).size < stages.length) throw new CannotReport('Two stages have the same name.');
  for (const [name, total] of Object.entries(counters))
    if (!(total >= 0))
      throw new CannotReport(`counter ${JSON.stringify(name)}: it begins at a number from 0, not ${total}`);
  for (const [name, every] of Object.entries(diagnostics))
    if (!Number.isInteger(every) || every < 1)
      throw new CannotReport(
        `diagnostic ${JSON.stringify(name)}: it is sampled on every how many steps, from 1, not ${every}`,
      );
}
