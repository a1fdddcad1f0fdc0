import type { Fate } from '../runs/batch.ts';
import type { NotTaken } from '../reads/write.ts';
import { counted } from './silence-words.ts';
import type { ReportedRun } from './refs.ts';
import { tooFarAhead } from './run-events.ts';

/** Why a store refuses samples, in words for whoever reported them. */
const refusals: Readonly<Record<Exclude<NotTaken, 'conflicting'>, string>> = {
  late: 'it takes nothing older than the newest sample of a series (of Prometheus, its operator can set storage.tsdb.out_of_order_time_window)',
  tooOld: 'it takes nothing that old (of Prometheus, its operator can set storage.tsdb.out_of_order_time_window)',
  ahead: 'they lie too far ahead of its clock',
  labels: 'a name or metadata is longer than it takes',
};

const states: Readonly<Record<Exclude<Fate, 'written' | 'repeated'>, string>> = {
  conflicting: 'The store has another state of that very millisecond, which stands.',
  refused: 'The state was not written: the store takes nothing that old.',
};

/** What was not written, and why; null where all was, or was there. */
export function noteOfReport({ counts, whys, status, skipped, rejected, isStateAhead }: ReportedRun): string | null {
  const { refused, conflicting } = counts;
  const said = [...whys].flatMap((why) => (why === 'conflicting' ? [] : [refusals[why]]));
  const skips = skipped.map(({ kind, count }) => `${count} of kind ${JSON.stringify(kind)}`);
  const sentences = [
    ...(refused > 0 ? [`The store refused ${counted(refused, 'event')}: ${said.join('; ')}.`] : []),
    ...(conflicting > 0
      ? [
          `Of ${counted(conflicting, 'event')} another value of the same series and millisecond was there first, and stands.`,
        ]
      : []),
    ...(skips.length > 0 ? [`Not events, and left out: ${skips.join(', ')}.`] : []),
    ...(rejected.length > 0 ? [`${counted(rejected.length, 'event')} could not be taken; rejected says why.`] : []),
    ...(isStateAhead ? [`The state was not written: status.at ${tooFarAhead}.`] : []),
    ...(status === 'conflicting' || status === 'refused' ? [states[status]] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
