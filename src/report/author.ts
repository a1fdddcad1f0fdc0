import { curriculumStage, runtime, trainObjective } from '../runs/names.ts';

/** Names that the reporter writes itself, and what to call in their place. A second writer would make both wrong. */
const reserved: readonly (readonly [name: string, instead: string])[] = [
  ...Object.values(runtime).map((name) => [name, 'it is measured by the reporter'] as const),
  [trainObjective, 'call objective(value)'],
  [curriculumStage, 'it comes with every evaluation'],
  ['diagnostics/', 'call diagnostic(name, value)'],
  ['counter/', 'call count(counter, amount)'],
  ['rate/', 'call count(counter, amount)'],
];

/** @throws TypeError: the reporter writes that name itself */
export function checkOwnName(name: string): void {
  const found = reserved.find(([own]) => name === own || (own.endsWith('/') && String(name).startsWith(own)));
  if (found) throw new TypeError(`metric ${JSON.stringify(name)}: the reporter writes this name; ${found[1]}`);
}

/** @throws TypeError: no number. One that is not finite is one: it is reported as what it is. */
export function checkNumber(what: string, name: string, value: unknown): asserts value is number {
  if (typeof value === 'number') return;
  throw new TypeError(
    `${what} ${JSON.stringify(String(name).slice(0, 80))}: its value is no number, but ${typeof value}`,
  );
}

/** @throws RangeError */
export function checkStep(index: number): void {
  if (!Number.isSafeInteger(index) || index < 0)
    throw new RangeError(`a step is a whole number from 0, not ${String(index)}`);
}
