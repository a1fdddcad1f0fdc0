import { least, median, type Timing } from './side-by-side.ts';

/** One line of the table at the end. */
export interface Verdict {
  readonly what: string;
  readonly median: string;
  readonly minimum: string;
  readonly target: string;
  readonly outcome: 'pass' | 'pass by the minimum' | 'miss' | 'for information' | 'not measured';
}

/** Nothing of both: for information. */
export interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly unit?: string;
}

/** How many times as long `one` takes as `other`, by the medians and by the minima of all rounds. */
export const ratio = (what: string, one: Timing, other: Timing, target: Target): Verdict =>
  verdict(what, median(one.wall) / median(other.wall), least(one.wall) / least(other.wall), target);

/** Noise only ever makes a run longer, so a target that the minima meet is met. */
export function verdict(
  what: string,
  middle: number,
  minimum: number,
  { atMost, atLeast, unit = '×' }: Target,
): Verdict {
  const fits = (value: number): boolean => value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
  const words = (value: number): string => `${value.toFixed(unit === '×' ? 2 : 0)} ${unit}`;
  return {
    what,
    median: words(middle),
    minimum: words(minimum),
    target: atMost !== undefined ? `≤ ${atMost} ${unit}` : atLeast !== undefined ? `≥ ${atLeast} ${unit}` : '',
    outcome:
      atMost === undefined && atLeast === undefined
        ? 'for information'
        : fits(middle)
          ? 'pass'
          : fits(minimum)
            ? 'pass by the minimum'
            : 'miss',
  };
}

export const notMeasured = (what: string, why: string): Verdict => ({
  what: `${what}: ${why}`,
  median: '',
  minimum: '',
  target: '',
  outcome: 'not measured',
});

export function table(verdicts: readonly Verdict[]): string {
  const head = { what: '', median: 'medians', minimum: 'minima', target: 'target', outcome: '' };
  const wide = Math.max(...verdicts.map(({ what }) => what.length));
  return [head, ...verdicts]
    .map(({ what, median: middle, minimum, target, outcome }) =>
      [what.padEnd(wide), middle.padStart(9), minimum.padStart(9), target.padStart(10), ` ${outcome}`].join(' '),
    )
    .join('\n');
}
