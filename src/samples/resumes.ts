import { firstAfter, type Stream } from './stream.ts';

/** Where a run went on from an earlier step. `at` is epoch seconds, of the first step that was reported again. */
export interface Resume {
  readonly at: number;
  readonly fromStep: number;
  readonly toStep: number;
}

/**
 * Where the training's step went back. What ended a step tells the training's steps from those of an evaluation, which may
 * be of an older checkpoint: only what was reported at such a moment counts.
 *
 * @param steps      the step at each moment that has one
 * @param stepTimes  what each training step took, at its end; empty where the run does not tell
 */
export function resumes(steps: Stream, stepTimes: Stream): Resume[] {
  return stepTimes.times.length > 0 ? ofTraining(atMoments(steps, stepTimes.times)) : ofAll(steps);
}

function ofTraining({ times, values }: Stream): Resume[] {
  const found: Resume[] = [];
  for (let i = 1; i < times.length; i += 1)
    if (values[i]! < values[i - 1]!) found.push({ at: times[i]!, fromStep: values[i - 1]!, toStep: values[i]! });
  return found;
}

/**
 * Without step times: an evaluation shows one step below what was reached, and then training goes on above it. Training
 * itself that went back climbs, and comes by steps in between.
 */
function ofAll({ times, values }: Stream): Resume[] {
  const found: Resume[] = [];
  const higher = nextHigher(values);
  let reached = -Infinity;
  for (let i = 0; i < times.length; i += 1) {
    const step = values[i]!;
    if (step >= reached) reached = step;
    // What follows rises before it is back at what was reached.
    else if (values[higher[i]!]! < reached) {
      found.push({ at: times[i]!, fromStep: reached, toStep: step });
      reached = step;
    }
  }
  return found;
}

/**
 * Where, behind each, the first one stands that is higher; the length where there is none. In one pass: a run can say one old
 * step for as long as it lives.
 */
function nextHigher(values: Float64Array): Uint32Array {
  const next = new Uint32Array(values.length);
  for (let i = values.length - 1; i >= 0; i -= 1) {
    let at = i + 1;
    while (at < values.length && values[at]! <= values[i]!) at = next[at]!;
    next[i] = at;
  }
  return next;
}

/** The samples of these very moments. */
function atMoments({ times, values }: Stream, moments: Float64Array): Stream {
  const found = [...moments].flatMap((moment) => {
    const at = firstAfter(times, moment) - 1;
    return at >= 0 && times[at] === moment ? [at] : [];
  });
  return { times: Float64Array.from(found, (at) => times[at]!), values: Float64Array.from(found, (at) => values[at]!) };
}
