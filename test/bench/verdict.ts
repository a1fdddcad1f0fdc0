import { cpuOf, least, median, type Timing } from './side-by-side.ts';

/** One line of the table at the end. */
export interface Verdict {
  readonly what: string;
  readonly median: string;
  readonly minimum: string;
  /** Of CPU time, all processes together: what other work on the machine changes least. */
  readonly cpu: string;
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
export function ratio(what: string, one: Timing, other: Timing, target: Target): Verdict {
  const walls = [median(one.wall) / median(other.wall), least(one.wall) / least(other.wall)] as const;
  return { ...verdict(what, ...walls, target), cpu: `${(cpuOf(one) / cpuOf(other)).toFixed(2)} ×` };
}

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
    cpu: '',
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
  cpu: '',
  target: '',
  outcome: 'not measured',
});

export function table(verdicts: readonly Verdict[]): string {
  const head = { what: '', median: 'medians', minimum: 'minima', cpu: 'CPU', target: 'target', outcome: '' };
  const wide = Math.max(...verdicts.map(({ what }) => what.length));
  return [head, ...verdicts]
    .map(({ what, median: middle, minimum, cpu, target, outcome }) => {
      const numbers = [middle.padStart(9), minimum.padStart(9), cpu.padStart(7), target.padStart(10)];
      return [what.padEnd(wide), ...numbers, ` ${outcome}`].join(' ');
    })
    .join('\n');
}
