import type { GraphAnswer, GraphError } from './ask.ts';
import { codeOf, refusalOf, snake } from './refusal.ts';

/** What did not answer. A null there is neither a zero nor `no reading`. */
export interface Failure {
  /** Where in the answer. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
}

const namedAtMost = 20;

/**
 * A part that an answer is nothing without.
 *
 * @param field  what the graph calls it
 * @throws ToolRefusal: what the graph says of it
 */
export function answered<T>(part: T | null | undefined, { errors = [] }: GraphAnswer<unknown>, field: string): T {
  if (part !== null && part !== undefined) return part;
  const first = errors.find(({ path }) => path?.at(-1) === field) ?? errors[0];
  if (first === undefined) throw new TypeError('The graph answers null without an error');
  throw refusalOf(first);
}

/** The failures of an answer, those of one place and reason once; null where there are none. */
export function failuresOf({ data, errors = [] }: GraphAnswer<unknown>): readonly Failure[] {
  const failures = errors.map(({ path = [], message, extensions }) => ({
    at: placeOf(data, path),
    code: codeOf(extensions.code),
    message,
  }));
  const shown = failures.slice(0, namedAtMost);
  const more = failures.length - shown.length;
  return more > 0 ? [...shown, { ...failures[namedAtMost]!, at: `${more} more fields` }] : shown;
}

/** What two documents asked for, and neither got, is one failure. */
export const onlyOnce = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [JSON.stringify([failure.at, failure.code]), failure] as const)).values(),
];

/** Clusters whose store left something out. */
export const partialWords = ({ extensions }: GraphAnswer<unknown>): string[] =>
  (extensions?.warnings ?? []).map((warning) => `Not all of it may be here: ${warning}`);

export const failureWords = (failures: readonly Failure[]): string[] =>
  failures.length === 0
    ? []
    : ['Part of this answer failed and is null for that reason, not for want of a reading: see failed, and ask again.'];

/** `gpus.3.temp_c`: things in lists by their name or index, as the answer keys them. */
function placeOf(data: unknown, path: NonNullable<GraphError['path']>): string {
  let at: unknown = data;
  const words: string[] = [];
  for (const step of path) {
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined;
    if (typeof step === 'string') {
      if (!wrappers.has(step)) words.push(snake(step));
      continue;
    }
    const { name, index } = Object(at) as { name?: string; index?: number };
    words.push(String(name ?? index ?? step));
  }
  return words.join('.');
}

/** What the answer does not nest. */
const wrappers = new Set(['cluster', 'node', 'nodes', 'workload']);
