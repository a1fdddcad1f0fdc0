/** A section of a document whose shape is not known to be right. */
export type Keys = Readonly<Record<string, unknown>>;

export const keysOf = (value: unknown): Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Keys) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const isText = (value: unknown): value is string => typeof value === 'string';

const deepest = 64;

/** Why a document cannot be walked through; undefined where it can. An anchor that holds its own alias has no end. */
export function endless(value: unknown, above: readonly unknown[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return 'has an anchor (&name) that holds itself (*name); write the values out';
  if (above.length >= deepest) return `is nested deeper than ${deepest} levels`;
  for (const inner of Object.values(value)) {
    const fault = endless(inner, [...above, value]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
