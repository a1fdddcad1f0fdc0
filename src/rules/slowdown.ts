import { medianOf } from '../samples/median.ts';
import { between, type Stream } from '../samples/stream.ts';
import type { Finding } from './finding.ts';
import { Pauses } from './pauses.ts';
import { covered, type Span } from './span.ts';

/** A step is slow where it takes longer than so many times the median, if nobody says otherwise. */
export const usualFactor = 1.2;

/** When steps count as slow, and for how long they must be. */
export interface SlowRule {
  /** A step is slow where it takes longer than so many times the median. */
  readonly factor: number;
  readonly forAtLeastS: number;
}

/** The time that is judged, `(from, to]`, epoch seconds. */
export interface JudgedRun extends Span {
  /** The run said that it finished, or was interrupted, and reported no step since. */
  readonly isOver: boolean;
}

/** A stretch of slow steps, from the start of the first to the end of the last, inside the judged time. */
export interface SlowStretch extends Span {
  readonly clipped: Finding['clipped'];
  /** How many step times were slow. */
  readonly steps: number;
  /** Seconds. The median is that of all steps of the judged time. */
  readonly medianS: number;
  readonly meanS: number;
  readonly worstS: number;
  /** Its length without pauses. */
  readonly slowS: number;
  /** What of it the steps themselves cover; the rest lies between steps that were told. */
  readonly coveredS: number;
  /** Where no step ended for long, just before it and just after: the run may have been slow there, or not have run. */
  readonly silent: { readonly before: Span | null; readonly after: Span | null };
}

/** No step takes longer than the longest window. */
const longestStepS = 14 * 86_400;
/** A silence longer than so many steps, and than so many seconds, breaks a stretch. */
const [quietSteps, quietS] = [3, 30];
/** Ends are told to the millisecond. */
const roundingS = 0.001;

/** Those step times that can be one. */
export function plausibleSteps({ times, values }: Stream): Stream {
  const kept = values.map((seconds) => Number(seconds > 0 && seconds <= longestStepS));
  return { times: times.filter((_, i) => kept[i]), values: values.filter((_, i) => kept[i]) };
}

/**
 * The stretches in which a run was slower than it usually was: what more than half of its steps do is what is usual.
 *
 * @param steps   seconds that each step took, by its end; it covers that time before
 * @param pauses  evaluation passes and checkpoints; of one without a length only its end is known. They break nothing, and a
 *                step in which one fell neither starts a stretch nor ends one
 */
export function slowStretches(
  steps: Stream,
  pauses: readonly Span[],
  rule: SlowRule,
  judged: JudgedRun,
): SlowStretch[] {
  const inside = between(plausibleSteps(steps), judged.from, judged.to);
  const medianS = medianOf(inside.values);
  const apart = new Pauses(pauses, inside);
  return asOne(slowRuns(inside, apart, rule.factor * medianS, judged))
    .filter(({ from, to }) => to - from - apart.secondsIn({ from, to }) >= rule.forAtLeastS - roundingS)
    .map(({ from, to, steps: own, silent, runsOn }) => {
      const cut = { from: Math.max(from, judged.from), to };
      return {
        ...cut,
        clipped: { start: runsOn.start || from < judged.from, end: runsOn.end },
        steps: own.length,
        medianS,
        meanS: own.reduce((sum, { seconds }) => sum + seconds, 0) / own.length,
        worstS: own.reduce((most, { seconds }) => Math.max(most, seconds), 0),
        slowS: cut.to - cut.from - apart.secondsIn(cut),
        coveredS: covered(own.map((step) => ({ from: Math.max(step.from, cut.from), to: step.to }))),
        silent,
      };
    });
}

interface Step extends Span {
  readonly seconds: number;
}

/** Slow steps that follow each other. */
interface SlowRun {
  from: number;
  to: number;
  readonly steps: Step[];
  readonly silent: { readonly before: Span | null; after: Span | null };
  /** It may have begun before the judged time, or go on after it. */
  readonly runsOn: { readonly start: boolean; end: boolean };
}

function slowRuns(all: Stream, apart: Pauses, limitS: number, judged: JudgedRun): SlowRun[] {
  const spacing = spacingOf(all);
  const silenceIn = (from: number, to: number, stepS: number): Span | null => {
    const silentS = to - from - (to > from ? apart.secondsIn({ from, to }) : 0);
    return silentS > Math.max(quietS, quietSteps * spacing * stepS) ? { from, to } : null;
  };
  const found: SlowRun[] = [];
  let open: SlowRun | null = null;
  let [reached, isFirst] = [judged.from, true];
  const newestS = (run: SlowRun) => run.steps.at(-1)!.seconds;
  for (let i = 0; i < all.times.length; i += 1) {
    const [to, seconds] = [all.times[i]!, all.values[i]!];
    const step = { from: to - seconds, to, seconds };
    const silence = silenceIn(reached, step.from, open ? newestS(open) : seconds);
    reached = to;
    if (open && silence) {
      open.silent.after = silence;
      open = null;
    }
    if (apart.fellIn(step)) continue;
    if (seconds <= limitS) open = null;
    else if (open) {
      open.steps.push(step);
      open.from = Math.min(open.from, step.from);
      open.to = to;
    } else {
      open = {
        from: step.from,
        to,
        steps: [step],
        // Of the time before its first step nobody knows whether the run had begun.
        silent: { before: isFirst ? null : silence, after: null },
        runsOn: { start: isFirst && !silence, end: false },
      };
      found.push(open);
    }
    isFirst = false;
  }
  if (open && !judged.isOver) {
    open.silent.after = silenceIn(reached, judged.to, newestS(open));
    open.runsOn.end = !open.silent.after;
  }
  return found;
}

/** How many of its steps lie between two that are told: some runs tell every tenth. */
function spacingOf({ times, values }: Stream): number {
  const apartS = times.subarray(1).map((time, i) => time - times[i]!);
  return apartS.length === 0 ? 1 : Math.max(1, medianOf(apartS) / medianOf(values));
}

/** Those that cover the same time, as where a run was resumed beside itself, are one. The fewer steps go to the more: a run can cover any number. */
function asOne(runs: readonly SlowRun[]): SlowRun[] {
  const found: SlowRun[] = [];
  for (let run of runs) {
    while (found.length > 0 && found.at(-1)!.to - run.from > roundingS) {
      const before: SlowRun = found.pop()!;
      const [more, fewer] = before.steps.length < run.steps.length ? [run, before] : [before, run];
      for (const step of fewer.steps) more.steps.push(step);
      run = {
        from: Math.min(before.from, run.from),
        to: run.to,
        steps: more.steps,
        silent: { before: before.silent.before, after: run.silent.after },
        runsOn: { start: before.runsOn.start, end: run.runsOn.end },
      };
    }
    found.push(run);
  }
  return found;
}
