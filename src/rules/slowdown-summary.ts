import type { FlagKind } from '../domain/fleet.ts';
import type { SlowStretch } from './slowdown.ts';
import { minutes, when, whom } from './words.ts';

/** A flag that overlaps a stretch, and for how much of its slow time. */
export interface Overlapping {
  readonly kind: FlagKind;
  readonly node: string;
  readonly gpu: number | null;
  readonly overlapS: number;
}

/** What the platform saw on a run's nodes during a stretch. */
export interface Surroundings {
  readonly flags: readonly Overlapping[];
  /** Nodes without a flag for which every check was answered throughout. */
  readonly clean: readonly string[];
  /** Families that answered, and those that the GPU maker lacks. */
  readonly families: readonly string[];
  readonly lacking: readonly string[];
  /** Why it cannot be said that nothing was wrong, in clauses; empty where it can. */
  readonly doubts: readonly string[];
  /** Seconds of silence that would not show. */
  readonly unheardS: number;
}

/** One sentence with the numbers, in UTC, that can be quoted as it stands and claims no more than it has. */
export function slowdownSummary(stretch: SlowStretch, around: Surroundings): string {
  return `${opening(stretch)}; ${around.flags.length > 0 ? beside(stretch, around) : alone(stretch, around)}.`;
}

function opening(stretch: SlowStretch): string {
  const { steps, meanS, medianS, worstS, slowS } = stretch;
  const ratio = `${figure(meanS / medianS)} times the run's median of ${figure(medianS)} s`;
  const took =
    steps === 1
      ? `one step took ${figure(meanS)} s, ${ratio}`
      : `${steps} steps took ${figure(meanS)} s on average, ${ratio}`;
  const worst = steps === 1 ? '' : `worst ${figure(worstS)} s, `;
  return `${capital(when(stretch))} ${took} (${worst}${minutes(slowS)} without pauses)`;
}

function beside(stretch: SlowStretch, { flags, clean, doubts, unheardS }: Surroundings): string {
  const named = flags.map(
    ({ kind, node, gpu, overlapS }) => `${kind} of ${whom(node, gpu)} (${minutes(overlapS)} of it)`,
  );
  return [
    `flags that overlap it: ${listed(named)}`,
    ...(clean.length > 0 ? [[`${listed(clean)} stayed clean`, ...unheard(stretch, unheardS)].join(', though ')] : []),
    ...few(doubts),
    'overlap is not cause',
  ].join('; ');
}

function alone(stretch: SlowStretch, { clean, families, lacking, doubts, unheardS }: Surroundings): string {
  if (doubts.length > 0 || clean.length === 0)
    return `no flag is known to overlap it, and that is no all-clear: ${few(doubts).join('; ') || 'nothing was checked'}`;
  const not = lacking.length > 0 ? [`these GPUs cannot report ${lacking.join(', ')}`] : [];
  const checked = [`checked: ${families.join(', ')}`, ...not, ...unheard(stretch, unheardS)].join('; ');
  return `no flag overlaps it, and the platform's signals were clean over the stretch on ${listed(clean)} (${checked}), so the code is the place to look`;
}

const unheard = ({ from, to }: SlowStretch, unheardS: number): string[] =>
  to - from < unheardS ? [`a silence of under ${minutes(unheardS)} would not show`] : [];

const namedAtMost = 4;

/** Some names, and how many more there are. */
export function listed(names: readonly string[]): string {
  // One more is named rather than counted.
  const all = names.length <= namedAtMost + 1 ? [...names] : [...names.slice(0, namedAtMost), rest(names.length)];
  const last = all.pop() ?? '';
  return all.length > 0 ? `${all.join(', ')} and ${last}` : last;
}

const few = (clauses: readonly string[]): string[] =>
  clauses.length > namedAtMost + 1
    ? [...clauses.slice(0, namedAtMost), `${rest(clauses.length)} reasons`]
    : [...clauses];

const rest = (count: number): string => `${count - namedAtMost} more`;
const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;
/** To three digits, and whole from a hundred on. */
const figure = (value: number): string => String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
