import type { Origin } from './questions.ts';
import type { Verdict } from './verdict.ts';

export interface Counts {
  asked: number;
  accepted: number;
  told: number;
  unsteady: number;
  lenient: number;
}

export type Tally = Readonly<Record<Origin | 'all', Readonly<Counts>>>;

const none = (): Counts => ({ asked: 0, accepted: 0, told: 0, unsteady: 0, lenient: 0 });

/** Counts what became of the expressions, by where they came from. */
export class Tallies {
  readonly all = { all: none(), grammar: none(), mutation: none(), metricsql: none(), attack: none() };

  add(origin: Origin, { accepted, told, unsteady, lenient }: Verdict): void {
    for (const counts of [this.all.all, this.all[origin]]) {
      counts.asked += 1;
      counts.accepted += Number(accepted);
      counts.told += Number(told);
      counts.unsteady += Number(unsteady);
      counts.lenient += Number(lenient);
    }
  }
}

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;

/** One line for each origin: how many were asked, what share was accepted, what share came back with something. */
export const tallyText = (tally: Tally): string =>
  Object.entries(tally)
    .map(
      ([origin, { asked, accepted, told, unsteady, lenient }]) =>
        `${origin.padEnd(10)} ${String(asked).padStart(6)} asked, ${percent(accepted, asked)} accepted, ` +
        `${percent(told, asked)} with data, ${unsteady} unsteady, ${lenient} that the store refuses unconfined`,
    )
    .join('\n');
