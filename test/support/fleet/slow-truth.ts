import type { RunEvent } from '../../../src/runs/event.ts';
import { MINUTE } from './clock.ts';
import type { Window } from './truth.ts';

/** A stretch of slow steps, from its first second to its last. */
export interface TrueSlowdown {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
  readonly steps: number;
  readonly medianS: number;
  readonly meanS: number;
  readonly worstS: number;
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

const named = (events: readonly RunEvent[], name: string): Step[] =>
  events.flatMap((event) => {
    if (event.kind !== 'metric' || event.name !== name || typeof event.value !== 'number') return [];
    const to = event.tsMs / 1000;
    return [{ from: to - event.value, to, seconds: event.value }];
  });

const checkpoints = (events: readonly RunEvent[]): Step[] =>
  events.flatMap(({ kind, name, tsMs, metadata }) => {
    const [to, seconds] = [tsMs / 1000, Number(metadata['seconds'] ?? 0)];
    return kind === 'annotation' && name === 'checkpoint' ? [{ from: to - seconds, to, seconds }] : [];
  });

/**
 * What a run's events make of each second of the window, and the stretches that are seen in it. All moments are whole
 * seconds, and a checkpoint says how long it took.
 */
export function slowdownsIn(events: readonly RunEvent[], { start, end }: Window, factor = 1.2, atLeast = 2) {
  const steps = named(events, 'runtime/step_seconds').filter(({ to }) => to > start && to <= end);
  const sorted = steps.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const medianS = (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
  const pauses = [...named(events, 'runtime/eval_seconds'), ...checkpoints(events)];
  const covers = (second: number) => (span: Step) => second >= span.from && second < span.to;
  const isMixed = (step: Step) => pauses.some((pause) => pause.from < step.to && pause.to > step.from);
  const isSlow = ({ seconds }: Step) => seconds > factor * medianS;
  const found: TrueSlowdown[] = [];
  let seen: number[] = [];
  let nothing = 0;
  const close = () => {
    if (seen.length === 0) return;
    const [from, to] = [seen[0]!, seen.at(-1)! + 1];
    const own = steps.filter((step) => isSlow(step) && !isMixed(step) && step.to > from && step.to <= to);
    const minutes = Array.from({ length: to - from }, (_, i) => from + i).filter(
      (second) => !pauses.some(covers(second)),
    ).length;
    const all = own.map(({ seconds }) => seconds);
    const meanS = all.reduce((sum, one) => sum + one, 0) / all.length;
    found.push({ from, to, minutes: minutes / MINUTE, steps: own.length, medianS, meanS, worstS: Math.max(...all) });
    seen = [];
  };
  for (let second = start; second < end; second += 1) {
    const step = steps.find(covers(second));
    if (step) nothing = 0;
    else if (!pauses.some(covers(second))) nothing += 1;
    const last = steps.findLast((one) => isSlow(one) && one.to <= second);
    if (nothing > Math.max(30, 3 * (last?.seconds ?? 0))) close();
    if (!step || isMixed(step)) continue;
    if (isSlow(step)) seen.push(second);
    else close();
  }
  close();
  return found.filter(({ minutes }) => minutes >= atLeast);
}
