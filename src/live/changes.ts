import { type Severity, severities } from '../domain/fleet.ts';
import type { Known, KnownFlag, Subject } from './known.ts';

export type ChangeType = 'RAISED' | 'CHANGED' | 'CLEARED' | 'SILENT' | 'CURRENT';

/** A flag as one evaluation found it. */
export interface Sighting<Flag> {
  readonly key: string;
  readonly subject: Subject;
  readonly severity: Severity;
  /** Where its evidence ends, epoch seconds. */
  readonly to: number;
  readonly burns: boolean;
  readonly flag: Flag;
}

/** What one evaluation found, of a window that reaches back far enough for all that is known to be in it. */
export interface Look<Flag> {
  /** Epoch seconds. */
  readonly at: number;
  /** A flag burns so long after its last evidence. */
  readonly burnsForS: number;
  /** The store left nothing out. */
  readonly isWhole: boolean;
  readonly flags: readonly Sighting<Flag>[];
  /** Whether what a flag rests on was heard up to now, so that no evidence means that all is well. */
  readonly hears: (subject: Subject) => boolean;
}

/** One thing to tell. */
export interface Change<Flag> {
  readonly type: ChangeType;
  readonly key: string | null;
  readonly flag: Flag | null;
  readonly at: number;
  /** What the subscriber knows once it was told this. */
  readonly known: () => Known;
}

/**
 * Whether somebody knows more than an evaluation: their cursor is of another gateway, that looked later. What this one lacks
 * had only not begun.
 */
export const isBehind = (look: Look<unknown>, { seen }: Known): boolean => seen !== null && look.at < seen;

/**
 * What to tell somebody who knows so much: what is over first, then what began, the worst first.
 *
 * Nothing is called cleared but by a whole evaluation that heard what the flag rests on. What began and was over again since
 * the subscriber was told last is told as both.
 *
 * @param least  flags below are not told, unless they were told before
 */
export function changesSince<Flag>(
  known: Known,
  look: Look<Flag>,
  least: Severity,
): { readonly changes: readonly Change<Flag>[]; readonly known: Known } {
  const changes: Change<Flag>[] = [];
  const told: [string, KnownFlag][] = [];
  const flags = new Map(known.flags);
  const tell = (type: ChangeType, key: string, flag: Flag | null, state: KnownFlag): void => {
    flags.set(key, state);
    const count = told.push([key, state]);
    const upTo = (): Known => ({
      at: known.at,
      seen: look.at,
      flags: new Map([...known.flags, ...told.slice(0, count)]),
    });
    changes.push({ type, key, flag, at: look.at, known: once(upTo) });
  };
  const seen = new Map(look.flags.map((sighting) => [sighting.key, sighting]));
  const ends = (key: string, flag: Flag | null, was: KnownFlag): void => {
    // What a store left out is not over.
    if (!look.isWhole) return;
    if (look.hears(was.subject)) tell('CLEARED', key, flag, { ...was, state: 'over' });
    else if (was.state !== 'silent') tell('SILENT', key, flag, { ...was, state: 'silent' });
  };

  for (const [key, was] of known.flags) {
    const now = seen.get(key);
    if (!now?.burns && was.state !== 'over') ends(key, now?.flag ?? null, was);
  }
  for (const { key, subject, severity, burns, to, flag } of look.flags) {
    const was = known.flags.get(key);
    const state = { subject, severity, state: 'burning' } as const;
    if (was && was.state !== 'over') {
      if (burns && (was.severity !== severity || was.state === 'silent')) tell('CHANGED', key, flag, state);
      continue;
    }
    const isNew = burns || (!was && known.at !== null && to > known.at - look.burnsForS);
    if (!isNew || severities.indexOf(severity) < severities.indexOf(least)) continue;
    tell('RAISED', key, flag, state);
    if (!burns) ends(key, flag, state);
  }
  if (!look.isWhole) return { changes, known: { at: known.at, seen: look.at, flags } };
  const left = [...flags].filter(([, { state }]) => state !== 'over');
  return { changes, known: { at: look.at, seen: look.at, flags: new Map(left) } };
}

function once<T>(make: () => T): () => T {
  let held: { readonly made: T } | undefined;
  return () => (held ??= { made: make() }).made;
}
