import type { WorkloadId } from '../domain/workload.ts';
import type { RunEvents } from '../reads/run-events.ts';
import type { RunAnnotation, RunFinding } from '../reads/run-metrics.ts';
import type { ClusterView } from '../reads/view.ts';
import { annotations } from '../runs/names.ts';
import type { Resume } from '../samples/resumes.ts';
import { formatInstant } from '../window/instant.ts';
import { joined } from './note.ts';
import type { Operation } from './operation.ts';
import type { RunInWindow, WorkloadInWindow } from './refs.ts';
import { mostShown } from './run-parts.ts';
import { aboutStages, aboutSteps } from './run-step-note.ts';
import { placedWorkloadOf } from './run-workload.ts';
import { counted } from './silence-words.ts';

/** A run that says nothing for longer has fallen silent; a step or an evaluation may take as long. */
const silentS = 300;
/** What a run still says when it has ended: where its last checkpoint lies. */
const lastWordsS = 60;
/** Windows of the last hours end so much before now at the most. */
const gridS = 30;
const namedAtMost = 5;
const ends: ReadonlySet<string> = new Set([annotations.finished, annotations.interrupted]);

/** It is known from outside the window, or there would be no such run. */
const nothingHere =
  'It reported nothing in the window, and something in the last 14 days: a window that holds its last report tells whether it finished, fell silent or has just begun (a window that ends now ends at a whole half minute).';

/** What there is to say about a run; null where there is nothing. */
export async function noteOfRun(run: RunInWindow, operation: Operation): Promise<string | null> {
  const { of, name } = run;
  const [events, workload, findings, told, resumed, stepTimes, stages, pauses] = await Promise.all([
    of.load.runs.events(name),
    placedWorkloadOf(run, {}, operation),
    of.load.runs.findings(name),
    of.load.runs.annotations(name),
    of.load.runs.resumes(name),
    of.load.runs.stepTimes(name),
    of.load.runs.stages(name),
    of.load.runs.pauses(name),
  ]);
  if (!events) return nothingHere;
  return joined([
    ...aboutWorkload(events, workload),
    ...aboutSteps(stepTimes, pauses),
    ...aboutStages(stages),
    ...aboutFindings(findings),
    ...aboutResumes(resumed),
    ...aboutSilence(events, told, of.view),
    ...beyond('annotations', told.length),
    ...beyond('resumes', resumed.length),
  ]);
}

function aboutWorkload({ workloads }: RunEvents, known: WorkloadInWindow | null): string[] {
  const [newest, ...others] = workloads;
  if (!newest) return ['It was reported for no workload, so nothing tells on which nodes it ran.'];
  return [
    ...(known ? [] : [`It was reported for ${called(newest)}, and the store tells of none of its pods.`]),
    ...(others.length > 0
      ? [`It was reported for other workloads too: ${named(others.map(called))}; the newest is shown.`]
      : []),
  ];
}

/** A workload in words. */
export const called = ({ kind, namespace, name }: WorkloadId): string => `${kind} ${namespace}/${name}`;

function aboutFindings(findings: readonly RunFinding[]): string[] {
  if (findings.length === 0) return [];
  const names = [...new Set(findings.map(({ name }) => name))];
  const first = formatInstant(findings[0]!.at);
  return [
    `${counted(findings.length, 'value')} of ${named(names)} ${findings.length === 1 ? 'was no number' : 'were no numbers'}, the first at ${first}; they are in no mean.`,
    ...beyond('findings', findings.length),
  ];
}

function aboutResumes(resumed: readonly Resume[]): string[] {
  const last = resumed.at(-1);
  if (!last) return [];
  return [
    `It went back to an earlier step ${resumed.length === 1 ? 'once' : `${resumed.length} times`}, last from step ${last.fromStep} to ${last.toStep} at ${formatInstant(last.at)}: steps between were done twice.`,
  ];
}

function aboutSilence(
  { moments }: RunEvents,
  told: readonly RunAnnotation[],
  { until, newest, window: { end } }: ClusterView,
): string[] {
  const lastAt = moments.times.at(-1)!;
  const hasEnded = told.some(({ name, at }) => ends.has(name) && at >= lastAt - lastWordsS);
  if (hasEnded || until - lastAt <= silentS) return [];
  const since = formatInstant(lastAt);
  // Of what came after the window nothing was read.
  if (newest - end > gridS)
    return [
      `It reported nothing from ${since} to the end of the window, and neither that it finished nor that it was interrupted; whether it went on, a later window tells.`,
    ];
  return [
    `It reported nothing since ${since}, and neither that it finished nor that it was interrupted: it may hang, be in one long step, or have lost its way to report.`,
  ];
}

const beyond = (what: string, count: number): string[] =>
  count > mostShown ? [`${count - mostShown} older ${what} are not shown.`] : [];

const named = (names: readonly string[]): string =>
  names.length > namedAtMost
    ? `${names.slice(0, namedAtMost).join(', ')} and ${names.length - namedAtMost} more`
    : names.join(', ');
